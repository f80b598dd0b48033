"""Percentile curves as charts and tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from perfpress.base.node.messages.charts import Curve, PercentilesRequest
from perfpress.site.figures.percentile_charts import (
    percentiles_chart,
    percentiles_table,
    step_percentiles_chart,
)
from perfpress.site.figures.planned_chart import PlannedChart
from perfpress.site.report_figures import Figures
from step_run_samples import step_run
from study_samples import cell_of, study_of


def figures_of(directory: Path, **percentiles: tuple[float, float]) -> Figures:
    return Figures(
        study_of(
            [
                step_run(
                    directory / release,
                    changes={"release": release},
                    step={
                        "metrics": {
                            "latency_p50": {"value": half, "unit": "ms", "better": "lower"},
                            "latency_p99": {"value": most, "unit": "ms", "better": "lower"},
                        }
                    },
                )
                for release, (half, most) in percentiles.items()
            ]
        )
    )


def series_of(planned: PlannedChart | None) -> Sequence[Curve]:
    assert planned is not None
    return cast(PercentilesRequest, planned.request()).series


def test_a_cell_s_chart_has_its_release_in_front(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, r1=(1.0, 10.0), r2=(2.0, 5.0))
    for release in ("r1", "r2"):
        series = series_of(percentiles_chart(figures, cell_of(release)))
        assert [each.label for each in series if each.current] == [release]
    series = series_of(step_percentiles_chart(figures, "socket2", "select"))
    assert not any(each.current for each in series)
    assert series[0].points == ((0.5, 1.0), (0.99, 10.0))


def test_the_table_has_what_the_curves_reach(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, r1=(1.0, 10.0), r2=(2.0, 5.0))
    table = percentiles_table(figures, "select", figures.curves["socket2", "select"])
    assert [row.label for row in table.rows] == [
        f"{each}\N{NO-BREAK SPACE}%" for each in ("50", "75", "90", "95", "99")
    ]
    assert [cell.text for cell in table.rows[0].cells] == ["1.00", "2.00"]
    assert [cell.text for cell in table.rows[-1].cells] == ["10.0", "5.00"]


def test_no_percentiles_no_chart(tmp_path: Path) -> None:
    figures = Figures(study_of([step_run(tmp_path / "a")]))
    assert percentiles_chart(figures, cell_of("17")) is None
    assert step_percentiles_chart(figures, "socket2", "select") is None
