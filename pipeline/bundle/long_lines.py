"""Refuses lines that no reader would take, before they are sent.

Logs are read in lines, and so are captures that are text. Captures that are one document, as
speedscope's JSON, an SVG or pprof, may be one line, and nothing reads the lines of attachments. A
build leaves such a line out, tells it, and publishes the rest of what was accepted before.
"""

import re
from collections.abc import Iterable, Iterator

from pipeline.bundle.packed_files import with_head
from pipeline.bundle.read import Bundle
from pipeline.logs.open import LONGEST_LINE, PLAIN_CHUNK, TextLines
from pipeline.problems import Problem

DOCUMENT = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:<|\{\s*")')
"""How SVG and JSON begin. A folded stack may begin with `{main}`."""


def long_lines(bundle: Bundle) -> Iterator[Problem]:
    """Yield a problem for every log and capture with lines that are too long.

    Raises:
        OSError: a file cannot be read.
    """
    logs = {name for step in bundle.steps for name in step.logs}
    captures = {name for step in bundle.steps for name in step.captures}
    for name in sorted(logs | captures):
        head, blocks = with_head(TextLines(bundle.directory / name).blocks())
        if b"\0" in head or (name not in logs and DOCUMENT.match(head)):
            continue
        found = list(_too_long(blocks))
        if found:
            line, length = found[0]
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            yield Problem(
                path=bundle.shown(name),
                line=line,
                found=f"a line of {length:,} bytes{more}",
                expected=f"at most {LONGEST_LINE:,}: longer ones are not read",
                do="break it into lines (a progress display by tr '\\r' '\\n'), or leave it out",
            )


def _too_long(blocks: Iterable[bytes]) -> Iterator[tuple[int, int]]:
    """Yield number and length in bytes of each line that is too long."""
    number, length = 1, 0
    for block in blocks:
        # In a small piece only the line that began before it can be too long.
        for at in range(0, len(block), PLAIN_CHUNK):
            first, end, rest = block[at : at + PLAIN_CHUNK].partition(b"\n")
            length += len(first)
            if end:
                if length > LONGEST_LINE:
                    yield number, length
                number += 1 + rest.count(b"\n")
                length = len(rest) - rest.rfind(b"\n") - 1
    if length > LONGEST_LINE:
        yield number, length
