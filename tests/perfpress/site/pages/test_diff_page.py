"""What the page of a diff says first: whether the change is real."""

from pathlib import Path

from perfpress.site.pages.diff import verdict_opening
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.words.verdict_sentences import plain
from study_samples import cell_of, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def test_a_diff_opens_with_the_verdict_on_the_throughput(tmp_path: Path) -> None:
    faster = [1.2 * rate for rate in STEADY]
    runs = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", faster)]
    figures = Figures(study_of(runs))
    assert plain(verdict_opening(figures, DiffKey(cell_of("b"), "a"))) == (
        "20.0\N{NO-BREAK SPACE}% faster than a "
        "(ratio 1.200; 95\N{NO-BREAK SPACE}% interval 1.196 to 1.204)."
    )
    assert verdict_opening(figures, DiffKey(cell_of("b"), "c")) == ()
