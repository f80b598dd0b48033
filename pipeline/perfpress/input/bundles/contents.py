"""Checks the content of a bundle's files: secrets, archives, damage, decompression bombs.

Reads every byte, so its result is worth keeping by the bundle's content hash.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from perfpress.base.groups import grouped
from perfpress.base.limits import LIMITS, BundleLimits
from perfpress.base.problems import Problem
from perfpress.base.secrets.pieces import pieces
from perfpress.base.secrets.redact import Secret, find_secrets
from perfpress.input.bundles.compression import closed_to_view, compression
from perfpress.input.bundles.read import Bundle
from perfpress.input.logs.text_lines import HEAD, PLAIN_CHUNK, TextLines, with_head

SUFFIXES = {".gz": "gzip", ".zst": "zstd", ".xz": "xz"}

PLAIN_RUN = re.compile(rb"[\t -~]{8,}")
"""Text within compressed bytes."""


def check_contents(bundle: Bundle) -> list[Problem]:
    """Return what is wrong with the files of a bundle."""
    files = ((bundle.directory / file.name, bundle.shown(file.name)) for file in bundle.files)
    return [problem for path, shown_as in files for problem in check_file(path, shown_as)]


def check_file(path: Path, shown_as: str, limits: BundleLimits = LIMITS) -> list[Problem]:
    """Return what is wrong with one file, plain or compressed."""
    source = TextLines(path)
    try:
        with path.open("rb") as file:
            packing = compression(file.read(HEAD))
        if problem := _misnamed(path, packing, shown_as):
            return [problem]
        most = _most_bytes(path.stat().st_size, limits)
        head, blocks = with_head(_bounded(source.blocks(), most))
        if closed := closed_to_view(head, is_unpacked=bool(packing)):
            return [_closed(closed, shown_as)]
        secrets = list(_secrets_in(blocks))
        if packing:
            secrets += _between(path, {secret.what for secret in secrets})
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


def _secrets_in(blocks: Iterable[bytes]) -> Iterator[Secret]:
    line = 1
    for piece in pieces(blocks):
        for found in find_secrets(piece):
            yield Secret(found.line + line - 1, found.what)
        line += piece.count(b"\n")


def _between(path: Path, known: Collection[str]) -> Iterator[Secret]:
    """Yield secrets outside of the compressed data: in a header, or behind its end."""
    with path.open("rb") as file:
        for block in iter(lambda: file.read(PLAIN_CHUNK), b""):
            for found in find_secrets(b"\n".join(PLAIN_RUN.findall(block))):
                if found.what not in known:
                    yield Secret(0, found.what)


class _TooMuch(Exception):
    """A file unpacks to more than it may."""


def _most_bytes(stored: int, limits: BundleLimits) -> int:
    """Return how many bytes a file of that size may unpack to."""
    return min(limits.plain_bytes, max(stored * limits.ratio, limits.ratio_from_bytes))


def _bounded(blocks: Iterable[bytes], most: int) -> Iterator[bytes]:
    total = 0
    for block in blocks:
        total += len(block)
        if total > most:
            raise _TooMuch
        yield block


def _misnamed(path: Path, packing: str, shown_as: str) -> Problem | None:
    """Return a problem where the name promises a compression that the content is not of."""
    promised = SUFFIXES.get(path.suffix)
    if promised is None or promised == packing:
        return None
    found = f"no {promised} data" if path.stat().st_size else "an empty file"
    do = f"compress it, or take {path.suffix} off its name"
    return Problem(path=shown_as, found=found, expected=f"{promised} data", do=do)


def _closed(what: str, shown_as: str) -> Problem:
    return Problem(
        path=shown_as,
        found=f"{what}, which cannot be looked into for secrets",
        expected="text or captures, plain or compressed once by gzip, zstd or xz",
        do="unpack it, and add what is needed of it",
    )


def _secret_problems(secrets: Iterable[Secret], shown_as: str) -> Iterator[Problem]:
    """Yield one problem for every kind of secret, at the first line that holds one."""
    for what, found in grouped(secrets, lambda secret: secret.what).items():
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        yield Problem(
            path=shown_as,
            line=found[0].line,
            found=f"what looks like a secret: {what}{more}",
            expected="nothing that must not be published",
            do=f"write [redacted {what}] in its place, and change it where it was in use",
        )
