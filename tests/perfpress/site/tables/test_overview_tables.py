"""Tables over all steps and releases: layout, like with like, ratios, means and what is absent."""

from pathlib import Path
from typing import Any

import pytest
from bundle_samples import pgbench_log
from hypothesis import given
from hypothesis import strategies as st
from perfpress.analysis.study.stand_in_variants import LikeVariants
from perfpress.analysis.study.study import StepRun
from perfpress.input.bundles.variant import Variant
from perfpress.input.corrections.corrected import Exclusion
from perfpress.input.report.front_matter import StepGroup
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import Cell, Row, Table
from perfpress.site.tables.efficiency import efficiency_tables
from perfpress.site.tables.overview import with_means
from perfpress.site.tables.results import cost_columns
from perfpress.site.tables.throughput import base_values, relative_tables, throughput_table
from step_run_samples import VMSTAT, step_run
from study_samples import study_of

STEPS = ("select", "update", "scan")
Rates = dict[str, dict[str, float]]
"""By release and step."""


def runs_of(directory: Path, rates: Rates, **changes: Any) -> list[StepRun]:
    return [
        step_run(
            directory / f"{release}-{step}-{len(changes)}",
            rate,
            step={"name": step},
            changes={"release": release, **changes},
        )
        for release, own in rates.items()
        for step, rate in own.items()
    ]


def figures_of(runs: list[StepRun], **report: Any) -> Figures:
    variants = {each.cell.variant: each.bundle.variant.label for each in runs}
    facts = {"steps": STEPS, "variants": variants, "default_variant": next(iter(variants))}
    return Figures(study_of(runs, report=facts | report))


def texts(table: Table) -> dict[str, list[str]]:
    return {row.label: [cell.text for cell in row.cells] for row in table.rows}


def test_a_row_is_a_step_and_a_column_a_release_joined_by_name(tmp_path: Path) -> None:
    rates = {"a": {"select": 100.0, "scan": 10.0}, "b": {"scan": 5.0, "update": 7.0, "select": 50}}
    figures = figures_of(runs_of(tmp_path, rates))
    assert texts(throughput_table(figures, "socket2")) == {
        "select": ["100.0", "50.0"],
        "update": ["–", "7.000"],
        "scan": ["10.00", "5.00"],
    }
    to_base, to_previous = relative_tables(figures, "socket2")
    assert texts(to_base) == {
        "select": ["base", "0.50"],
        "update": ["–", "–"],
        "scan": ["base", "0.50"],
    }
    assert to_previous.rows[0].cells[0].note == "the first release of its branch on this variant"


def test_rows_are_under_the_headings_of_the_report_s_groups(tmp_path: Path) -> None:
    groups = (
        StepGroup(title="Reads", steps=("select", "scan")),
        StepGroup(title="Writes", steps=("update",)),
    )
    rates = {"a": dict.fromkeys([*STEPS, "vacuum"], 10.0)}
    figures = figures_of(
        runs_of(tmp_path, rates), step_groups=groups, steps=("select", "scan", "update", "vacuum")
    )
    rows = throughput_table(figures, "socket2").rows
    assert [row.group for row in rows] == ["Reads", "Reads", "Writes", "Other steps"]


def test_a_cell_leads_to_the_runs_and_a_ratio_to_its_verdict(tmp_path: Path) -> None:
    figures = figures_of(
        runs_of(tmp_path, {release: {"select": at + 1.0} for at, release in enumerate("abc")})
    )
    rates = throughput_table(figures, "socket2").rows[0].cells
    assert rates[1].url == "/reports/servers/b/select/#runs"
    to_base, to_previous = relative_tables(figures, "socket2")
    assert to_base.rows[0].cells[1].url == "/reports/servers/b/select/#results.b"
    assert to_previous.rows[0].cells[2].url == "/reports/servers/c/select/#results.c"


