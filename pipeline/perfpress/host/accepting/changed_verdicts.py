"""Lists in Markdown the verdicts that a new site changes.

python -m perfpress.host.accepting.changed_verdicts OLD NEW [URL]

OLD and NEW are `/api/verdicts.json` of two sites; NEW may be a zip archive with a `verdicts.json`,
as GitHub keeps what a pull request's workflow has made. Both may be anybody's: they are read up to
a limit, and what they say is shown as code, which GitHub reads no markup and no `@name` in.
"""

import html
import sys
import zipfile
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgspec

from perfpress.base.console import print_problems, printable
from perfpress.base.display import plural
from perfpress.base.problems import BadInput, Problem

LARGEST = 50_000_000
"""Bytes."""
MOST_ROWS = 50
LONGEST_CELL = 100
LONGEST_HEADLINE = 400
"""Characters."""
LONGEST_LINK = 1000
"""Characters; a longer one is left out."""
LONGEST_TABLE = 55_000
"""Characters: GitHub takes no comment of more than 65,536, and there are words below the table."""
LONGEST_NAMES = 5_000
"""Characters of the names of older releases."""
NONE = "–"

Record = TypeVar("Record")


class PublishedVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of a verdict; see `perfpress.site.downloads.verdict_records`."""

    report: str
    release: str
    variant: str
    step: str
    against: str
    verdict: str
    metric: str = "throughput"
    headline: str = ""
    """All evidence in one line; sites built by older programs have none."""
    url: str = ""


class PublishedRelease(msgspec.Struct, frozen=True, kw_only=True):
    """Where the verdicts on a release are, and what tells whether they changed."""

    report: str
    release: str
    digest: str
    url: str = ""


class VerdictFile(msgspec.Struct, frozen=True):
    """`/api/verdicts.json`."""

    verdicts: tuple[PublishedVerdict, ...]
    """Those on the newest releases of each report."""
    releases: tuple[PublishedRelease, ...] = ()
    """All; sites built by older programs have none."""


class Changed(NamedTuple):
    """One verdict that is another one now."""

    before: PublishedVerdict | None
    now: PublishedVerdict | None


class Changes(NamedTuple):
    """What a new site changes."""

    verdicts: list[Changed]
    older: list[PublishedRelease]
    """Releases of the new site whose verdicts changed, too, and are not in its file."""


def read_verdicts(path: Path) -> VerdictFile:
    """Return the verdicts in a file; none where there is no file, as before the first site.

    Raises:
        BadInput: it holds something else, or too much.
    """
    if not path.exists():
        return VerdictFile(())
    return read_record(path, "verdicts.json", VerdictFile, "verdicts")


def read_record(path: Path, name: str, of_type: type[Record], what: str) -> Record:
    """Return what a JSON file says, or the one of a name in a zip archive, as GitHub keeps it.

    Args:
        path: of the file or the archive; a stranger's job may have written it.
        name: of the file.
        of_type: its shape.
        what: it holds, for the message.

    Raises:
        BadInput: it holds something else, or too much.
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive, archive.open(name) as member:
                content = member.read(LARGEST + 1)
        else:
            with path.open("rb") as file:
                content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise BadInput(Problem(path=str(path), found=f"more than {LARGEST} bytes"))
        return msgspec.json.decode(content, type=of_type)
    except (
        msgspec.DecodeError,
        ValueError,
        zipfile.BadZipFile,
        KeyError,
        RuntimeError,
        OSError,
    ) as error:
        found = f"no {what}: {str(error)[:200]}"
        raise BadInput(Problem(path=str(path), found=found, expected=name)) from None


def changes_of(old: VerdictFile, new: VerdictFile) -> Changes:
    """Return the verdicts that differ, in the order of the new ones; those that are gone last.

    Of a release whose verdicts are not in both files, the digests tell whether they differ.
    """
    before, now = ({_cell(each): each for each in file.verdicts} for file in (old, new))
    elsewhere = [
        {_release(each) for each in file.releases} - {_release(each) for each in file.verdicts}
        for file in (old, new)
    ]
    changed = [
        Changed(before.get(cell), each)
        for cell, each in now.items()
        if _release(each) not in elsewhere[0]
        and (cell not in before or before[cell].verdict != each.verdict)
    ]
    gone = [
        Changed(each, None)
        for cell, each in before.items()
        if cell not in now and _release(each) not in elsewhere[1]
    ]
    digests = {_release(each): each.digest for each in old.releases}
    older = [
        each
        for each in new.releases
        if (key := _release(each)) in elsewhere[0] | elsewhere[1]
        and digests.get(key, each.digest) != each.digest
    ]
    return Changes(changed + gone, older)


