"""Settings for all tests."""

import signal

import pytest
from hypothesis import settings
from pace import PLAIN

# A shell ignores Ctrl-C in what it starts in the background; tests of Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A first example may compile for a second; examples follow from the test alone, so that
# a run that passes once passes again.
settings.register_profile("onebit", deadline=None, derandomize=True)
settings.load_profile("onebit")


def pytest_collection_modifyitems(items):
    """Leave out, where kernels run as plain Python, what is marked as being for compiled ones."""
    for item in items if PLAIN else ():
        if item.get_closest_marker("compiled"):
            item.add_marker(pytest.mark.skip(reason="kernels run as plain Python"))
