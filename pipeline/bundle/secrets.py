"""Finds passwords, tokens and keys in text. Capture redacts them by the same patterns that `check`
refuses them by, so that what was redacted passes.

What is redacted is recorded where it stood: `--password=[redacted password]`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipeline.bundle.secret_patterns import NO_SECRET, PATTERNS, Pattern


class Secret(NamedTuple):
    """A secret that was found; the secret itself is not kept."""

    line: int
    what: str


def find_secrets(text: str) -> list[Secret]:
    """Return where the text holds secrets, in order."""
    found: list[Secret] = []
    line, counted = 1, 0
    for start, _, what in _spans(text):
        line += text.count("\n", counted, start)
        counted = start
        found.append(Secret(line, what))
    return found


def redact(text: str) -> tuple[str, list[str]]:
    """Return the text without its secrets, and what they were.

    `find_secrets` finds nothing in the result.
    """
    return _redacted(text, text)


def redact_bytes(data: bytes) -> tuple[bytes, list[str]]:
    """Return a file's bytes without its secrets, and what they were.

    UTF-16 that holds one comes back as plain text.
    """
    searched = searchable(data)
    is_wide = len(searched) != len(data)
    text, found = _redacted(searched, searched if is_wide else data.decode("latin-1"))
    return (text.encode("latin-1") if found else data), found


def searchable(data: bytes) -> str:
    """Return bytes as text to look for secrets in, one character a byte: no form is beyond ASCII.

    UTF-16 loses the zero bytes between its letters; elsewhere they part words, as they do in
    `/proc/…/environ`. Lines keep their numbers.
    """
    is_wide = data.count(0) * 3 > len(data)
    return data.replace(b"\0", b"" if is_wide else b" ").decode("latin-1")


def _redacted(searched: str, kept: str) -> tuple[str, list[str]]:
    """Redact a text where the secrets of another stand, of the same length."""
    found: list[str] = []
    while spans := _spans(searched):
        searched, kept = _marked(searched, spans), _marked(kept, spans)
        found += [what for _, _, what in spans]
    return kept, found


def _marked(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    last = 0
    for start, end, what in spans:
        pieces += [text[last:start], f"[redacted {what}]"]
        last = end
    return "".join((*pieces, text[last:]))


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Return the secrets as start, end and what they are; sorted, without overlap."""
    spans = sorted(
        (*match.span("secret"), pattern.what)
        for pattern in PATTERNS
        for start, end in _worth_a_look(text, pattern)
        for match in pattern.expression.finditer(text, start, end)
        if not NO_SECRET.fullmatch(match["secret"])
    )
    apart: list[tuple[int, int, str]] = []
    for span in spans:
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart


def _worth_a_look(text: str, pattern: Pattern) -> Iterator[tuple[int, int]]:
    """Yield start and end of what has all that the pattern needs: lines, or the whole text."""
    if not _has_all(text.lower(), pattern):
        return
    if pattern.many_lines:
        yield 0, len(text)
        return
    start = 0
    for line in text.split("\n"):
        if _has_all(line.lower(), pattern):
            yield start, start + len(line)
        start += len(line) + 1


def _has_all(lowered: str, pattern: Pattern) -> bool:
    return all(any(hint in lowered for hint in hints) for hints in pattern.needs)
