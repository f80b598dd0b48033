"""Shows the progress of a build: on one line of a terminal, in plain lines elsewhere."""

import sys
import time
from typing import TextIO


class Progress:
    """Stages shown on stderr, so that stdout holds results only."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._started = time.monotonic()

    def show(self, text: str) -> None:
        """Show the current stage."""
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
