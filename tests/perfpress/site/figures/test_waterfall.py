"""Waterfalls: bars that start where those before ended, and add up to the whole change."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from perfpress.analysis.study.profiles import CellKey
from perfpress.base.node.messages.findings import Change, ChangeParts, Findings
from perfpress.site.figures.waterfall import (
    LEAST_WIDTH,
    MOST_FUNCTIONS,
    MOST_STEPS,
    WIDTH,
    release_waterfalls,
    step_waterfall,
    waterfall,
)
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Waterfall
from study_samples import cell_of, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change


def findings(*changes: Change, even: float = 0.0, rest: float = 0.0, **facts: Any) -> Findings:
    additions = tuple(each for each in changes if each.net > 0)
    savings = tuple(each for each in changes if each.net < 0)
    added, saved = (sum(each.part for each in some) for some in (additions, savings))
    parts = ChangeParts(added + saved + even + rest, even, added, saved, rest)
    own = {"additions": additions, "savings": savings, "change": parts}
    return replace(NOTHING_CHANGED, **own | facts)


def drawn(found: Findings) -> Waterfall:
    made = waterfall(found, "w", lambda change: f"#{change.name}")
    assert made is not None
    return made


def test_the_largest_come_first_in_either_direction_and_lead_to_their_frames() -> None:
    made = drawn(findings(change("more", 0.0, 2000.0), change("less", 3000.0, 0.0), rest=200.0))
    assert [(bar.label, bar.text, bar.tone, bar.url) for bar in made.bars] == [
        ("less", "\N{MINUS SIGN}3.00", "better", "#less"),
        ("more", "+2.00", "worse", "#more"),
        ("the rest", "+0.20", "worse", ""),
    ]
    assert (made.whole.label, made.whole.text, made.whole.tone) == (
        *("whole change", "\N{MINUS SIGN}0.80", "better"),
    )


PARTS = st.lists(
    st.integers(-9000, 9000).filter(lambda each: abs(each) > 99), min_size=1, max_size=12
)


@given(PARTS, st.integers(-2000, 2000))
def test_bars_add_up_to_the_whole_change_within_their_box(parts: list[int], rest: int) -> None:
    changes = [change(f"f{at}", max(-part, 0), max(part, 0)) for at, part in enumerate(parts)]
    made = drawn(findings(*changes, rest=rest))
    bars = [(int(bar.start), int(bar.width), bar.tone) for bar in (*made.bars, made.whole)]
    end = None
    for start, width, tone in bars[:-1]:
        near, far = (start, start + width) if tone == "worse" else (start + width, start)
        if end is not None:
            assert abs(near - end) <= LEAST_WIDTH + 1
        end = far
    whole_start, whole_width, tone = bars[-1]
    assert abs((whole_start + whole_width if tone == "worse" else whole_start) - (end or 0)) <= (
        LEAST_WIDTH + len(bars)
    )
    assert all(start >= 0 and start + width <= WIDTH + LEAST_WIDTH for start, width, _ in bars)


def test_what_has_no_bar_of_its_own_is_counted_by_direction() -> None:
    many = [change(f"f{at}", 0.0, 1000.0 - at) for at in range(MOST_FUNCTIONS + 2)]
    made = drawn(findings(*many, change("small", 100.0, 0.0)))
    labels = [bar.label for bar in made.bars]
    assert labels[MOST_FUNCTIONS:] == ["2 other additions", "1 other saving"]


def test_shares_and_diffs_without_changed_functions_have_no_waterfall() -> None:
    assert waterfall(findings(), "w", lambda _: "") is None
    shares = findings(change("more", 0.0, 0.2), basis="share")
    assert waterfall(shares, "w", lambda _: "") is None


def figures_of(tmp_path: Path) -> Figures:
    return Figures(study_of([each for name in "abc" for each in repeats(tmp_path, name, [9.0])]))


def test_a_step_shows_the_change_against_the_base_else_against_the_release_before(
    tmp_path: Path,
) -> None:
    figures, cell = figures_of(tmp_path), cell_of("c")
    to_base = {DiffKey(cell, "a"): findings(change("since_a", 0.0, 900.0))}
    to_previous = {DiffKey(cell, "b"): findings(change("since_b", 0.0, 900.0))}
    made = step_waterfall(figures, cell, to_previous | to_base)
    assert made is not None
    assert made.bars[0].url == (
        "/reports/servers/c/select/vs/a/#diff-c-select-a.frame=main%20%3E%20since_a"
    )
    other = step_waterfall(figures, cell, to_previous)
    assert other is not None
    assert other.bars[0].label == "since_b"
    assert step_waterfall(figures, cell, {}) is None


def test_a_release_shows_the_steps_that_changed_most(tmp_path: Path) -> None:
    diffs = {
        DiffKey(CellKey("b", "socket2", f"s{at}"), "a"): findings(change("f", 0.0, 100.0 * at + 99))
        for at in range(MOST_STEPS + 1)
    }
    made = release_waterfalls(figures_of(tmp_path), "b", diffs)
    assert [each.caption.split(",")[0] for each in made] == ["s3", "s2", "s1"]
    assert len({each.id for each in made}) == MOST_STEPS
