"""The table of functions on the page of all releases, each with the release that changed it."""

from pathlib import Path

from perfpress.analysis.profiles.function_matrix import function_matrix
from perfpress.site.nearby_releases import cells_of_step
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.function_changes import MOST_ROWS, function_changes_table
from study_samples import captured, profile_on_disk, study_of

MINUS = "\N{MINUS SIGN}"


def table_of(directory: Path, *grown: float) -> Table | None:
    """Return the table of a program of fifty functions, of which one grows."""
    runs, profiles = [], []
    for at, factor in enumerate(grown):
        stacks: dict[tuple[str, ...], int] = {
            ("db", "main", f"f{each:02}"): 1000 + 20 * each + (7 * each + 13 * at) % 23
            for each in range(50)
        }
        grows: dict[tuple[str, ...], int] = {("db", "main", "grows"): round(2000 * factor) + at}
        runs.append(captured(directory, f"r{at}"))
        profiles.append(profile_on_disk(directory / "profiles", f"r{at}", stacks | grows))
    figures = Figures(study_of(runs, profiles))
    cells = cells_of_step(figures.study, "socket2", "select")
    read = [figures.main_profile(cell) for cell in cells]
    return function_changes_table(figures, cells, function_matrix([each for each in read if each]))


def test_a_function_has_the_release_that_changed_it_and_both_levels(tmp_path: Path) -> None:
    table = table_of(tmp_path, 1, 1, 1, 2, 2)
    assert table is not None
    (row,) = (row for row in table.rows if row.label == "grows")
    since, change, before, after, evidence = row.cells
    assert (since.text, since.url) == ("r3", "/reports/servers/r3/select/")
    assert change.text.startswith("+")
    assert (after.sort or 0) > 1.8 * (before.sort or 1)
    assert evidence.text.startswith("levels of 3 and 2 releases, p ")
    assert len(table.rows) <= MOST_ROWS


def test_a_saving_is_listed_like_a_growth(tmp_path: Path) -> None:
    table = table_of(tmp_path, 1, 0.3, 0.3, 0.3, 0.3)
    assert table is not None
    (row,) = (row for row in table.rows if row.label == "grows")
    assert (row.cells[0].text, row.cells[1].text[0]) == ("r1", MINUS)


def test_without_a_change_or_with_few_releases_there_is_no_table(tmp_path: Path) -> None:
    assert table_of(tmp_path / "same", 1, 1, 1, 1, 1) is None
    assert table_of(tmp_path / "few", 1, 2, 2) is None
