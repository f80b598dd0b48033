"""The rules that secrets are found by: `rules.toml`, and those of gitleaks as they were published.

`gitleaks.toml` is config/gitleaks.toml of gitleaks v8.30.1, unchanged. RE2 runs both: its syntax is
that of gitleaks, and it takes linear time whatever the pattern and the text.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import re2

NO_SECRET = (
    rb"""["']?(?:\$[A-Za-z_{(](?s:.)*|\*+|x{3,}|X{3,}|<[^>]*>|[:=,;.(){}\[\]|&<>-]+"""
    rb"""|STRING|TEXT|VALUE|PASS(?:WORD)?|SECRET|TOKEN|(?:new|your)[_-]password"""
    rb"""|0x[0-9a-f]{1,16})["']?"""
)
"""Text in the place of a secret: a variable of the shell, a mask, a placeholder, an address."""

MARKER = b"[redacted"
"""The beginning of the text that replaces a secret."""

WITHOUT_PATH = "path"
"""Rules of gitleaks for files of certain names are left out: a log may be called anything."""


def compiled(pattern: str | bytes) -> Any:
    """Return a pattern for bytes, one character a byte."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    options.max_mem = 16 << 20
    return re2.compile(pattern.encode() if isinstance(pattern, str) else pattern, options)


_is_placeholder = cache(lambda: compiled(NO_SECRET))


@dataclass(frozen=True)
class Rule:
    """One form that secrets come in."""

    name: str
    kind: str
    keywords: tuple[bytes, ...]
    """Lower case; a line without any of them holds no such secret."""
    pattern: str
    is_none: Callable[[bytes, bytes], bool]
    """Returns whether what was matched is not a secret after all."""
    lines: int = 1
    """How many lines a match may span."""
    group: int = 0
    """The group that holds the secret; 0 if all that take part in a match do."""

    @cached_property
    def regex(self) -> Any:
        """The compiled pattern: few texts hold the keywords of most rules."""
        return compiled(self.pattern)

    def secrets(self, text: bytes) -> list[tuple[int, int, int, int]]:
        """Return start and end of each match, and start and end of each secret in it."""
        found: list[tuple[int, int, int, int]] = []
        for match in self.regex.finditer(text):
            numbers = [self.group] if self.group else range(1, (match.lastindex or 0) + 1)
            spans = [match.span(number) for number in numbers] or [match.span()]
            for start, end in spans:
                secret = text[start:end].rstrip()
                end = start + len(secret)
                if start < 0 or not secret or MARKER in secret:
                    continue
                if not (_is_placeholder().fullmatch(secret) or self.is_none(secret, match.group())):
                    found.append((*match.span(), start, end))
        return found


@cache
def rules() -> tuple[Rule, ...]:
    """Return all rules; the first that finds a secret says what it is."""
    own = _read("rules.toml")
    parts = own["parts"]
    theirs = _read("gitleaks.toml")
    allowed = _allowances([theirs["allowlist"]])
    return (
        *(_own_rule(table, parts) for table in own["rules"]),
        *(
            _gitleaks_rule(table, allowed)
            for table in theirs["rules"]
            if "regex" in table and WITHOUT_PATH not in table
        ),
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


def _own_rule(table: Mapping[str, Any], parts: Mapping[str, str]) -> Rule:
    ignored, unless = table.get("ignore"), table.get("unless")
    is_none = cache(lambda: compiled(_with_parts(ignored or "", parts)))
    is_of_another = cache(lambda: compiled(_with_parts(unless or "", parts)))
    return Rule(
        name=table["id"],
        kind=table["kind"],
        keywords=tuple(keyword.encode() for keyword in table["keywords"]),
        pattern=_with_parts(table["regex"], parts),
        lines=table.get("lines", 1),
        is_none=lambda secret, match: bool(
            (ignored and is_none().fullmatch(secret)) or (unless and is_of_another().search(match))
        ),
    )


def _with_parts(pattern: str, parts: Mapping[str, str]) -> str:
    for name, part in parts.items():
        pattern = pattern.replace(f"{{{{{name}}}}}", part)
    return pattern


def _gitleaks_rule(table: Mapping[str, Any], allowed: Callable[[bytes, bytes], bool]) -> Rule:
    least = table.get("entropy", 0)
    own_allowed = _allowances(table.get("allowlists", []))
    return Rule(
        name=table["id"],
        kind=table["id"].replace("-", " "),
        keywords=tuple(keyword.lower().encode() for keyword in table["keywords"]),
        pattern=table["regex"],
        is_none=lambda secret, match: (
            _entropy(secret) < least or allowed(secret, match) or own_allowed(secret, match)
        ),
        group=table.get("secretGroup", 0),
    )


def _allowances(tables: list[dict[str, Any]]) -> Callable[[bytes, bytes], bool]:
    """Return whether gitleaks lets pass a secret and the match that it was found in."""
    tables = [table for table in tables if table.get("condition") != "AND"]
    words = [word.lower().encode() for table in tables for word in table.get("stopwords", ())]
    patterns = cache(
        lambda: [
            (table.get("regexTarget", "secret") != "secret", compiled(pattern))
            for table in tables
            for pattern in table.get("regexes", ())
        ]
    )

    def allowed(secret: bytes, match: bytes) -> bool:
        if any(word in secret.lower() for word in words):
            return True
        return any(
            pattern.search(match if of_match else secret) for of_match, pattern in patterns()
        )

    return allowed


def _entropy(text: bytes) -> float:
    """Return Shannon's entropy in bits a byte."""
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)
