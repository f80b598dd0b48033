"""Handles SIGINT, SIGTERM and SIGHUP, so that what was measured so far is kept."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIG_IGN, SIGHUP, SIGINT, SIGTERM, Signals, getsignal, signal

SIGNALS = (SIGINT, SIGTERM, SIGHUP)
"""Ctrl-C, `kill`, and the end of the connection that a measurement was started from."""


class Interruption:
    """The signal that asked to stop, if any."""

    signal: Signals | None = None
    """The first one."""


@contextmanager
def noted() -> Iterator[Interruption]:
    """Record signals that ask to stop while the block runs, instead of their usual effect.

    Threads but the main one cannot: there, signals do what they did.
    """
    interruption = Interruption()

    def note(number: int, _: object) -> None:
        interruption.signal = interruption.signal or Signals(number)

    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    # `nohup` and a shell's `&` let some be ignored, on purpose.
    heeded = [number for number in SIGNALS if getsignal(number) is not SIG_IGN]
    before = {number: signal(number, note) for number in heeded}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal(number, handler)
