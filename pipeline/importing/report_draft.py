"""Drafts the front matter of a report from what was imported into it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import tomli_w

from pipeline.report.version_order import version_key

HEAD = """\
# Drafted by perfpress import. The text below the second +++ is yours: what was measured, and what
# was found.
"""


@dataclass(frozen=True)
class Imported:
    """One run, as far as the report file names it."""

    release: str
    version: str | None
    variant: str
    """Its slug."""
    steps: tuple[str, ...]


def drafted(
    title: str,
    runs: Sequence[Imported],
    group: Callable[[str], str | None],
    place: Callable[[str], int],
) -> str:
    """Return the text of `_index.md`: releases in the order of their versions, groups of steps.

    Args:
        title: of the report.
        runs: all of it.
        group: returns the title of the group that a step belongs to.
        place: returns what steps are sorted by.
    """
    versions = _versions(runs)
    order = sorted(versions, key=lambda release: version_key(versions[release] or release))
    measured = Counter({run.variant: 0 for run in runs})
    for run in runs:
        measured[run.variant] += len(run.steps)
    default = min(measured, key=lambda each: (-measured[each], each))
    of_default = {run.release for run in runs if run.variant == default}
    head = {
        "title": title,
        "base": next(release for release in order if release in of_default),
        "default_variant": default,
    }
    tables: list[tuple[str, Mapping[str, object]]] = [
        ("releases", _release(each, versions[each])) for each in order
    ]
    steps = dict.fromkeys(step for run in runs for step in run.steps)
    grouped = _grouped(sorted(steps, key=place), group)
    tables += [("step_groups", {"title": each, "steps": steps}) for each, steps in grouped.items()]
    text = tomli_w.dumps(head) + "".join(
        f"\n[[{name}]]\n{tomli_w.dumps(table)}" for name, table in tables
    )
    return f"+++\n{HEAD}{text}+++\n"


def _versions(runs: Iterable[Imported]) -> dict[str, str | None]:
    """Return the version of each release, where one is known.

    Where all are of one program its name is left out: MySQL 8.0.45 is 8.0.45.
    """
    versions: dict[str, str | None] = {}
    for run in runs:
        versions[run.release] = versions.get(run.release) or run.version
    programs = {(version or "").partition(" ")[0] for version in versions.values()}
    if len(programs) > 1 or not programs.pop().isalpha():
        return versions
    return {each: version and version.partition(" ")[2] for each, version in versions.items()}


def _release(release: str, version: str | None) -> dict[str, str]:
    return {"id": release} | ({"label": version, "version": version} if version else {})


def _grouped(steps: Iterable[str], group: Callable[[str], str | None]) -> Mapping[str, list[str]]:
    """Return the steps by the titles of their groups, in order of title and as they come."""
    groups: dict[str, list[str]] = {}
    for step in steps:
        if title := group(step):
            groups.setdefault(title, []).append(step)
    return dict(sorted(groups.items()))
