"""All measured numbers in one data frame: a row per number, with its file and line.

`metrics.csv` and `metrics.json` of the site are this frame, unrounded.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.measured import Measurement
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
    to_columns = [column.append for column in columns.values()]
    for step_run in step_runs:
        for row in _rows(step_run):
            for append, value in zip(to_columns, row, strict=True):
                append(value)
    order = ["report", "release", "variant", "step", "metric", "run", "file", "line"]
    frame = pd.DataFrame(
        {name: pd.Series(columns.pop(name), dtype=dtype) for name, dtype in COLUMNS.items()}
    )
    return frame.sort_values(order, kind="stable", ignore_index=True)


def _rows(step_run: StepRun) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a step of a run, each in the order of the columns."""
    bundle, cell = step_run.bundle, step_run.cell
    report = slug(bundle.run.report)
    for name, number, counts_instead in _all_measurements(step_run):
        reason = why_not(step_run, name)
        if not reason and counts_instead:
            reason = f"stated a second time; that of {counts_instead} counts"
        yield (
            report,
            *cell,
            bundle.run_id,
            name,
            number.value,
            number.unit,
            number.better or "",
            number.file,
            number.line,
            not reason,
            reason,
        )


def _all_measurements(step_run: StepRun) -> Iterator[tuple[str, Measurement, str]]:
    """Yield each metric's measurement that counts, then repetitions of it in other logs.

    With each comes the file of the measurement that counts instead, empty where it counts itself.
    """
    for name, used in step_run.measured.items():
        yield name, used, ""
    for name, stated in step_run.outline.restated:
        yield name, stated, step_run.measured[name].file
