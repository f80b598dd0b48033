"""Starts a process for each run that is to be judged: the program of a process that reads no run.

Its children get the modules that judging needs from it: importing them takes longer than judging
most runs. It gets questions from `judge`, one after the other, and answers each with what its child
printed.
"""

import os
import signal
import sys
import tempfile
from typing import BinaryIO, NoReturn

import msgspec

from perfpress.base.secrets.rules import rules

# Before the first question: all children share it.
from perfpress.host.accepting.judging import main as judge

LARGEST_ANSWER = 5_000_000


class Asked(msgspec.Struct, frozen=True):
    """What a child is to do."""

    seconds: float
    """After which it is ended."""
    question: bytes


class Ended(msgspec.Struct, frozen=True):
    """How a child ended."""

    status: int | None
    """As of `subprocess`; `None` where it had no end."""
    printed: bytes


def main() -> None:
    """Answer the questions on stdin, a line each, with a line each."""
    rules()  # reads them once for all children
    for line in sys.stdin.buffer:
        ended = answered(msgspec.json.decode(line, type=Asked))
        sys.stdout.buffer.write(msgspec.json.encode(ended) + b"\n")
        sys.stdout.buffer.flush()


def answered(asked: Asked) -> Ended:
    """Have a child answer a question."""
    with tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as printed:
        question.write(asked.question)
        question.seek(0)
        child = os.fork()
        if child == 0:
            _judge(question, printed)
        is_late = False

        def end(*_: object) -> None:
            nonlocal is_late
            is_late = True
            os.kill(child, signal.SIGKILL)

        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, max(asked.seconds, 0.001))
        _, status = os.waitpid(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        printed.seek(0)
        code = None if is_late else os.waitstatus_to_exitcode(status)
        return Ended(code, printed.read(LARGEST_ANSWER))


def _judge(question: BinaryIO, printed: BinaryIO) -> NoReturn:
    """Answer a question as a process that has nothing of its parent's but its modules."""
    status = 1
    try:
        os.dup2(question.fileno(), 0)
        os.dup2(printed.fileno(), 1)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        judge()
        sys.stdout.flush()
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    main()
