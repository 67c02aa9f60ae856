"""Run the command line as `python -m onebit.cli`."""

from onebit.cli.main import main

if __name__ == "__main__":
    main()
