"""The table of states: what its readers take for granted."""

from collections import Counter

import pytest
from perfpress.analysis.verdicts.states import State, state_of_change


def test_no_two_states_share_a_mark_or_a_rank() -> None:
    marks = Counter(state.row.mark for state in State if state.row.mark)
    assert set(marks.values()) == {1}
    assert sorted(state.row.rank for state in State) == list(range(len(State)))


@pytest.mark.parametrize("state", State)
def test_a_state_can_be_written_wherever_it_is_needed(state: State) -> None:
    assert state == state.row.word
    assert state.row.clause.count("{all}") + state.row.clause.count("{any}") == 1
    assert "{base}" in state.row.against
    assert state.row.counted
    assert state.row.meaning


def test_a_change_is_marked_whether_one_run_shows_it_or_several() -> None:
    changes = {state for state in State if state.is_change}
    assert changes == {
        state_of_change("slower", is_one_run=False),
        state_of_change("faster", is_one_run=False),
        state_of_change("slower", is_one_run=True),
        state_of_change("faster", is_one_run=True),
    }
    assert all(state.row.mark for state in changes)
    assert [state for state in State if state.is_confirmed] == [State.SLOWER, State.FASTER]


def test_only_a_limit_that_is_known_is_written() -> None:
    assert State.NO_CHANGE.words(0.021) == "no change seen (within ±2.1 %)"
    assert State.NO_CHANGE.words(None) == "no change seen"
    assert State.NOISY.words(0.2) == "noisy (within ±20 %)"
    assert State.NO_CHANGE.words(0.9) == "no change seen (within ±90 %)"
