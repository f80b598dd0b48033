"""Shows the progress of a build: on one line of a terminal, in plain lines elsewhere."""

import sys
import time


class Progress:
    """Stages shown on stderr, so that stdout holds results only."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._started = time.monotonic()

    def show(self, text: str) -> None:
        """Show the current stage."""
        line = f"{time.monotonic() - self._started:6.1f} s  {text}"
        sys.stderr.write(f"\r\x1b[2K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the terminal's line, so that what follows is not written over."""
        if self._terminal:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
