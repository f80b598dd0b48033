r"""The path language, parsed once into small records.

    A > B            B called directly by A
    A >> B           B anywhere below A
    A > B? > C       B may be inlined away: what it called is then directly below A
    A | B            either, each sample once; binds tightest
    !A >> B          B not below A; after another name, A >> !B >> C: no B between A and C
    self(P)          the weight of P's frames alone
    widest(P)        the largest single call path among those of P
    P of Q           of the samples in Q, the share that is in P
    mem*             * matches any text
    [kernel]         all frames of a class
    "operator >"     a whole name, literally; \" and \\ in it mean " and \

Operators have spaces on both sides, so names may hold the same characters, and spaces too.
"""

from dataclasses import dataclass, field

from perfpress.analysis.paths.tokens import PathError, Token, TokenKind, tokens_of
from perfpress.analysis.profiles.profile import FRAME_CLASSES


@dataclass(frozen=True)
class Name:
    """A function or thread; `*` matches any text, unless the name is literal."""

    text: str
    literal: bool = False
    position: int = field(default=0, compare=False)
    """Its position in the path, from 1; 0 where its author did not write it."""


@dataclass(frozen=True)
class FrameClass:
    """All frames of a class."""

    name: str


Alternative = Name | FrameClass


@dataclass(frozen=True)
class Step:
    """One frame of a chain: any of its alternatives."""

    alternatives: tuple[Alternative, ...]
    anywhere: bool = True
    """At any depth below the step before; False: called by it directly."""
    not_below: tuple[Alternative, ...] = ()
    """What may not be between the step before, or else the root, and this one."""
    optional: bool = False


@dataclass(frozen=True)
class Chain:
    """Frames one below the other; the last is the one that is meant."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Widest:
    """The heaviest single node of a chain."""

    chain: Chain


@dataclass(frozen=True)
class Self:
    """The frames of a path without what they called."""

    path: Chain | Widest


Term = Chain | Widest | Self


@dataclass(frozen=True)
class ShareOfPath:
    """The samples of `part` that are in `whole`, of all samples in `whole`."""

    part: Term
    whole: Term


Path = Term | ShareOfPath


def parse_path(text: str) -> Path:
    """Parse a path.

    Raises:
        PathError: it is none.
    """
    parser = _Parser(tokens_of(text))
    part = parser.term()
    path: Path = ShareOfPath(part, parser.term()) if parser.take("of") else part
    parser.expect("end", "an operator, or the end")
    return path


def over_whole_profile(path: Path) -> Chain | Self:
    """Return the other view of a path: its last frames, anywhere in the profile."""
    match path:
        case ShareOfPath(part=part):
            return over_whole_profile(part)
        case Self(path=inner):
            chain = over_whole_profile(inner)
            return chain if isinstance(chain, Self) else Self(chain)
        case Widest(chain=chain):
            return over_whole_profile(chain)
        case Chain(steps=steps):
            return Chain((Step(steps[-1].alternatives),))


def names_of(path: Path) -> tuple[Name, ...]:
    """Return the names in a path, in order."""
    match path:
        case ShareOfPath(part=part, whole=whole):
            return (*names_of(part), *names_of(whole))
        case Self(path=inner):
            return names_of(inner)
        case Widest(chain=chain):
            return names_of(chain)
        case Chain(steps=steps):
            return tuple(
                each
                for step in steps
                for each in (*step.not_below, *step.alternatives)
                if isinstance(each, Name)
            )


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def take(self, kind: TokenKind) -> bool:
        """Go past the token if it has the kind."""
        if self.token.kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: TokenKind, expected: str) -> None:
        if not self.take(kind):
            raise self._error(expected)

    def term(self) -> Term:
        if self.take("self("):
            start = self.token
            inner = self.term()
            if isinstance(inner, Self):
                raise PathError(start.position, start.shown, "a path without self()")
            self.expect(")", "')'")
            return Self(inner)
        if self.take("widest("):
            chain = self._chain()
            self.expect(")", "')'")
            return Widest(chain)
        return self._chain()

    def _chain(self) -> Chain:
        steps = [self._step(anywhere=True)]
        if steps[0].optional:
            raise self._optional_error("first")
        while self.token.kind in (">", ">>"):
            anywhere = self.take(">>")
            if not anywhere:
                self.take(">")
            steps.append(self._step(anywhere))
        if steps[-1].optional:
            raise self._optional_error("last")
        return Chain(tuple(steps))

    def _step(self, anywhere: bool) -> Step:
        not_below: tuple[Alternative, ...] = ()
        while self.token.kind == "!":
            if not anywhere:
                raise self._error("a name, or '>>' before the '!'")
            self.take("!")
            not_below += self._alternatives()
            self.expect(">>", "'>>' and a name after the one with '!'")
        alternatives = self._alternatives()
        optional = self.take("?")
        if optional and self.token.kind == "|":
            raise self._error("'?' only behind the last of several names, as it is for all")
        return Step(alternatives, anywhere, not_below, optional)

    def _alternatives(self) -> tuple[Alternative, ...]:
        alternatives = [self._alternative()]
        while self.take("|"):
            alternatives.append(self._alternative())
        return tuple(alternatives)

    def _alternative(self) -> Alternative:
        token = self.token
        if self.take("literal"):
            return Name(token.text, literal=True, position=token.position)
        if not self.take("name"):
            raise self._error("a name")
        frame_class = token.text.removeprefix("[").removesuffix("]")
        if token.text == f"[{frame_class}]" and frame_class in FRAME_CLASSES:
            return FrameClass(frame_class)
        return Name(token.text, position=token.position)

    def _error(self, expected: str) -> PathError:
        return PathError(self.token.position, self.token.shown, expected)

    def _optional_error(self, which: str) -> PathError:
        optional = self.tokens[self.at - 1]
        return PathError(optional.position, f"'?' at the {which} name", "a name that must be there")
