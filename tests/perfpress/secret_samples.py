"""Texts with secrets that are invented when a test runs: no file holds one."""

import random
import re
import string
from pathlib import Path
from typing import NamedTuple

KINDS = Path(__file__).parent / "base" / "secrets" / "kinds.txt"

_ALPHABETS = {
    "": string.ascii_letters + string.digits,
    "x": "0123456789abcdef",
    "A": string.ascii_uppercase + "234567",
    "a": string.ascii_lowercase + string.digits,
    "L": string.ascii_letters,
}


class Sample(NamedTuple):
    """A text, and the secrets in it."""

    text: str
    secrets: list[str]


def sample(template: str) -> Sample:
    """Return the text of a template: {20} is 20 letters, a secret is between « and »."""
    seeded = random.Random(template)
    marked = re.sub(
        r"\{(\d+)([xAaL]?)\}",
        lambda found: "".join(seeded.choices(_ALPHABETS[found[2]], k=int(found[1]))),
        template,
    )
    return Sample(re.sub("[«»]", "", marked), re.findall("«(.*?)»", marked, re.DOTALL))


def kinds() -> list[str]:
    """Return templates of all kinds of secrets that a lab has."""
    lines = KINDS.read_text("utf-8").splitlines()
    return [line.replace(r"\\n", "\0").replace(r"\n", "\n").replace("\0", r"\n") for line in lines]