def test_what_became_of_a_run_looks_different_and_is_never_a_number(tmp_path: Path) -> None:
    def run(release: str, log: str, **arguments: Any) -> StepRun:
        return step_run(
            tmp_path / release, changes={"release": release}, files={"select.txt": log}, **arguments
        )

    runs = [
        run("good", pgbench_log(10.0)),
        run("idle", pgbench_log(0.0)),
        run("died", "pgbench (15)\nlatency average = 3.0 ms\n"),
        run("invalid", pgbench_log(9.0), exclusion=Exclusion("invalid", "disk was full", None)),
    ]
    figures = figures_of(runs, steps=("select",))
    cells = dict(
        zip(
            [column.key for column in throughput_table(figures, "socket2").columns],
            throughput_table(figures, "socket2").rows[0].cells,
            strict=True,
        )
    )
    assert (cells["idle"].text, cells["idle"].mark) == ("failed", "×")
    assert cells["died"].text == "failed"
    assert (cells["invalid"].text, cells["invalid"].note) == ("excluded", "invalid: disk was full")
    ratios = relative_tables(figures, "socket2")[0].rows[0].cells
    assert [cell.sort for cell in ratios] == [1.0, None, None, None]
    assert [cell.sort for cell in (cells["idle"], cells["died"], cells["invalid"])] == [None] * 3


def two_configurations(tmp_path: Path) -> Figures:
    """Return a base measured with z12a and z12b, an older release with z12a, a newer with z12b."""
    return figures_of(
        [
            *runs_of(tmp_path / "1", {"new": {"select": 30.0}}, config="z12b"),
            *runs_of(tmp_path / "2", {"base": {"select": 20.0}}, config="z12b"),
            *runs_of(tmp_path / "3", {"base": {"select": 10.0}}, config="z12a"),
            *runs_of(tmp_path / "4", {"old": {"select": 5.0}}, config="z12a"),
        ],
        base="base",
    )


def test_a_release_of_another_configuration_is_compared_with_its_like(tmp_path: Path) -> None:
    figures = two_configurations(tmp_path)
    table = relative_tables(figures, "socket2--z12b")[0]
    columns = [(column.key, column.unit) for column in table.columns]
    assert columns == [("new", ""), ("base", ""), ("old", "z12a")]
    assert texts(table) == {"select": ["1.50", "base", "0.50"]}


def test_where_there_is_no_like_the_nearest_is_taken_and_named(tmp_path: Path) -> None:
    figures = figures_of(
        [
            *runs_of(tmp_path / "1", {"base": {"select": 20.0}}, config="z12a"),
            *runs_of(tmp_path / "2", {"new": {"select": 30.0}}, config="z12b"),
        ],
        base="base",
    )
    table = relative_tables(figures, "socket2--z12b")[0]
    assert [column.unit for column in table.columns] == ["z12a", "z12a → z12b"]
    ratio = table.rows[0].cells[1]
    assert (ratio.text, ratio.mark, ratio.tone) == ("1.50", "", "")


@pytest.mark.parametrize(
    ("other", "near"),
    [
        (Variant("db1", "z12b", 40), True),
        (Variant("db1", "z12b", 1), False),
        (Variant("db2", "z12a", 40), False),
        (Variant("db1", "z12b", 40, (("size", "20m"),)), False),
    ],
)
def test_only_another_configuration_may_stand_in(other: Variant, near: bool) -> None:
    like = LikeVariants(
        {"own": Variant("db1", "z12a", 40), "other": other}, frozenset({("18", "other")})
    )
    assert like.of_release("18", "own") == ("other" if near else None)


def test_the_values_behind_a_table_are_unrounded_and_of_all_near_variants(tmp_path: Path) -> None:
    values = base_values(two_configurations(tmp_path), "socket2--z12b")
    assert values.variants == ("z12b", "z12a")
    assert values.near == ((0, 1), (1, 0))
    assert values.columns == (0, 0, 1)
    assert values.rows == ("select",)
    assert values.values == (((30.0,), (20.0,), (None,)), ((None,), (10.0,), (5.0,)))


RATIOS = st.lists(st.floats(0.01, 100), min_size=2, max_size=2)


def row(key: str, ratios: list[float | None], group: str = "") -> Row:
    cells = tuple(Cell(text="" if each is None else str(each), sort=each) for each in ratios)
    return Row(key=key, label=key, cells=cells, group=group)


