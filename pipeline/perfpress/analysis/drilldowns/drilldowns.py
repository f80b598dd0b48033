"""Drilldowns: the shares and costs of named paths, one row a release, in two views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from perfpress.analysis.drilldowns.columns import PathColumn
from perfpress.analysis.paths.absence import NO_PROFILE, why_absent
from perfpress.analysis.paths.ambiguity import warnings_of
from perfpress.analysis.paths.evaluate import Evaluation, MatchedName, evaluate, evaluate_rest
from perfpress.analysis.paths.frame_path import frame_path
from perfpress.analysis.paths.parse import Path, over_whole_profile
from perfpress.analysis.profiles.cost import Unknown, Work, cost_per_operation
from perfpress.analysis.profiles.profile import Profile

View = Literal["along_path", "whole_profile"]

VIEWS: dict[View, str] = {
    "along_path": "along the call path",
    "whole_profile": "over the whole profile",
}
"""The views in words, shown at every number."""


@dataclass(frozen=True)
class PathWeight:
    """What one path weighs in one release."""

    share: float | None
    """From 0 to 1, of the whole profile or of the path after `of`."""
    weight: int
    """Exact, in the profile's unit."""
    samples: int | None
    cost: float | None
    """Weight per operation; None where the work is unknown, or the path absent."""
    names: tuple[MatchedName, ...] = ()
    warnings: tuple[str, ...] = ()
    """Reasons to look twice at what matched."""
    absent: str = ""
    """Why there is no share; empty where there is one."""
    frame: str = ""
    """The shortest path that finds the heaviest of the frames in a graph."""


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
    """The last function of each path, anywhere in the profile."""


def drilldown(
    columns: Sequence[PathColumn],
    profiles: Mapping[str, Profile | None],
    work: Mapping[str, Work | Unknown],
    threshold: float = 0.0,
) -> DrilldownFigures:
    """Weigh every path in every release.

    Args:
        columns: the paths; what is left of one counts besides the others that are kept.
        profiles: by release, in the order of the rows; None where a release has no profile.
        work: by release: the operations done while it was captured.
        threshold: columns whose share along the path stays below this many percent in all releases
            are left out.
    """
    shares = {
        at: _cells(_Weighed(column.path), profiles, work)
        for at, column in enumerate(columns)
        if not column.rest
    }
    small = {at for at, cells in shares.items() if threshold and _stay_below(cells, threshold)}
    kept = [column for at, column in enumerate(columns) if at not in small]
    parts = tuple(column.path for column in kept if not column.rest)
    whole_parts = tuple(map(over_whole_profile, parts))
    along, whole = [], []
    for at, column in enumerate(columns):
        if at in small:
            continue
        anywhere = over_whole_profile(column.path)
        if column.rest:
            along.append(_cells(_Weighed(column.path, parts), profiles, work))
            whole.append(_cells(_Weighed(anywhere, whole_parts), profiles, work))
        else:
            along.append(shares[at])
            whole.append(_cells(_Weighed(anywhere), profiles, work))
    return DrilldownFigures(
        columns=tuple(kept),
        left_out=tuple(columns[at] for at in sorted(small)),
        along_path=_rows(profiles, along),
        whole_profile=_rows(profiles, whole),
    )


@dataclass(frozen=True)
class _Weighed:
    """What a column shows: a path, or what it has besides some parts."""

    path: Path
    without: tuple[Path, ...] | None = None

    def in_profile(self, profile: Profile) -> Evaluation:
        if self.without is None:
            return evaluate(profile, self.path)
        return evaluate_rest(profile, self.path, self.without)


def _stay_below(cells: Sequence[PathWeight], threshold: float) -> bool:
    return all(100 * (cell.share or 0.0) < threshold for cell in cells)


def _cells(
    weighed: _Weighed, profiles: Mapping[str, Profile | None], work: Mapping[str, Work | Unknown]
) -> list[PathWeight]:
    """Return one cell a release."""
    there = [profile for profile in profiles.values() if profile is not None]
    cells: list[PathWeight] = []
    for release, profile in profiles.items():
        if profile is None:
            cells.append(PathWeight(None, 0, None, None, absent=NO_PROFILE))
        else:
            others = [other for other in there if other is not profile]
            cells.append(_cell(weighed, profile, others, work.get(release)))
    return cells


def _cell(
    weighed: _Weighed, profile: Profile, others: Sequence[Profile], work: Work | Unknown | None
) -> PathWeight:
    found = weighed.in_profile(profile)
    absent = why_absent(profile, found.missing, others) if found.missing else ""
    if not absent and found.share is None:
        absent = "what the share is of weighs nothing"
    return PathWeight(
        share=found.share,
        weight=found.weight,
        samples=found.samples,
        cost=None if absent or work is None else cost_per_operation(found.weight, work),
        names=found.names,
        warnings=()
        if absent or weighed.without is not None
        else tuple(warnings_of(weighed.path, found)),
        absent=absent,
        frame="" if found.widest is None or absent else frame_path(profile, found.widest),
    )


def _rows(
    profiles: Mapping[str, Profile | None], columns: Sequence[Sequence[PathWeight]]
) -> tuple[ReleaseRow, ...]:
    return tuple(
        ReleaseRow(release, tuple(column[at] for column in columns))
        for at, release in enumerate(profiles)
    )