def markdown(changes: Changes, address: str = "") -> str:
    """Return a table of them, with links where the address of the site is given."""
    return "\n".join(_lines(changes, address)) + "\n"


def _older(releases: Sequence[PublishedRelease], address: str) -> str:
    """Return the sentence on releases that are not in the table."""
    names = [
        _linked(shown_as_code(f"{each.report} > {each.release}"), each.url, address)
        for each in releases[:MOST_ROWS]
    ]
    lengths = accumulate(len(name) + 2 for name in names)
    named = names[: sum(length <= LONGEST_NAMES for length in lengths)]
    more = len(releases) - len(named)
    text = ", ".join((*named, *((f"and {more:,} more",) if more else ())))
    return f"Verdicts changed on {plural(len(releases), 'release more')}: {text}."


def _lines(changes: Changes, address: str) -> Iterator[str]:
    yield "### Verdicts that changed"
    yield ""
    if changes.verdicts:
        yield from _table(changes.verdicts, address)
    elif not changes.older:
        yield "None."
    if changes.older:
        yield ""
        yield _older(changes.older, address)


def _table(changed: Sequence[Changed], address: str) -> Iterator[str]:
    yield "| report | release | against | step | before | now | all evidence |"
    yield "|---|---|---|---|---|---|---|"
    rows = [_row(each, address) for each in changed[:MOST_ROWS]]
    lengths = accumulate(len(row) + 1 for row in rows)
    shown = sum(length <= LONGEST_TABLE for length in lengths)
    yield from rows[:shown]
    if len(changed) > shown:
        yield ""
        more = plural(len(changed) - shown, "row more")
        yield f"And {more}: see `api/verdicts.json` of the built site."


def _row(changed: Changed, address: str) -> str:
    before, now = changed
    either = now or before
    assert either
    cells = (
        shown_as_code(either.report),
        shown_as_code(either.release),
        shown_as_code(either.against),
        _linked(shown_as_code(f"{either.step} @{either.variant}"), now.url if now else "", address),
        shown_as_code(before.verdict) if before else NONE,
        shown_as_code(now.verdict) if now else NONE,
        shown_as_code(now.headline, LONGEST_HEADLINE) if now and now.headline else NONE,
    )
    return f"| {' | '.join(cells)} |"


def _linked(name: str, page: str, address: str) -> str:
    if not address or not page:
        return name
    url = html.escape(f"{address.rstrip('/')}/{quote(page, safe='/@%')}")
    return f'<a href="{url}">{name}</a>' if len(url) <= LONGEST_LINK else name


def _release(of: PublishedVerdict | PublishedRelease) -> tuple[str, str]:
    return of.report, of.release


def _cell(verdict: PublishedVerdict) -> tuple[str, ...]:
    return (
        *(verdict.report, verdict.release, verdict.variant),
        *(verdict.step, verdict.metric, verdict.against),
    )


def shown_as_code(text: str, longest: int = LONGEST_CELL) -> str:
    """Return text as GitHub shows it letter by letter, in a cell of a table."""
    short = text if len(text) <= longest else f"{text[:longest]}…"
    letters = (
        char if char.isalnum() and char.isascii() else f"&#{ord(char)};"
        for char in printable(short)
    )
    return f"<code>{''.join(letters)}</code>"


def main(words: Sequence[str]) -> int:
    """Print the table; the exit status is 1 for bad input."""
    old, new, *address = words
    try:
        changes = changes_of(read_verdicts(Path(old)), read_verdicts(Path(new)))
    except BadInput as failure:
        print_problems(failure.problems)
        return 1
    sys.stdout.write(markdown(changes, *address))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
