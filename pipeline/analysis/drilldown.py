"""Drilldowns: the shares and costs of named paths, one row a release, in two views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.analysis.cost import Unknown, Work, cost_per_operation
from pipeline.front_matter import DrilldownDefinition
from pipeline.paths.absence import NO_PROFILE, why_absent
from pipeline.paths.aliases import with_aliases
from pipeline.paths.evaluate import MatchedName, evaluate
from pipeline.paths.parse import Path, over_whole_profile, parse_path
from pipeline.paths.tokens import PathError
from pipeline.problems import Problem
from pipeline.profile import Profile
from pipeline.report import Report

View = Literal["along_path", "whole_profile"]


@dataclass(frozen=True)
class PathColumn:
    """One path of a drilldown."""

    head: str
    text: str
    """The path as its author wrote it."""
    path: Path


@dataclass(frozen=True)
class PathWeight:
    """What one path weighs in one release."""

    share: float | None
    """From 0 to 1, of the whole profile or of what stands behind `of`."""
    weight: int
    """Exact, in the profile's unit."""
    samples: int | None
    cost: float | None
    """Weight per operation; None where the work is unknown, or the path absent."""
    names: tuple[MatchedName, ...] = ()
    mixed_classes: tuple[str, ...] = ()
    absent: str = ""
    """Why there is no share; empty where there is one."""


@dataclass(frozen=True)
class ReleaseRow:
    """One release in one view."""

    release: str
    cells: tuple[PathWeight, ...]
    """One a column."""


@dataclass(frozen=True)
class DrilldownFigures:
    """A table in both views, which can differ more than tenfold."""

    columns: tuple[PathColumn, ...]
    left_out: tuple[PathColumn, ...]
    """Those whose share along the path stays below the threshold in all releases."""
    along_path: tuple[ReleaseRow, ...]
    """Each path as it is written."""
    whole_profile: tuple[ReleaseRow, ...]
    """The last function of each path, wherever in the profile it stands."""


def columns_of(
    definition: DrilldownDefinition, number: int, report: Report
) -> tuple[list[PathColumn], list[Problem]]:
    """Return the columns that an author defined, aliases applied, and what is wrong with others.

    Args:
        definition: one of the report's drilldowns.
        number: which one, counted from 0.
        report: whose aliases count, and whose text the problems point into.
    """
    columns: list[PathColumn] = []
    problems: list[Problem] = []
    for index, column in enumerate(definition.columns):
        try:
            path = with_aliases(parse_path(column.path), report.aliases)
        except PathError as error:
            document = report.document
            problems.append(
                Problem(
                    path=document.shown_as if document else f"reports/{report.id}",
                    line=(
                        document.line("drilldowns", number, "columns", index, "path")
                        if document
                        else 0
                    ),
                    found=f"character {error.position} of the path: {error.found}",
                    expected=error.expected,
                    do="correct the path; the other columns are shown",
                )
            )
        else:
            columns.append(PathColumn(column.head, column.path, path))
    return columns, problems


def drilldown(
    columns: Sequence[PathColumn],
    profiles: Mapping[str, Profile | None],
    work: Mapping[str, Work | Unknown],
    threshold: float = 0.0,
) -> DrilldownFigures:
    """Weigh every path in every release.

    Args:
        columns: the paths.
        profiles: by release, in the order of the rows; None where a release has no profile.
        work: by release: the operations that its profile stands for.
        threshold: columns whose share along the path stays below this many percent in all releases
            are left out.
    """
    tables: dict[View, list[list[PathWeight]]] = {"along_path": [], "whole_profile": []}
    kept: list[PathColumn] = []
    left_out: list[PathColumn] = []
    for column in columns:
        along = _cells(column.path, profiles, work)
        if threshold and all(100 * (cell.share or 0.0) < threshold for cell in along):
            left_out.append(column)
            continue
        kept.append(column)
        tables["along_path"].append(along)
        tables["whole_profile"].append(_cells(over_whole_profile(column.path), profiles, work))
    return DrilldownFigures(
        columns=tuple(kept),
        left_out=tuple(left_out),
        along_path=_rows(profiles, tables["along_path"]),
        whole_profile=_rows(profiles, tables["whole_profile"]),
    )


def _cells(
    path: Path, profiles: Mapping[str, Profile | None], work: Mapping[str, Work | Unknown]
) -> list[PathWeight]:
    """Return one cell a release."""
    there = [profile for profile in profiles.values() if profile is not None]
    cells: list[PathWeight] = []
    for release, profile in profiles.items():
        if profile is None:
            cells.append(PathWeight(None, 0, None, None, absent=NO_PROFILE))
        else:
            others = [other for other in there if other is not profile]
            cells.append(_cell(path, profile, others, work.get(release)))
    return cells


def _cell(
    path: Path, profile: Profile, others: Sequence[Profile], work: Work | Unknown | None
) -> PathWeight:
    found = evaluate(profile, path)
    absent = why_absent(profile, found.missing, others) if found.missing else ""
    if not absent and found.share is None:
        absent = "what the share is of weighs nothing"
    return PathWeight(
        share=found.share,
        weight=found.weight,
        samples=found.samples,
        cost=None if absent or work is None else cost_per_operation(found.weight, work),
        names=found.names,
        mixed_classes=found.mixed_classes,
        absent=absent,
    )


def _rows(
    profiles: Mapping[str, Profile | None], columns: Sequence[Sequence[PathWeight]]
) -> tuple[ReleaseRow, ...]:
    return tuple(
        ReleaseRow(release, tuple(column[at] for column in columns))
        for at, release in enumerate(profiles)
    )
