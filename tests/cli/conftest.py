"""What tests of the command line share."""

from cli.inside import inside  # noqa: F401  a fixture
