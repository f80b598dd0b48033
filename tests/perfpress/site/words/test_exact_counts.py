"""What is counted and not timed: sentences of a step, and verdicts for machines."""

from pathlib import Path

from perfpress.analysis.study.study import StepRun
from perfpress.analysis.verdicts.states import State
from perfpress.site.downloads.verdict_records import record_of, verdicts_on
from perfpress.site.report_figures import Figures
from perfpress.site.words.exact_counts import exact_count_sentences
from step_run_samples import step_run
from study_samples import cell_of, study_of


def counted(directory: Path, release: str, allocations: float, size: float) -> StepRun:
    """Return a run whose log counts allocations and their bytes."""
    metrics = {
        "allocations_per_operation": {"value": allocations, "unit": "allocations"},
        "allocated_per_operation": {"value": size, "unit": "B"},
    }
    return step_run(directory / release, step={"metrics": metrics}, changes={"release": release})


def test_counts_are_compared_from_one_run(tmp_path: Path) -> None:
    runs = [counted(tmp_path, "a", 3, 512), counted(tmp_path, "b", 4, 512)]
    figures = Figures(study_of(runs))
    assert exact_count_sentences(figures, cell_of("a")) == ()
    assert exact_count_sentences(figures, cell_of("b")) == (
        "Counted against a, where one run is enough: allocated per operation 512 B, as before, "
        "allocations per operation 3 → 4 (+33.3\N{NO-BREAK SPACE}%).",
    )


def test_each_count_has_a_verdict_for_machines(tmp_path: Path) -> None:
    runs = [counted(tmp_path, "a", 0, 0), counted(tmp_path, "b", 2, 64)]
    figures = Figures(study_of(runs))
    found = [record_of(figures, *each) for each in verdicts_on(figures, "b")]
    records = {each.metric: each for each in found}
    assert list(records) == ["throughput", "allocated_per_operation", "allocations_per_operation"]
    allocated = records["allocated_per_operation"]
    assert (allocated.verdict, allocated.ratio, allocated.p) == (State.SLOWER, None, None)
    assert allocated.headline == "allocated per operation 0 B → 64 B"
    assert allocated.evidence == "an exact count"
