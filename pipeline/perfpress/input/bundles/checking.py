"""Runs all checks on an untrusted directory: whether it is a bundle that may be accepted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.input.bundles.contents import check_contents
from perfpress.input.bundles.manifest import MANIFEST
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.schema import FILE_NAME
from perfpress.input.logs.text_lines import (
    DOCUMENT,
    PLAIN_CHUNK,
    TextLines,
    longest_line,
    with_head,
)

NO_TEXT = re.compile(rb"[\0-\x06]")
"""Bytes that no text has, and every pprof file has at its beginning: its ids begin at 1."""

CLOCKS_DIFFER = timedelta(days=1)
"""Time zones that were mistaken, and a little."""


def checked(directory: Path, shown_as: str = "") -> tuple[Bundle | None, list[Problem]]:
    """Return the bundle of a directory and all that is wrong; `None` where it must be refused."""
    bundle, problems = read_bundle(directory, shown_as or str(directory))
    if bundle is None:
        return None, problems
    if bundle.archived:
        return None, [*problems, _of_an_archive(bundle)]
    problems += [*_yet_to_come(bundle, datetime.now(UTC)), *check_contents(bundle)]
    if not _is_refused(problems):
        problems += long_lines(bundle)
    return None if _is_refused(problems) else bundle, problems


def _of_an_archive(bundle: Bundle) -> Problem:
    """Report a manifest: whoever sends one would have a build fetch what nobody has checked."""
    return Problem(
        path=f"{bundle.shown_as}/{MANIFEST}",
        found="the manifest of an archived bundle",
        expected="the files themselves; only perfpress archive writes it, among accepted results",
        do="remove it; of an accepted run: perfpress archive --verify DIR, or --undo DIR",
    )


def _is_refused(problems: Sequence[Problem]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def _yet_to_come(bundle: Bundle, now: datetime) -> Iterator[Problem]:
    if bundle.run.started is not None and bundle.run.started > now + CLOCKS_DIFFER:
        yield Problem(
            path=f"{bundle.shown_as}/{FILE_NAME}",
            found=f"`started` is {bundle.run.started}",
            expected="a time that has been",
            do="set the host's clock, and correct it",
        )


def long_lines(bundle: Bundle) -> Iterator[Problem]:
    """Yield a problem for every log and capture with lines that no reader would take.

    Logs are read in lines, and so are captures that are text. JSON may be one line by nature: a log
    of it may be as long as what is read as a whole, and captures that are one document, as
    speedscope's JSON, an SVG or pprof, have limits of their own. Nothing reads the lines of
    attachments. A build leaves such a line out, lists it, and publishes the rest of what was
    accepted before.

    Raises:
        OSError: a file cannot be read.
    """
    logs = {name for step in bundle.steps for name in step.logs}
    captures = {name for step in bundle.steps for name in step.captures}
    for name in sorted(logs | captures):
        head, blocks = with_head(TextLines(bundle.directory / name).blocks())
        if NO_TEXT.search(head) or (name not in logs and DOCUMENT.match(head)):
            continue
        longest = longest_line(head)
        found = list(_too_long(blocks, longest))
        if found:
            line, length = found[0]
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            yield Problem(
                path=bundle.shown(name),
                line=line,
                found=f"a line of {length:,} bytes{more}",
                expected=f"at most {longest:,}: longer ones are not read",
                do="break it into lines (a progress display by tr '\\r' '\\n'), or leave it out",
            )


def _too_long(blocks: Iterable[bytes], longest: int) -> Iterator[tuple[int, int]]:
    """Yield number and length in bytes of each line that is too long."""
    number, length = 1, 0
    for block in blocks:
        # In a small piece only the line that began before it can be too long.
        for at in range(0, len(block), PLAIN_CHUNK):
            first, end, rest = block[at : at + PLAIN_CHUNK].partition(b"\n")
            length += len(first)
            if end:
                if length > longest:
                    yield number, length
                number += 1 + rest.count(b"\n")
                length = len(rest) - rest.rfind(b"\n") - 1
    if length > longest:
        yield number, length
