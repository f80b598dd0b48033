"""Looks into the files of a bundle: secrets, files that unpack to too much, damaged archives.

Reads every byte, so its result is worth keeping by the bundle's content hash.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.bundle.read import Bundle
from pipeline.bundle.safety import LIMITS, Limits
from pipeline.bundle.secrets import Secret, find_secrets
from pipeline.bundle.text_pieces import pieces
from pipeline.logs.open import COMPRESSIONS, TextLines
from pipeline.problems import Problem

SUFFIXES = {".gz": "gzip", ".zst": "zstd", ".xz": "xz"}


def check_contents(bundle: Bundle) -> list[Problem]:
    """Return what is wrong with the files of a bundle."""
    files = ((bundle.directory / file.name, bundle.shown(file.name)) for file in bundle.files)
    return [problem for path, shown_as in files for problem in check_file(path, shown_as)]


def check_file(path: Path, shown_as: str, limits: Limits = LIMITS) -> list[Problem]:
    """Return what is wrong with one file, plain or compressed."""
    source = TextLines(path)
    secrets: list[Secret] = []
    try:
        if problem := _misnamed(path, shown_as):
            return [problem]
        most = _most_bytes(path.stat().st_size, limits)
        line = 1
        for piece in pieces(_bounded(source.blocks(), most)):
            text = piece.decode("latin-1")  # one character a byte: no pattern is beyond ASCII
            secrets += [Secret(found.line + line - 1, found.what) for found in find_secrets(text)]
            line += text.count("\n")
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        return [Problem(path=shown_as, found=found, expected="a readable file")]
    except _TooMuch:
        found = f"unpacks to more than {most / 1e6:.0f} MB"
        do = "leave it out, or split it"
        return [Problem(path=shown_as, found=found, expected="a smaller file", do=do)]
    problems = list(_secret_problems(secrets, shown_as))
    if source.broken:
        do = "copy it again from where it was written; what can be read is used"
        problems.append(
            Problem(
                path=shown_as,
                found=source.broken,
                expected="a whole file",
                do=do,
                severity="warning",
            )
        )
    return problems


class _TooMuch(Exception):
    """A file unpacks to more than it may."""


def _most_bytes(stored: int, limits: Limits) -> int:
    """Return how many bytes a file of that size may unpack to."""
    return min(limits.plain_bytes, max(stored * limits.ratio, limits.ratio_from_bytes))


def _bounded(blocks: Iterable[bytes], most: int) -> Iterator[bytes]:
    total = 0
    for block in blocks:
        total += len(block)
        if total > most:
            raise _TooMuch
        yield block


def _misnamed(path: Path, shown_as: str) -> Problem | None:
    """Return a problem where the name promises a compression that the content is not of."""
    promised = SUFFIXES.get(path.suffix)
    if promised is None:
        return None
    with path.open("rb") as file:
        first = file.read(8)
    if any(name == promised and first.startswith(magic) for magic, name, _ in COMPRESSIONS):
        return None
    found = "an empty file" if not first else f"no {promised} data"
    do = f"compress it, or take {path.suffix} off its name"
    return Problem(path=shown_as, found=found, expected=f"{promised} data", do=do)


def _secret_problems(secrets: Iterable[Secret], shown_as: str) -> Iterator[Problem]:
    """Yield one problem for every kind of secret, at the first line that holds one."""
    by_kind: dict[str, list[Secret]] = {}
    for secret in secrets:
        by_kind.setdefault(secret.what, []).append(secret)
    for what, found in by_kind.items():
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield Problem(
            path=shown_as,
            line=found[0].line,
            found=f"what looks like a secret: {what}{more}",
            expected="nothing that must not be published",
            do=f"write [redacted {what}] in its place, and change it where it was in use",
        )
