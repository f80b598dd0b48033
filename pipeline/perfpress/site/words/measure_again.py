"""Describes which releases to measure again, each with the command that does it."""

from collections.abc import Sequence
from shlex import quote

from perfpress.analysis.study.study import StepRun
from perfpress.analysis.verdicts.undecided import Undecided
from perfpress.base.display import percent_change, short_name
from perfpress.site.cell_pages import cell_url
from perfpress.site.report_figures import Figures
from perfpress.site.shapes.blocks import MeasureAgain

MOST = 5
"""Releases that a page suggests at most."""


def measure_again(figures: Figures, variant: str) -> tuple[MeasureAgain, ...]:
    """Return the releases of a variant to measure again, those that decide most first."""
    groups = [group for group in figures.undecided if group[0].cell.variant == variant]
    return tuple(_of_release(figures, group) for group in groups[:MOST])


def _of_release(figures: Figures, group: Sequence[Undecided]) -> MeasureAgain:
    study = figures.study
    first, others = group[0], group[1:]
    cell = first.cell
    if first.against:
        against = f"against {study.label(first.against)}, one run"
    elif first.is_newest:
        against = "against the releases before it, and nothing newer to confirm it"
    else:
        against = "against the releases around it"
    more = f"; and {len(others)} more {'step' if len(others) == 1 else 'steps'}" if others else ""
    return MeasureAgain(
        label=f"{study.label(cell.release)}, {short_name(cell.step)}",
        url=cell_url(study, cell),
        text=f"{percent_change(first.ratio)} {against}{more}.",
        command=_command(study.of_cell(cell)[-1]),
    )


def _command(measured: StepRun) -> str:
    """Return how a step of a run is measured once more with `perfpress capture`."""
    run, step = measured.bundle.run, measured.step
    options = {
        "report": run.report,
        "release": run.release,
        "host": run.host,
        "config": run.config,
        "clients": str(run.clients) if run.clients else None,
        "benchmark": run.benchmark,
    }
    words = [f"--{name} {quote(value)}" for name, value in options.items() if value]
    words += [f"--axis {quote(f'{name}={value}')}" for name, value in sorted(run.axes.items())]
    words += [f"--step {quote(step.name)}", f"--operation {quote(step.operation)}"]
    if step.work == "fixed":
        words.append("--work fixed")
    words += ["--out again", f"-- {step.command or 'COMMAND'}"]
    return f"perfpress capture {' '.join(words)}"
