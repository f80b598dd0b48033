"""Verdicts in a file."""

import io
import tracemalloc
from dataclasses import replace

import pytest
from perfpress.analysis.metrics.intervals import Interval
from perfpress.analysis.metrics.throughput import CellComparison
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.kept_verdicts import MOST_IN_MEMORY, KeptVerdicts
from perfpress.analysis.verdicts.level_changes import LevelChange
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.kept_results import KeptResults
from study_samples import cell_of

MISSING = Verdict(cell_of("18"), "16", State.MISSING, "no run of this release")
SLOWER = Verdict(
    cell_of("18"),
    "17",
    State.SLOWER,
    "2 and 3 runs",
    CellComparison("17", 0.5, 0.4, 0.6, 2, 3, of="processes"),
    evidence=Evidence.SERIES,
    p=1e-200,
    interval=Interval(0.1 + 0.2, float("inf"), 0.95),
    within=None,
    since=LevelChange("18", "17", 1000.0, 500.0, 5, 5, 1e-6, in_full="19"),
    accepted="a fix of a leak",
    resolved="19",
    environment=("kernel", "compiler"),
)


def kept(*verdicts: Verdict) -> KeptVerdicts:
    found = KeptVerdicts(KeptResults().new_file())
    for each in verdicts:
        found.add([each])
    return found


def test_a_kept_verdict_is_the_same() -> None:
    found = kept(SLOWER, MISSING)
    assert found[SLOWER.cell, "17"] == SLOWER
    assert found[SLOWER.cell, "17"].state.row.mark == SLOWER.state.row.mark
    assert found.of_cell(SLOWER.cell) == (SLOWER, MISSING)
    assert [*found] == [(SLOWER.cell, "17"), (SLOWER.cell, "16")]
    assert len(found) == 2


def test_what_was_asked_for_before_does_not_hide_what_is_added() -> None:
    found = kept(SLOWER)
    assert found.get((SLOWER.cell, "16")) is None
    found.add([MISSING])
    assert found[SLOWER.cell, "16"] == MISSING


def test_there_is_no_verdict_that_was_not_given() -> None:
    found = kept(SLOWER)
    assert (cell_of("17"), "17") not in found
    with pytest.raises(KeyError):
        _ = found[SLOWER.cell, "15"]


def test_verdicts_take_little_memory_whatever_was_asked_for() -> None:
    cells = [CellKey("18", "socket2", f"step {number}") for number in range(8 * MOST_IN_MEMORY)]
    tracemalloc.start()
    found = KeptVerdicts(KeptResults().new_file())
    for cell in cells:
        found.add([replace(SLOWER, cell=cell), replace(MISSING, cell=cell)])
    assert all(found[cell, "17"].cell == cell for cell in cells)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 500 * len(cells)


class FullDisk(io.BytesIO):
    """A file that takes a part of what is written, as one without a buffer does."""

    def write(self, content: object) -> int:
        return len(bytes(content)) // 2  # type: ignore[call-overload]


def test_a_verdict_that_the_disk_has_no_room_for_is_not_lost_in_silence() -> None:
    with pytest.raises(OSError, match="No space left"):
        KeptVerdicts(FullDisk()).add([SLOWER])
