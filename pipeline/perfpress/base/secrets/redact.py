"""Finds secrets in text and redacts them.

Capture redacts by the code that `check` refuses by, so that what was redacted passes.
Redactions are recorded in place: `--password=[redacted password]`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from perfpress.base.secrets.rules import MARKER
from perfpress.base.secrets.search import SecretSpan, search

ROUNDS = 10
"""How often a text is redacted again at most; one is the rule, three have been seen."""


class Secret(NamedTuple):
    """A secret that was found; the secret itself is not kept."""

    line: int
    what: str


def find_secrets(text: str | bytes) -> list[Secret]:
    """Return where the text holds secrets, in order."""
    data = _encoded(text) if isinstance(text, str) else text
    found: list[Secret] = []
    line, position = 1, 0
    for each in search(data):
        line += data.count(b"\n", position, each.start)
        position = each.start
        found.append(Secret(line, each.kind))
    return found


def redact(text: str) -> tuple[str, list[str]]:
    """Return the text without its secrets, and what they were.

    `find_secrets` finds nothing in the result.
    """
    data, kinds = redact_bytes(_encoded(text))
    return (data.decode("utf-8", "surrogatepass") if kinds else text), kinds


def redact_bytes(data: bytes) -> tuple[bytes, list[str]]:
    """Return a file's bytes without its secrets, and what they were."""
    kinds: list[str] = []
    for _ in range(ROUNDS):
        if not (found := search(data)):
            break
        data = _marked(data, found)
        kinds += [each.kind for each in found]
    return data, kinds


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _marked(data: bytes, found: Sequence[SecretSpan]) -> bytes:
    pieces: list[bytes] = []
    last = 0
    for each in found:
        pieces += [data[last : each.start], _marker(each.kind, data[each.start : each.end])]
        last = each.end
    return b"".join((*pieces, data[last:]))


def _marker(kind: str, secret: bytes) -> bytes:
    """Return what is written in the place of a secret, in UTF-16 where that is."""
    marker = MARKER + f" {kind}]".encode()
    zeros = [secret[first::2].count(0) * 2 for first in (0, 1)]
    if max(zeros) < len(secret) - 1 or len(secret) < 2:
        return marker
    return marker.decode().encode("utf-16-le" if zeros[1] > zeros[0] else "utf-16-be")
