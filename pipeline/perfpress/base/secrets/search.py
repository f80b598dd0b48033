"""Searches bytes for secrets: keywords first, then the rules whose keywords are there.

Work grows with the length of the text, whatever it holds: RE2 has no worst case, a rule sees each
line once, and what disguised text decodes to is bounded.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import re2

from perfpress.base.secrets.disguises import decoded
from perfpress.base.secrets.rules import rules

DEPTH = 3
"""How many disguises on top of each other are looked through."""


class SecretSpan(NamedTuple):
    """A secret, as start and end in the bytes that were searched."""

    start: int
    end: int
    rule: int
    """The first of the rules that found it, by its place among them."""
    match_start: int
    match_end: int
    """What it was recognised by, key and all."""

    @property
    def kind(self) -> str:
        """What the secret is called."""
        return rules()[self.rule].kind


def search(text: bytes) -> list[SecretSpan]:
    """Return the secrets of a text, in order and without overlap."""
    found = sorted(_all(text, DEPTH))
    apart: list[SecretSpan] = []
    for each in found:
        if apart and each.start < apart[-1].end:
            last = apart[-1]
            apart[-1] = last._replace(
                end=max(last.end, each.end),
                rule=min(last.rule, each.rule),
                match_start=min(last.match_start, each.match_start),
                match_end=max(last.match_end, each.match_end),
            )
        else:
            apart.append(each)
    return apart


def _all(text: bytes, depth: int) -> Iterator[SecretSpan]:
    # A zero byte parts words, as in /proc/…/environ.
    yield from _by_rules(text.replace(b"\0", b" "))
    if depth:
        for view in decoded(text):
            for each in _all(view.text, depth - 1):
                start, end = view.origin(each.start, each.end)
                match = view.origin(each.match_start, each.match_end)
                yield SecretSpan(start, end, each.rule, *match)


def _by_rules(text: bytes) -> Iterator[SecretSpan]:
    numbers = _keyword_set().Match(text)
    if not numbers:
        return
    lowered = text.lower()
    lines: dict[int, set[tuple[int, int]]] = {}
    for number in numbers:
        keyword, rules_of_keyword = _rules_by_keyword()[number]
        with_it = _lines_with(keyword, lowered)
        for rule_number in rules_of_keyword:
            lines.setdefault(rule_number, set()).update(with_it)
    for rule_number in sorted(lines):
        rule = rules()[rule_number]
        for start, end in _windows(lowered, sorted(lines[rule_number]), rule.lines):
            for spans in rule.secrets(text[start:end]):
                match_start, match_end, *secret = (start + place for place in spans)
                yield SecretSpan(secret[0], secret[1], rule_number, match_start, match_end)


@cache
def _rules_by_keyword() -> list[tuple[bytes, list[int]]]:
    """Return the keywords of all rules, each with the places of its rules."""
    by_keyword: dict[bytes, list[int]] = {}
    for number, rule in enumerate(rules()):
        for keyword in rule.keywords:
            by_keyword.setdefault(keyword, []).append(number)
    return list(by_keyword.items())


@cache
def _keyword_set() -> Any:
    """Return what finds out in one pass which keywords a text holds."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.case_sensitive = False
    options.max_mem = 64 << 20
    found = re2.Set.SearchSet(options)
    for keyword, _ in _rules_by_keyword():
        found.Add(re2.escape(keyword))
    found.Compile()
    return found


def _lines_with(keyword: bytes, lowered: bytes) -> list[tuple[int, int]]:
    """Return start and end of the lines that hold a keyword."""
    found: list[tuple[int, int]] = []
    at = lowered.find(keyword)
    while at >= 0:
        end = _line_end(lowered, at)
        found.append((lowered.rfind(b"\n", 0, at) + 1, end))
        at = lowered.find(keyword, end)
    return found


def _line_end(text: bytes, at: int) -> int:
    return text.find(b"\n", at) + 1 or len(text)


def _windows(text: bytes, lines: list[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield the lines, each with those after it up to a length, without overlap."""
    done = 0
    for start, end in lines:
        if start < done:
            continue
        for _ in range(length - 1):
            end = _line_end(text, end)
        yield start, end
        done = end
