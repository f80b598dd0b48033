"""All measured numbers in one data frame: a row per number, with its file and line.

`metrics.csv` and `metrics.json` of the site are this frame, unrounded.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.measured import Measurement
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.base.slugs import slug

COLUMNS = {
    "report": "category",
    "release": "category",
    "variant": "category",
    "step": "category",
    "run": "category",
    "metric": "category",
    "value": "float64",
    "unit": "category",
    "better": "category",
    "file": "category",
    "line": "int64",
    "in_figures": "bool",
    "why_not": "category",
}
"""The columns with their dtypes: texts are few, and rows are many. `better` is "higher", "lower"
or empty; `file` is a name inside of the run's bundle; `line` counts from 1, and 0 means the whole
file. A row that is not `in_figures` says in `why_not` what keeps it out of medians and
comparisons."""


def metrics_frame(step_runs: Sequence[StepRun]) -> pd.DataFrame:
    """Return all metrics of some runs; those of excluded runs come as rows that do not count."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for step_run in step_runs:
        for row in _rows(step_run):
            for name, value in row.items():
                columns[name].append(value)
    order = ["report", "release", "variant", "step", "metric", "run", "file", "line"]
    frame = pd.DataFrame(
        {name: pd.Series(columns.pop(name), dtype=dtype) for name, dtype in COLUMNS.items()}
    )
    return frame.sort_values(order, kind="stable", ignore_index=True)


def cell_values(frame: pd.DataFrame, metric: str) -> dict[CellKey, dict[str, float]]:
    """Return the values of a metric that count, by cell and run id; runs in their order.

    Args:
        frame: of one report.
        metric: its name.
    """
    chosen = frame[(frame["metric"] == metric) & frame["in_figures"]]
    cells: dict[CellKey, dict[str, float]] = {}
    columns = ("release", "variant", "step", "run", "value")
    for release, variant, step, run, value in zip(*(chosen[name] for name in columns), strict=True):
        cells.setdefault(CellKey(release, variant, step), {})[run] = value
    return cells


def _rows(step_run: StepRun) -> Iterator[dict[str, Any]]:
    bundle, cell = step_run.bundle, step_run.cell
    for name, number, counts_instead in _all_measurements(step_run):
        reason = why_not(step_run, name)
        if not reason and counts_instead:
            reason = f"stated a second time; that of {counts_instead} counts"
        yield {
            "report": slug(bundle.run.report),
            "release": cell.release,
            "variant": cell.variant,
            "step": cell.step,
            "run": bundle.run_id,
            "metric": name,
            "value": number.value,
            "unit": number.unit,
            "better": number.better or "",
            "file": number.file,
            "line": number.line,
            "in_figures": not reason,
            "why_not": reason,
        }


def _all_measurements(step_run: StepRun) -> Iterator[tuple[str, Measurement, str]]:
    """Yield each metric's measurement that counts, then repetitions of it in other logs.

    With each comes the file of the measurement that counts instead, empty where it counts itself.
    """
    for name, used in step_run.measured.items():
        yield name, used, ""
    for name, stated in step_run.outline.restated:
        yield name, stated, step_run.measured[name].file
