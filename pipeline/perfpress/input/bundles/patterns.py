"""File name patterns: `*`, and `{placeholders}`, which name the part that they match."""

import re
from collections.abc import Mapping
from itertools import zip_longest

WILDCARD = re.compile(r"\*|\{([A-Za-z_][A-Za-z0-9_]*)\}")
COMPRESSED = r"(?:\.(?:gz|zst|xz))?"

LONGEST = 1000
"""Characters of a pattern."""


def is_pattern(text: str) -> bool:
    """Return whether the text is a pattern for several files; braces alone may belong to a name."""
    return "*" in text


def file_pattern(text: str) -> re.Pattern[str]:
    """Return an expression for whole paths, plain or compressed; a wildcard does not cross `/`.

    Every wildcard but the last ends where what follows it first fits, and is not tried again: so
    matching takes linear time whatever the pattern and the name.

    Raises:
        ValueError: the pattern is too long, or two of its wildcards touch or have one name.
    """
    if len(text) > LONGEST:
        raise ValueError(f"a pattern of {len(text)} characters")
    wildcards = list(WILDCARD.finditer(text))
    names = [match[1] for match in wildcards if match[1]]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{{{name}}} occurs twice in {text!r}")
    expression = re.escape(text[: wildcards[0].start()] if wildcards else text)
    for match, following in zip_longest(wildcards, wildcards[1:]):
        literal = re.escape(text[match.end() : following.start() if following else len(text)])
        if following and not literal:
            raise ValueError(f"{match[0]} and {following[0]} touch in {text!r}")
        part = f"(?P<{match[1]}>[^/]+?)" if match[1] else "[^/]*?"
        expression += f"(?>{part}{literal})" if following else f"{part}{literal}"
    return re.compile(expression + COMPRESSED, re.DOTALL)


def placeholders(text: str) -> set[str]:
    """Return the names of the `{placeholders}` of a pattern or template."""
    return {match[1] for match in WILDCARD.finditer(text) if match[1]}


def unclosed(template: str) -> str:
    """Return a template from its first brace that is of no placeholder on; else nothing."""
    between = WILDCARD.sub(lambda match: "\0" * len(match[0]), template)
    at = next((at for at, char in enumerate(between) if char in "{}"), None)
    return "" if at is None else template[at:]


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in the place of `{placeholders}`.

    Raises:
        KeyError: the template names a placeholder that has no value.
    """
    return WILDCARD.sub(lambda match: values[match[1]] if match[1] else match[0], template)
