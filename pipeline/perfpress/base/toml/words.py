"""Formats keys and values of TOML files for messages."""

import difflib
import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from perfpress.base.secrets.redact import redact
from perfpress.base.toml.lines import KeyPath

LONGEST_SHOWN = 60
"""Characters of a value in a message."""
MOST_BITS_IN_DECIMAL = 256
"""Of a whole number; one in hexadecimal may have more decimal digits than Python writes."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that an unknown one was probably meant to be."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1)), None)


def shown_key(path: KeyPath) -> str:
    """Return a key as an author would write it: `step[0].capture.event`, counted from 0."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
    return text.removeprefix(".")


def shown_value(value: Any) -> str:
    """Return a value as a message shows it: on one line, not too long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and value.bit_length() > MOST_BITS_IN_DECIMAL:
        text = hex(value)
    else:
        text = str(value) if isinstance(value, int | float | date) else repr(value)
    text, _ = redact(text)  # problems of a refused file are listed on the site
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]{1,60}", name) else shown_value(name)
