"""The command `onebit`, also as `python -m onebit.cli`: Ctrl-C is handled before all imports."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while the rest is imported

from onebit.cli.main import main

if __name__ == "__main__":
    main()
