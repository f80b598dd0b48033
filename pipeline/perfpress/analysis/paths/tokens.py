"""Splits a path into names and operators."""

import re
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal[
    "name", "literal", "?", "!", ">", ">>", "|", "of", "self(", "widest(", ")", "end"
]


class PathError(Exception):
    """A path that is none; `position` counts its characters from 1."""

    def __init__(self, position: int, found: str, expected: str) -> None:
        super().__init__(f"character {position}: found {found}; expected {expected}")
        self.position = position
        self.found = found
        self.expected = expected


@dataclass(frozen=True)
class Token:
    """A name or an operator, and where it begins, counted from 1."""

    kind: TokenKind
    position: int
    text: str = ""
    """The name itself."""

    @property
    def shown(self) -> str:
        """The token as a message names it."""
        if self.kind == "end":
            return "the end"
        if self.kind in ("name", "literal"):
            return f"the name {self.text!r}"
        return f"'{self.kind}'"


CALL = re.compile(r"(self|widest)\(")
INFIX = re.compile(r"(>>|>|\||of)(?=\s|$)")
SPACES = re.compile(r"\s*")
ESCAPE = re.compile(r'\\(["\\])')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)

ANGLE_IN_NAME = re.compile(r"operator\s*(?:<=>|<<=|<<|<=|<|>>=|>>|>=|->\*|->|>)|->")
"""Angle brackets that open and close nothing."""


def tokens_of(text: str) -> list[Token]:
    """Split a path.

    Raises:
        PathError: a quote or bracket is not closed, or a name is where none may be.
    """
    return _Scanner(text).tokens()


class _Scanner:
    """Goes through a text once; names and operators alternate."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.open_calls = 0
        self.found: list[Token] = []

    def tokens(self) -> list[Token]:
        while not (self.found and self.found[-1].kind == "end"):
            self._skip_spaces()
            last = self.found[-1].kind if self.found else None
            if self.at == len(self.text):
                self._add("end", 0)
            elif last in ("name", "literal", "?", ")"):
                self._after_name()
            else:
                self._name()
        return self.found

    def _name(self) -> None:
        """Read a token where a name is expected."""
        text, at = self.text, self.at
        if call := CALL.match(text, at):
            self._add("self(" if call[1] == "self" else "widest(", len(call[0]))
            self.open_calls += 1
        elif text[at] == "!":
            self._add("!", 1)
        elif infix := INFIX.match(text, at):
            self._add(infix[1], len(infix[1]))  # type: ignore[arg-type]
        elif text[at] == '"':
            literal = LITERAL.match(text, at)
            if literal is None:
                raise PathError(at + 1, "a quote that is not closed", "another one")
            self._add("literal", len(literal[0]), ESCAPE.sub(r"\1", literal[1]))
        else:
            self._bare_name()

    def _after_name(self) -> None:
        text, at = self.text, self.at
        if infix := INFIX.match(text, at):
            self._add(infix[1], len(infix[1]))  # type: ignore[arg-type]
        elif text[at] == "?":
            self._add("?", 1)
        elif text[at] == ")" and self.open_calls:
            self._add(")", 1)
            self.open_calls -= 1
        else:
            rest = text[at:].split(maxsplit=1)[0]
            raise PathError(at + 1, repr(rest), "an operator between spaces, or the end")

    def _bare_name(self) -> None:
        """Take a name without quotes: up to an operator, the bracket of a call, or the end."""
        text, start = self.text, self.at
        brackets: list[str] = []
        at = start
        while at < len(text):
            if angle := ANGLE_IN_NAME.match(text, at):
                at = angle.end()
                continue
            letter = text[at]
            if not brackets and (self._stands_alone(at) or (letter == ")" and self.open_calls)):
                break
            if letter in "(<":
                brackets.append(letter)
            elif brackets and letter == {"(": ")", "<": ">"}[brackets[-1]]:
                brackets.pop()
            at += 1
        name = text[start:at].rstrip()
        if brackets:
            found = f"{brackets[-1]!r} that is not closed"
            raise PathError(start + 1, found, "its end, or the name in double quotes")
        optional = name.endswith("?")
        name = name.removesuffix("?").rstrip()
        self._add("name", len(name), name)
        self._skip_spaces()
        if optional:
            self._add("?", 1)

    def _stands_alone(self, at: int) -> bool:
        return self.text[at - 1].isspace() and INFIX.match(self.text, at) is not None

    def _add(self, kind: TokenKind, length: int, name: str = "") -> None:
        self.found.append(Token(kind, self.at + 1, name))
        self.at += length

    def _skip_spaces(self) -> None:
        spaces = SPACES.match(self.text, self.at)
        assert spaces is not None
        self.at = spaces.end()
