"""The columns of a drilldown as its author wrote them, and what is wrong with their paths."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from perfpress.analysis.paths.aliases import with_aliases
from perfpress.analysis.paths.names import names_meant, nearest_names
from perfpress.analysis.paths.parse import Name, Path, names_of, parse_path
from perfpress.analysis.paths.tokens import PathError
from perfpress.analysis.profiles.profile import Profile
from perfpress.base.problems import Problem, pointing_at
from perfpress.base.toml.lines import KeyPath
from perfpress.input.report.front_matter import DrilldownDefinition
from perfpress.input.report.report import Report

MOST_NEAR = 3
"""Similar names that the message about an unknown name suggests."""


@dataclass(frozen=True)
class PathColumn:
    """One path of a drilldown."""

    head: str
    text: str
    """The path as its author wrote it."""
    path: Path
    rest: bool = False
    """The column is what this path has besides the other columns."""


@dataclass(frozen=True)
class WrittenPath:
    """A path in a report's front matter."""

    text: str
    key: KeyPath
    """Where it is in the report file."""


def path_of(
    written: WrittenPath, report: Report, profiles: Sequence[Profile], do: str
) -> tuple[Path | None, list[Problem]]:
    """Return a path with the report's aliases, and what is wrong with it.

    Args:
        written: the path.
        report: whose aliases count, and whose text the problems point into.
        profiles: those that the path is for; a name that none of them has is a problem.
        do: what to do about a path that is none.
    """
    document = report.document
    where = document.shown_as if document else f"reports/{report.id}"
    line = document.line(*written.key) if document else 0
    try:
        parsed = parse_path(written.text)
    except PathError as error:
        found = f"character {error.position} of the path: {error.found}"
        return None, [
            Problem(
                path=where,
                line=line,
                found=found,
                expected=error.expected,
                do=do,
                excerpt=pointing_at(written.text, error.position),
            )
        ]
    path = with_aliases(parsed, report.aliases)
    return path, [
        Problem(
            path=where,
            line=line,
            found=f"character {name.position} of the path: no profile has {name.text!r}",
            expected="a function or thread of the profiles",
            do=f"did you mean {' or '.join(near)}?" if near else "check the name",
            severity="warning",
            excerpt=pointing_at(written.text, name.position),
        )
        for name, near in _unknown_names(path, profiles)
    ]


def columns_of(
    definition: DrilldownDefinition, number: int, report: Report, profiles: Sequence[Profile] = ()
) -> tuple[list[PathColumn], list[Problem]]:
    """Return the columns that an author defined, and what is wrong with them and with others.

    Args:
        definition: one of the report's drilldowns.
        number: which one, counted from 0.
        report: whose aliases count, and whose text the problems point into.
        profiles: those that the drilldown is of.
    """
    written = [
        (each.head, WrittenPath(each.path, ("drilldowns", number, "columns", at, "path")), False)
        for at, each in enumerate(definition.columns)
    ]
    if definition.rest:
        key: KeyPath = ("drilldowns", number, "rest", "path")
        written.append((definition.rest.head, WrittenPath(definition.rest.path, key), True))
    columns: list[PathColumn] = []
    problems: list[Problem] = []
    for head, each, rest in written:
        do = "correct the path; the other columns are shown"
        path, found = path_of(each, report, profiles, do)
        problems += found
        if path is not None:
            columns.append(PathColumn(head, each.text, path, rest))
    return columns, problems


def _unknown_names(
    path: Path, profiles: Sequence[Profile]
) -> Iterator[tuple[Name, tuple[str, ...]]]:
    """Yield the names that no profile has, under any alias, and the nearest ones that they have."""
    if not profiles:
        return
    names = names_of(path)
    for at, name in enumerate(names):
        aliases = takewhile(lambda each: not each.position, names[at + 1 :])
        meant = (name, *aliases)
        if name.position and not any(names_meant(each, meant).any() for each in profiles):
            near = dict.fromkeys(
                each for profile in profiles for each in nearest_names(profile, name.text)
            )
            yield name, tuple(near)[:MOST_NEAR]
