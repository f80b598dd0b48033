"""Readers of arguments, shared by the verbs: what they refuse is told with what was expected."""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable

from pipeline.slug import Level, reserved
from pipeline.toml.read import shown_value

LONGEST_NAME = 200
"""Characters, as `pipeline.bundle.schema.Name`."""

LAST_PORT = 2**16 - 1


def refused(text: str, expected: str) -> ArgumentTypeError:
    """Return what to raise where an argument is not what it should be."""
    found = shown_value(text) if text else "nothing"
    return ArgumentTypeError(f"{found}; expected {expected}")


def name(text: str) -> str:
    """Return a name as run.toml takes it."""
    if not (1 <= len(text) <= LONGEST_NAME and text.isprintable()):
        raise refused(text, f"1 to {LONGEST_NAME} printable characters")
    return text


def name_of(level: Level) -> Callable[[str], str]:
    """Return a reader of names that no other page of that level has."""

    def read(text: str) -> str:
        if reserved(text, level):
            raise refused(text, "a name that no other page has")
        return name(text)

    return read


def address(text: str) -> str:
    """Return the address of a site."""
    if not re.match(r"https?://[^/]|/", text):
        raise refused(text, "https://… or, on the same host, /…/")
    return text


def positive(text: str) -> int:
    """Return a whole number above zero."""
    number = _whole(text)
    if not number:
        raise refused(text, "a whole number above zero")
    return number


def count(text: str) -> int:
    """Return a whole number, zero too."""
    number = _whole(text)
    if number is None:
        raise refused(text, "a whole number")
    return number


def port(text: str) -> int:
    """Return the number of a port that can be listened on."""
    number = _whole(text)
    if not number or number > LAST_PORT:
        raise refused(text, f"a port from 1 to {LAST_PORT}")
    return number


def seconds(text: str) -> float:
    """Return a time in seconds: `3`, `0.5s`, `2m`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m)?", text, re.ASCII)
    if match is None or not float(match[1]):
        raise refused(text, "seconds or minutes above zero: 3, 0.5s, 2m")
    return float(match[1]) * (60 if match[2] == "m" else 1)


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of `NAME=VALUE`."""
    left, _, right = text.partition("=")
    if not (left and right):
        raise refused(text, "NAME=VALUE")
    return name(left), name(right)


def tool(text: str) -> tuple[str, str | None]:
    """Return both sides of `NAME=TEXT`, or NAME and `None`."""
    left, equals, right = text.partition("=")
    if not left:
        raise refused(text, "NAME or NAME=TEXT")
    return name(left), right if equals else None


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,15}", text, re.ASCII) else None
