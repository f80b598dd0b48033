"""The states of a verdict: one row each, from which pages, feeds, cards, the gate and docs derive.

To add a state, add its row. Sentences and docs list the states in the order of this file.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal

Tone = Literal["", "better", "worse", "same", "unknown"]
"""The role of a colour; `assets/css` gives each its colour."""


@dataclass(frozen=True, kw_only=True)
class StateRow:
    """All that is true of one state."""

    word: str
    """As tables, feeds and `/api/verdicts.json` write it."""
    mark: str
    """Stands beside the word, so that colour is never alone: filled where several runs show a
    change, hollow where one does; empty where there is nothing to mark."""
    tone: Tone
    rank: int
    """Where a sorted column puts it: what needs a look comes first, from 0."""
    direction: Literal["", "slower", "faster"] = ""
    """Of a change that was seen."""
    is_one_run: bool = False
    """Whether a change rests on a single run."""
    has_limit: bool = False
    """Whether it is written with the largest change that is not excluded."""
    gate: Literal["pass", "fail", "skip"] = "pass"
    """What `perfpress verdict --fail-on slower` and JUnit's XML make of it."""
    clause: str
    """About one step, all, or any of them: `{all} {is} slower`, `no change was seen in {any}`."""
    counted: str
    """After a number of steps: `3 slower`."""
    against: str
    """With the release that `{base}` stands for: `slower than {base}`."""
    meaning: str
    """For the docs."""


class State(StrEnum):
    """The state of a verdict; its value is the word."""

    row: StateRow

    def __new__(cls, row: StateRow) -> "State":
        """Make a member that is equal to its word."""
        state = str.__new__(cls, row.word)
        state._value_ = row.word
        state.row = row
        return state

    SLOWER = StateRow(
        word="slower",
        mark="▼",
        tone="worse",
        rank=1,
        direction="slower",
        gate="fail",
        clause="{all} {is} slower",
        counted="slower",
        against="slower than {base}",
        meaning="the difference is beyond chance in several runs, or from several releases on",
    )
    FASTER = StateRow(
        word="faster",
        mark="▲",
        tone="better",
        rank=8,
        direction="faster",
        clause="{all} {is} faster",
        counted="faster",
        against="faster than {base}",
        meaning="the same, in the good direction",
    )
    SLOWER_ONE_RUN = StateRow(
        word="slower, one run",
        mark="▽",
        tone="unknown",
        rank=2,
        direction="slower",
        is_one_run=True,
        clause="{all} {is} slower in one run",
        counted="slower in one run",
        against="slower than {base} in one run",
        meaning="beyond the noise floor, but one side has a single run: repeat it",
    )
    FASTER_ONE_RUN = StateRow(
        word="faster, one run",
        mark="△",
        tone="unknown",
        rank=7,
        direction="faster",
        is_one_run=True,
        clause="{all} {is} faster in one run",
        counted="faster in one run",
        against="faster than {base} in one run",
        meaning="the same, in the good direction",
    )
    NO_CHANGE = StateRow(
        word="no change seen",
        mark="≈",
        tone="same",
        rank=6,
        has_limit=True,
        clause="no change was seen in {any}",
        counted="with no change seen",
        against="no change seen against {base}",
        meaning="no difference beyond chance; a change of more than that much is excluded",
    )
    NOISY = StateRow(
        word="noisy",
        mark="~",
        tone="unknown",
        rank=3,
        has_limit=True,
        gate="skip",
        clause="{all} {is} too noisy for a verdict",
        counted="too noisy for a verdict",
        against="too noisy to compare with {base}",
        meaning="no difference beyond chance, but a change of more than 10 % is not excluded",
    )
    CANNOT_TELL = StateRow(
        word="cannot tell",
        mark="?",
        tone="unknown",
        rank=4,
        gate="skip",
        clause="no verdict for {any}",
        counted="without a verdict",
        against="no verdict against {base}",
        meaning="there is nothing to compare with, or equal runs differ so much that not even a "
        "change of 50 % is excluded",
    )
    FAILED = StateRow(
        word="failed",
        mark="×",
        tone="worse",
        rank=0,
        gate="fail",
        clause="{all} failed",
        counted="failed",
        against="failed, to compare with {base}",
        meaning="the run broke off, or did nothing",
    )
    MISSING = StateRow(
        word="missing",
        mark="",
        tone="",
        rank=5,
        gate="skip",
        clause="{all} {is} missing",
        counted="missing",
        against="missing, to compare with {base}",
        meaning="no run that counts",
    )

    @property
    def is_slower(self) -> bool:
        """Whether it is a regression, confirmed or seen in one run."""
        return self.row.direction == "slower"

    @property
    def is_change(self) -> bool:
        """Whether it is a change, confirmed or seen in one run."""
        return self.row.direction != ""

    @property
    def is_confirmed(self) -> bool:
        """Whether it is a change that more than one run shows."""
        return self.is_change and not self.row.is_one_run

    def words(self, within: float | None) -> str:
        """Return the state as pages write it: `no change seen (within ±2.1 %)`."""
        if not self.row.has_limit or within is None:
            return self.row.word
        return f"{self.row.word} (within ±{100 * within:.2g} %)"


FAILING = {
    "slower": frozenset(state for state in State if state.row.gate == "fail"),
    "slower-one-run": frozenset(
        state for state in State if state.row.gate == "fail" or state.is_slower
    ),
}
"""The verdicts that fail, by what --fail-on names. A step that failed is worse than a slow one."""


def leading(states: Iterable[State]) -> State:
    """Return the state that a headline is marked with; there is at least one.

    What changed or failed comes before what no verdict could be given of.
    """
    found = set(states)
    marked = {state for state in found if state.is_change or state.row.gate == "fail"}
    return min(marked or found, key=lambda state: state.row.rank)


@cache
def state_of_change(direction: Literal["slower", "faster"], *, is_one_run: bool) -> State:
    """Return the state of a change that was seen."""
    return next(
        state
        for state in State
        if state.row.direction == direction and state.row.is_one_run == is_one_run
    )
