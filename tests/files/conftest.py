import pytest

from onebit.streams.reading import bad_lines as bad


@pytest.fixture(autouse=True)
def _nothing_told():
    """What was said once is said again in the next test."""
    bad._notified.clear()


@pytest.fixture
def put(tmp_path):
    """Write a file and return its path as text."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write
