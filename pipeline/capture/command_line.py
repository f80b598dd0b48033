"""Writes down the command of a benchmark without the secrets in it."""

import shlex
from collections.abc import Sequence

from pipeline.bundle.secrets import redact

PROBE = "secret0word"
"""Stands for a value, to see whether one after a certain option is taken for a secret."""


def shown_command(words: Sequence[str]) -> str:
    """Return a command as a shell takes it, without secrets, in UTF-8.

    A secret may hold spaces and quotes: where an option is one of a secret, all of its value goes.
    """
    shown: list[str] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        shown.append(_shown_word(word, before))
    text = redact(shlex.join(shown))[0]
    return text.encode("utf-8", "backslashreplace").decode()


def _shown_word(word: str, before: str) -> str:
    """Return a word of a command without its secret; `before` is the word before it."""
    key, equals, _ = word.partition("=")
    if equals and (marked := _marked(f"{key}=")):
        return marked
    if before.startswith("-") and "=" not in before and (marked := _marked(f"{before} ")):
        return word if word.startswith("-") else marked.removeprefix(f"{before} ")
    return word


def _marked(option: str) -> str | None:
    """Return the option with the marker of a redacted secret; `None` where it takes none."""
    text, found = redact(f"{option}{PROBE}")
    return text if found and PROBE not in text else None
