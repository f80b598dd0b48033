"""Tells how far a build is: on one line of a terminal, in plain lines elsewhere."""

import sys
import time
from typing import TextIO


class Progress:
    """Stages told on stderr, so that stdout holds results only."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()

    def tell(self, text: str) -> None:
        """Say what is being done now."""
        line = f"{time.monotonic() - self._started:6.1f} s  {text}"
        if self._terminal:
            self._stream.write(f"\r\x1b[2K{line}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()

    def end(self) -> None:
        """Leave the terminal's line, so that what follows is not written over."""
        if self._terminal:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
