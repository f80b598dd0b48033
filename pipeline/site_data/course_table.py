"""How throughput went on inside the runs, over the releases: in words, and with the numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from pipeline.analysis.counted import why_not
from pipeline.analysis.course import STEADY, Course, course_of
from pipeline.display import NO_VALUE, PERCENT, fixed, number, plural
from pipeline.site_data.addresses import step_address
from pipeline.site_data.figures import Figures
from pipeline.site_data.shapes import Cell, Column, Notice, Row, Table
from pipeline.slug import slug
from pipeline.study.profiles import CellKey
from pipeline.study.study import Study

FEWEST_TOGETHER = 3
"""Runs whose median tells what none of them tells alone."""


@dataclass(frozen=True)
class RunCourse:
    """The course of one run."""

    run: str
    course: Course

    @property
    def stalled(self) -> float:
        """Seconds in which next to nothing was done."""
        return sum(each.end - each.start for each in self.course.stalls)


def courses_of(study: Study, cell: CellKey) -> tuple[RunCourse, ...]:
    """Return the courses of a cell's runs that count and whose logs tell one, the worst first."""
    found = [
        RunCourse(step_run.bundle.run_id, course)
        for step_run in study.of_cell(cell)
        if not why_not(step_run, "throughput")
        for reading in step_run.readings
        for series in reading.series
        if series.name == "throughput" and (course := course_of(series)) is not None
    ]
    return tuple(sorted(found, key=lambda each: (_decay(each.course), -each.stalled)))


def courses_table(study: Study, cells: Sequence[CellKey], current: str | None) -> Table | None:
    """Return the courses of a step, a row a release; None where no log tells any."""
    rows = []
    for cell in cells:
        courses = courses_of(study, cell)
        if courses:
            rows.append(_row(study, cell.release, courses, current))
    if not rows:
        return None
    return Table(
        id="courses",
        caption=f"How the throughput of {cells[0].step} went on inside its runs",
        row_head="Release",
        columns=(
            Column(key="course", label="Course", numeric=False, meaning="of the worst run"),
            Column(
                key="decay",
                label="Last tenth ÷ first",
                unit="ratio",
                meaning="after the warm-up; the median of the runs",
            ),
            Column(key="worst", label="Worst run", unit="ratio"),
            Column(
                key="warm-up",
                label="Warm-up",
                unit="s",
                meaning="set apart: the intervals before the usual rate is reached; the longest",
            ),
            Column(
                key="stalls",
                label="Stalls",
                unit="s",
                meaning="below a tenth of what is usual around them; of the run with most",
            ),
            Column(key="shift", label="Shift", numeric=False, meaning="a jump to another level"),
            Column(key="run", label="Worst is run", numeric=False),
        ),
        rows=tuple(rows),
        notes=(
            "Values inside one run depend on each other: these describe each run, and are no test.",
        ),
    )


def course_notices(figures: Figures, release: str) -> tuple[Notice, ...]:
    """Return a warning for each step of a release that falls or stalls."""
    study = figures.study
    cells = sorted({each.cell for each in study.step_runs if each.cell.release == release})
    found = []
    for cell in cells:
        courses = courses_of(study, cell)
        stalled = max(courses, key=lambda each: each.stalled, default=None)
        said = [*_falls(courses)]
        if stalled and stalled.course.stalls:
            said.append(f"{_stalls(stalled)} (run {stalled.run})")
        if said:
            of = study.report.variants[cell.variant]
            page = step_address(study.report, cell.release, cell.step, cell.variant)
            text = f"Throughput of {cell.step} on {of}: {'; '.join(said)}."
            found.append(Notice(kind="warning", text=text, url=f"{page}#courses"))
    return tuple(found)


def _falls(courses: tuple[RunCourse, ...]) -> Iterator[str]:
    """Say how a cell's runs fall, if they do.

    A run says it alone where its tenths hold levels; short runs only together, where all end below
    their start, by the median.
    """
    among = f"one of {len(courses)}" if len(courses) > 1 else "the only run"
    decays = [_decay(each.course) for each in courses]
    alone = next((each for each in courses if each.course.has_levels), None)
    if alone and _decay(alone.course) < 1 - STEADY:
        yield f"{_shown(alone.course.words)} (run {alone.run}, {among})"
    elif len(decays) >= FEWEST_TOGETHER and max(decays) < 1 and median(decays) < 1 - STEADY:
        end = f"{100 * median(decays):.0f}{PERCENT}"
        yield f"falls to {end} of its start (the median of {len(courses)} runs)"


def _row(study: Study, release: str, courses: tuple[RunCourse, ...], current: str | None) -> Row:
    worst = courses[0]
    decays = [each.course.decay for each in courses if each.course.decay is not None]
    stalled = max(courses, key=lambda each: each.stalled)
    warm_up = max(each.course.warm_up for each in courses)
    shifts = [(each.run, shift) for each in courses for shift in each.course.shifts]
    return Row(
        key=slug(release),
        label=study.label(release),
        current=release == current,
        cells=(
            Cell(
                text=_shown(worst.course.words),
                sort=_decay(worst.course),
                note="" if worst.course.holds or worst.course.has_levels else _few(worst.course),
            ),
            _ratio(median(decays) if decays else None),
            _ratio(worst.course.decay),
            Cell(text=number(warm_up, 2), sort=warm_up),
            Cell(
                text=number(stalled.stalled, 2),
                sort=stalled.stalled,
                note=f"{_stalls(stalled)} (run {stalled.run})" if stalled.stalled else "",
            ),
            Cell(
                text="; ".join(
                    f"{number(each.before)} → {number(each.after)} at {number(each.at, 2)} s"
                    for _, each in shifts[:1]
                )
                or NO_VALUE,
                note="; ".join(f"run {run} at {number(each.at, 2)} s" for run, each in shifts),
            ),
            Cell(text=worst.run, note=plural(len(courses), "run")),
        ),
    )


def _ratio(value: float | None) -> Cell:
    if value is None:
        return Cell(text=NO_VALUE, note="did nothing at its start")
    return Cell(text=fixed(value, 3), sort=value)


def _few(course: Course) -> str:
    return f"a tenth of this run is {plural(course.in_tenth, 'interval')}: it can be noise"


def _decay(course: Course) -> float:
    return 0.0 if course.decay is None else course.decay


def _stalls(each: RunCourse) -> str:
    count = plural(len(each.course.stalls), "stall")
    return f"{count}, {number(each.stalled, 2)} s of {number(each.course.seconds, 3)} s in all"


def _shown(words: str) -> str:
    return words.replace(" %", PERCENT)
