"""Applies the author's aliases of functions and threads to a path."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from perfpress.analysis.paths.parse import (
    Alternative,
    Chain,
    Name,
    Path,
    Self,
    ShareOfPath,
    Step,
    Term,
    Widest,
)

Aliases = Mapping[str, Sequence[str]]
"""By the name that paths use: the names that other releases have for it."""


def with_aliases(path: Path, aliases: Aliases) -> Path:
    """Return a path in which each name also matches its aliases."""
    if isinstance(path, ShareOfPath):
        return ShareOfPath(_term(path.part, aliases), _term(path.whole, aliases))
    return _term(path, aliases)


def _term(term: Term, aliases: Aliases) -> Term:
    match term:
        case Self(path=Widest(chain=chain)):
            return Self(Widest(_chain(chain, aliases)))
        case Self(path=Chain() as chain):
            return Self(_chain(chain, aliases))
        case Widest(chain=chain):
            return Widest(_chain(chain, aliases))
        case Chain():
            return _chain(term, aliases)
    raise AssertionError("unreachable: a term is one of these")


def _chain(chain: Chain, aliases: Aliases) -> Chain:
    return Chain(tuple(_step(step, aliases) for step in chain.steps))


def _step(step: Step, aliases: Aliases) -> Step:
    return replace(
        step,
        alternatives=_alternatives(step.alternatives, aliases),
        not_below=_alternatives(step.not_below, aliases),
    )


def _alternatives(
    alternatives: tuple[Alternative, ...], aliases: Aliases
) -> tuple[Alternative, ...]:
    expanded: dict[Alternative, None] = {}
    for alternative in alternatives:
        expanded[alternative] = None
        if isinstance(alternative, Name):
            expanded |= dict.fromkeys(Name(other) for other in aliases.get(alternative.text, ()))
    return tuple(expanded)
