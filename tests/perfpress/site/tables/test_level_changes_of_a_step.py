"""The level changes of a step, and releases that alone differ."""

from pathlib import Path

from perfpress.analysis.verdicts.level_changes import Fluke, LevelChange, SeriesLevels
from perfpress.site.report_figures import Figures
from perfpress.site.tables.level_changes import step_changes_table
from study_samples import repeats, study_of


def test_a_release_that_begins_a_level_and_differs_from_it_has_two_rows_with_keys_of_their_own(
    tmp_path: Path,
) -> None:
    names = ("a", "b", "c", "d")
    figures = Figures(
        study_of([run for each in names for run in repeats(tmp_path, each, [1000.0])])
    )
    change = LevelChange("b", "a", 1000.0, 900.0, 1, 3, 0.001)
    flukes = (Fluke("b", 850.0, 900.0, 0.001), Fluke("c", 950.0, 900.0, 0.001))
    levels = SeriesLevels("throughput", "higher", names, (change,), flukes, (names,), 0.01)
    figures.__dict__["levels"] = {"throughput": {("socket2", "select"): levels}}
    table = step_changes_table(figures, "socket2", "select")
    assert table is not None
    assert [row.key for row in table.rows] == ["throughput-b", "throughput-b-alone", "throughput-c"]
