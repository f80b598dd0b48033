"""Verdicts in a file."""

import io
import tracemalloc

import pytest
from msgspec.structs import replace
from perfpress.analysis.metrics.intervals import Interval
from perfpress.analysis.metrics.throughput import CellComparison
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.kept_verdicts import MOST_IN_MEMORY, KeptVerdicts, packed
from perfpress.analysis.verdicts.level_changes import LevelChange
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Evidence, Verdict
from perfpress.base.groups import grouped
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
    found.add("18", packed(verdicts, []))
    return found


def test_a_kept_verdict_is_the_same() -> None:
    found = kept(SLOWER, MISSING)
    assert found[SLOWER.cell, "17"] == SLOWER
    assert found[SLOWER.cell, "17"].state.row.mark == SLOWER.state.row.mark
    assert found.of_cell(SLOWER.cell) == (SLOWER, MISSING)
    assert [*found] == [(SLOWER.cell, "17"), (SLOWER.cell, "16")]
    assert len(found) == 2


def test_a_verdict_in_brief_says_what_the_whole_one_does() -> None:
    found = kept(SLOWER, MISSING)
    found.add("19", packed([replace(SLOWER, cell=cell_of("19"))], []))
    assert [*found.briefs(SLOWER.cell)] == [
        ("17", SLOWER.words, SLOWER.comparison and SLOWER.comparison.ratio),
        ("16", MISSING.words, None),
    ]
    assert [each.base for each in found.briefs(cell_of("19"))] == ["17"]
    assert not [*found.briefs(cell_of("17"))]


def test_those_on_other_releases_are_added_one_after_the_other() -> None:
    found = kept(SLOWER)
    later = replace(SLOWER, cell=cell_of("19"))
    assert found.get((later.cell, "17")) is None
    found.add("19", packed([later, replace(MISSING, cell=later.cell)], []))
    assert found[later.cell, "17"] == later
    assert found[SLOWER.cell, "17"] == SLOWER
    assert [*found.cells] == [SLOWER.cell, later.cell]


def test_the_digest_of_a_release_is_that_of_its_verdicts_and_of_the_names_in_them() -> None:
    assert kept(SLOWER).digests == kept(SLOWER).digests
    assert kept(SLOWER).digests != kept(replace(SLOWER, p=0.01)).digests
    renamed = KeptVerdicts(KeptResults().new_file())
    renamed.add("18", packed([SLOWER], ["PostgreSQL 19"]))
    assert kept(SLOWER).digests != renamed.digests
    assert kept().digests == {}


def test_there_is_no_verdict_that_was_not_given() -> None:
    found = kept(SLOWER)
    assert (cell_of("17"), "17") not in found
    with pytest.raises(KeyError):
        _ = found[SLOWER.cell, "15"]


def test_verdicts_take_little_memory_whatever_was_asked_for() -> None:
    releases, steps = map(str, range(8 * MOST_IN_MEMORY // 64)), [f"step {at}" for at in range(64)]
    cells = [CellKey(release, "socket2", step) for release in releases for step in steps]
    tracemalloc.start()
    found = KeptVerdicts(KeptResults().new_file())
    for release, of_release in grouped(cells, lambda cell: cell.release).items():
        own = (replace(each, cell=cell) for cell in of_release for each in (SLOWER, MISSING))
        found.add(release, packed(own, []))
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
        KeptVerdicts(FullDisk()).add("18", packed([SLOWER], []))
