"""What the page of a diff says first: whether the change is real."""

from pathlib import Path

import msgspec
from perfpress.site.pages.diff import diff_opening
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.words.diff_headline import headline_of
from perfpress.site.words.verdict_sentences import plain
from study_samples import cell_of, profile_on_disk, repeats, study_of
from suspect_samples import NOTHING_CHANGED, change

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def test_a_diff_opens_with_the_verdict_on_the_throughput(tmp_path: Path) -> None:
    faster = [1.2 * rate for rate in STEADY]
    runs = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", faster)]
    figures = Figures(study_of(runs))
    opening = diff_opening(figures, DiffKey(cell_of("b"), "a"), NOTHING_CHANGED)
    assert plain(opening[:1]) == (
        "20.0\N{NO-BREAK SPACE}% faster than a "
        "(ratio 1.200; 95\N{NO-BREAK SPACE}% interval 1.196 to 1.204)."
    )
    nothing = "Where the time went: no function changed beyond noise."
    assert plain(opening[1:]) == nothing
    assert plain(diff_opening(figures, DiffKey(cell_of("b"), "c"), NOTHING_CHANGED)) == nothing


def test_a_diff_of_shares_opens_with_the_functions_that_changed(tmp_path: Path) -> None:
    runs = [
        run
        for release in ("a", "b")
        for run in repeats(tmp_path, release, [1.0], step={"logs": None}, files={})
    ]
    profiles = [profile_on_disk(tmp_path / name, name) for name in ("a", "b")]
    figures = Figures(study_of(runs, profiles))
    shares = msgspec.structs.replace(
        NOTHING_CHANGED,
        basis="share",
        unit="cycles",
        base=msgspec.structs.replace(NOTHING_CHANGED.base, label="a"),
        after=msgspec.structs.replace(NOTHING_CHANGED.after, label="b"),
        shown=msgspec.structs.replace(NOTHING_CHANGED.shown, factor=100.0),
        additions=(change("memcpy", 0.1, 0.3),),
    )
    key = DiffKey(cell_of("b"), "a")
    opening = diff_opening(figures, key, shares)
    assert plain(opening) == (
        "One function takes a larger share of the cycles beyond noise, memcpy "
        "+20.0\N{NO-BREAK SPACE}points; no function takes a smaller one. "
        "Profiles only, no throughput."
    )
    phrases = [phrase for sentence in opening for phrase in sentence]
    assert {phrase.url for phrase in phrases} == {""}, "its own page"
    assert [phrase.text for phrase in phrases if phrase.is_function] == ["memcpy"]
    assert headline_of(figures, key.cell, key.base_cell) == ()
    costs = plain(diff_opening(figures, key, NOTHING_CHANGED))
    assert costs == "Where the time went: no function changed beyond noise.", "and no verdict"
