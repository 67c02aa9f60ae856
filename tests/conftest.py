"""Settings for all tests."""

from hypothesis import settings

# A first example may compile for a second; examples follow from the test alone, so that
# a run that passes once passes again.
settings.register_profile("onebit", deadline=None, derandomize=True)
settings.load_profile("onebit")
