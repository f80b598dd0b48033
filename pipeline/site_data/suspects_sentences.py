"""Suspects of a diff in sentences: whether there are any, and what all code and chance add."""

from collections.abc import Mapping
from typing import Any

from pipeline.display import percent_change, plural

MANY_WAYS = 1_000_000
"""Where the job stops counting ways to part captures."""
EVEN_WORTH_SAYING = 1.01
"""Growth of all code that gets a sentence where single functions grew beyond it."""


def suspects_sentences(told: Mapping[str, Any]) -> tuple[str, ...]:
    """Return whether there are any, what the table is of, what all code and chance add."""
    return (
        *_nothing(told),
        *_evenly(told),
        *_of_what(told),
        *_by_chance(told),
        *_not_ranked(told),
    )


def why_no_p(told: Mapping[str, Any]) -> str:
    """Return why no suspect has a p; empty where they have."""
    chance = told["chance"]
    if chance["level"] is not None:
        return ""
    sides = (told["base"], told["after"])
    few = [f"{_captures(side['captures'])} of {side['label']}" for side in sides]
    lacking = [text for text, side in zip(few, sides, strict=True) if side["captures"] < 2]
    if lacking:
        return " and ".join(lacking)
    return f"{' and '.join(few)} can be parted in {plural(chance['ways'], 'way')}, and it takes 20"


def _nothing(told: Mapping[str, Any]) -> tuple[str, ...]:
    if told["suspects"] or told["spread_evenly"]:
        return ()
    return ("No suspects: leaving out what only moved, no function grew enough.",)


def _evenly(told: Mapping[str, Any]) -> tuple[str, ...]:
    change = percent_change(told["even"])
    if told["spread_evenly"]:
        return (f"Growth is spread evenly over all code: {change}.",)
    if told["even"] < EVEN_WORTH_SAYING:
        return ()
    if told["basis"] == "share":
        most = f"The shares of most functions grew by {change}, as others shrank"
    else:
        most = f"All code grew by {change}"
    return (f"{most}; suspects are functions that grew beyond that.",)


def _of_what(told: Mapping[str, Any]) -> tuple[str, ...]:
    if told["basis"] == "cost_per_operation":
        return ("Growth is of the cost per operation.",)
    if told["basis"] == "weight_per_second":
        return (
            "Growth is of the weight per captured second, as no log tells the operations: a server "
            "that does more in a second weighs more, too.",
        )
    return (
        "Growth is of the share, as no log tells operations or seconds of both: a larger share is "
        "not a higher cost.",
    )


def _by_chance(told: Mapping[str, Any]) -> tuple[str, ...]:
    if told["spread_evenly"]:
        return ()
    chance, within = told["chance"], told["within_chance"]
    why = why_no_p(told)
    if why:
        said = f"Whether it is chance nobody can tell: {why}."
    else:
        of = "all" if chance["tried"] == chance["ways"] else f"{chance['tried']:,} of"
        more = "more than " if chance["ways"] >= MANY_WAYS else ""
        said = (
            f"Suspects have a p of at most {chance['level']}, from {of} {more}"
            f"{chance['ways']:,} ways to part the captures in two."
        )
    if not within:
        return (said,)
    said_too = f"{plural(within, 'function')} grew by no more than captures of one release differ."
    return said, said_too


def _not_ranked(told: Mapping[str, Any]) -> tuple[str, ...]:
    if not told["not_ranked"]:
        return ()
    less = plural(told["not_ranked"], "function")
    return (f"Not looked at, as so many grew by more: {less}.",)


def _captures(count: int) -> str:
    if count == 0:
        return "no single captures"
    return "one capture" if count == 1 else plural(count, "capture")
