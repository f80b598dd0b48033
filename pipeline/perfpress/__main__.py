"""The command line: `perfpress VERB …`.

Exit status: 0 good, 1 bad input, 2 bad usage, 3 a verdict that was asked to fail.
"""

import os
import signal
import sys
from collections.abc import Sequence

from perfpress.cli.verbs import overview


def main(argv: Sequence[str] | None = None) -> int:
    """Run a verb; return the exit status.

    What a verb needs is imported when it is called: the overview and the version come at once.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    if argv is None:  # not in a test: what is under way is put in order, as after Ctrl-C
        signal.signal(signal.SIGTERM, _terminated)
    try:
        return _answer(list(sys.argv[1:] if argv is None else argv))
    except BrokenPipeError:  # perfpress check DIR | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _answer(words: Sequence[str]) -> int:
    if words[:1] == ["help"] and words[1:]:
        words = [words[1], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return 0 if words else 2
    if words[0] == "--version":
        from importlib.metadata import version

        print(f"perfpress {version('perfpress')}")
        return 0
    from perfpress.cli.run import run_verb

    return run_verb(words[0], words[1:])


def _terminated(number: int, _: object) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
