"""Where the command `volta-pipe` begins: with a server that is ready, if there is one, else in this process.

Nothing is imported before a server was asked: parsers of commands alone take longer than a verdict from the store."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs the command line and exits with its code."""
    from volta_pipe.driver.serving.client import ask

    try:
        code = ask(sys.argv[1:])
    except KeyboardInterrupt:  # before a server has begun
        print("volta-pipe: error: interrupted", file=sys.stderr)
        sys.exit(130)
    if code is not None:
        sys.stderr.flush()
        os._exit(code)  # the other process wrote all output: taking this one's Python down takes milliseconds, for nothing
    from volta_pipe.driver.cli import main as here

    here()
