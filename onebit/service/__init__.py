"""The HTTP service around a store: `onebit serve`."""