@given(st.lists(RATIOS, min_size=2, max_size=8))
def test_means_are_over_the_steps_that_all_releases_have(ratios: list[list[float]]) -> None:
    rows = tuple(row(str(at), [*each]) for at, each in enumerate(ratios))
    (mean,), note = with_means((*rows, row("gap", [None, 9000.0])))
    assert f"{len(rows)} of {len(rows) + 1} steps" in note
    for at, cell in enumerate(mean.cells):
        product = 1.0
        for each in ratios:
            product *= each[at] ** (1 / len(ratios))
        assert cell.sort == pytest.approx(product)


def test_each_group_has_its_own_mean() -> None:
    rows = (
        row("a", [1.0, 4.0], "Reads"),
        row("b", [1.0, 1.0], "Reads"),
        row("c", [1, 9], "W"),
        row("d", [1, 1], "W"),
    )
    means, _ = with_means((*rows, row("e", [2, 2], "Other steps")))
    assert [(mean.group, mean.unit) for mean in means] == [
        *(("Reads", "2 steps"), ("W", "2 steps"), ("", "5 steps"))
    ]
    assert means[0].cells[1].sort == pytest.approx(2.0)


def test_no_mean_is_shown_where_no_two_steps_are_in_all() -> None:
    means, note = with_means((row("a", [1.0, None]), row("b", [1.0, 2.0])))
    assert (means, note) == ((), "No geometric mean: fewer than two steps are in all.")


def run_with_host(directory: Path, release: str, rate: float, *, step: str = "select") -> StepRun:
    return step_run(
        directory / f"{release}-{step}",
        rate,
        step={"name": step, "logs": ["select.txt", "vmstat.txt"]},
        changes={"release": release, "machine": {"cpus": 4}},
        files={"vmstat.txt": VMSTAT},
    )


def test_cpu_time_is_in_the_unit_that_reads_well(tmp_path: Path) -> None:
    quick = [run_with_host(tmp_path, "a", 100.0), run_with_host(tmp_path, "b", 200.0)]
    slow = [run_with_host(tmp_path, "a", 0.5, step="scan")]

    def shown(runs: list[StepRun]) -> tuple[str, list[tuple[str, list[str]]]]:
        figures = figures_of(runs, steps=("select", "scan"))
        table = efficiency_tables(figures, "socket2")[0]
        rows = [(row.unit, [cell.text for cell in row.cells]) for row in table.rows]
        return table.caption, rows

    assert shown(quick) == ("CPU per operation, ms/operation", [("", ["20.00", "10.00"])])
    assert shown([*quick, *slow]) == (
        "CPU per operation",
        [("ms/operation", ["20.00", "10.00"]), ("s/operation", ["4.000", "–"])],
    )


def test_cpu_time_of_the_host_on_a_step_is_in_seconds_where_it_takes_seconds(
    tmp_path: Path,
) -> None:
    runs = [run_with_host(tmp_path, "a", 0.5), run_with_host(tmp_path, "b", 0.4)]
    figures = figures_of(runs, steps=("select",))
    column = cost_columns(figures, [each.cell for each in runs])[0]
    assert (column.unit, [column.cell(each.cell).text for each in runs]) == (
        "s/transaction",
        ["4.000", "5.000"],
    )


def test_colour_of_cpu_time_is_by_what_is_better(tmp_path: Path) -> None:
    def run(release: str, rate: float) -> StepRun:
        return run_with_host(tmp_path, release, rate)

    figures = figures_of([run("a", 100.0), run("b", 200.0), run("c", 98.0)], steps=("select",))
    tables = {table.id: table for table in efficiency_tables(figures, "socket2")}
    ratios = tables["cpu_per_operation-against-base-socket2"].rows[0].cells
    assert [(cell.text, cell.tone) for cell in ratios] == [
        *(("base", ""), ("0.500", "better"), ("1.020", ""))
    ]
    absolute = tables["cpu_per_operation-socket2"].rows[0].cells[0]
    assert absolute.sort == pytest.approx(20_000)
    assert "vmstat.txt" in absolute.note
