"""Finds the names in the shortcodes of a text: a page contains data for these only."""

import re
from dataclasses import dataclass

SHORTCODE = re.compile(r"\{\{[<%](.*?)[%>]\}\}", re.DOTALL)
ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+)')


@dataclass(frozen=True)
class Mentions:
    """The arguments of all shortcodes of a text."""

    arguments: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        """Return whether an argument is a name, or has it between its slashes."""
        return any(f"/{name}/" in f"/{each}/" for each in self.arguments)


def mentions_in(text: str) -> Mentions:
    """Return what a text mentions; too much rather than too little."""
    return Mentions(
        frozenset(
            next(filter(None, groups), "")
            for shortcode in SHORTCODE.findall(text)
            for groups in ARGUMENT.findall(shortcode)
        )
    )
