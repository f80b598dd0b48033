"""Finds names in a report's front matter that do not exist or occur twice."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from perfpress.base.problems import Problem
from perfpress.base.slugs import collisions, reserved, slug
from perfpress.base.toml.lines import KeyPath
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.report.front_matter import FrontMatter, ReportText
from perfpress.input.report.rates import names_in_rates

MOST_NAMED = 8
"""Names that a message lists."""


class ReportNames(NamedTuple):
    """The names that a report has."""

    releases: Sequence[str]
    """The ids of those that have runs."""
    variants: Sequence[str]
    """Their slugs."""
    steps: Sequence[str]
    configs: Sequence[str]
    """As run.toml spells them."""


def misnamed(directory: str, shown_as: str) -> Iterator[Problem]:
    """Yield that a directory of a text is called as no report is."""
    if slug(directory) != directory:
        yield Problem(
            path=shown_as,
            found="a directory name that no bundle's report leads to",
            expected=slug(directory),
            do="rename the directory",
        )


def without_results(report_id: str, shown_as: str, known: Iterable[str]) -> Problem:
    """Return the problem of a text whose report has no runs."""
    near = nearest(report_id, known)
    return Problem(
        path=shown_as,
        found=f"no run belongs to report {shown_value(report_id)}",
        expected="results for every text",
        do=f"did you mean {shown_value(near)}? rename the directory" if near else "add bundles",
        severity="warning",
    )


def reference_problems(front: ReportText, there: ReportNames) -> Iterator[Problem]:
    """Yield what the author names twice, or names although no bundle has it."""
    document, matter = front.document, front.matter
    if document is None:
        return
    for kind, name, known, path in _references(matter, there):
        if name not in known:
            near = nearest(name, known)
            yield Problem(
                path=document.shown_as,
                line=document.line(*path),
                found=f"no run of the {kind} {shown_value(name)}",
                expected=f"one of {_some(known)}",
                do=f"did you mean {shown_value(near)}?" if near else "correct or remove it",
                severity="warning",
            )
    configs = [slug(config) for group in matter.same_config for config in group]
    for config in sorted(each for each, count in Counter(configs).items() if count > 1):
        yield Problem(
            path=document.shown_as,
            line=document.line("same_config"),
            found=f"the configuration {shown_value(config)} {configs.count(config)} times",
            expected="each configuration once",
            do="join the groups that are the same",
            severity="warning",
        )
    written = [release.id for release in matter.releases]
    releases = [*written, *(each for each in there.releases if each not in written)]
    drilldowns = [drilldown.name for drilldown in matter.drilldowns]
    calltrees = [calltree.name for calltree in matter.calltrees]
    for key, names in (
        ("releases", releases),
        ("drilldowns", drilldowns),
        ("calltrees", calltrees),
    ):
        for address, positions in collisions(names).items():
            yield Problem(
                path=document.shown_as,
                line=document.line(key, positions[-1]),
                found=f"{len(positions)} {key} have the address {address}",
                expected="one",
                do="name each only once",
            )
    for index, release in enumerate(matter.releases):
        if reserved(release.id, "release"):
            yield Problem(
                path=document.shown_as,
                line=document.line("releases", index, "id"),
                found=f"a release may not be called {shown_value(release.id)}",
                expected="a name that no other page has",
                do="choose another name",
            )


def _references(
    matter: FrontMatter, there: ReportNames
) -> Iterator[tuple[str, str, Collection[str], KeyPath]]:
    """Yield what the author refers to: its kind, its name, the names there are, and the key."""
    releases, variants, steps, configs = there
    of_tables = [*steps, *variants]
    if matter.base is not None:
        yield "release", matter.base, releases, ("base",)
    if matter.default_variant is not None:
        yield "variant", matter.default_variant, variants, ("default_variant",)
    for index, each in enumerate(matter.releases):
        yield "release", each.id, releases, ("releases", index, "id")
    for variant in matter.variants:
        yield "variant", variant, variants, ("variants", variant)
    for index, group in enumerate(matter.step_groups):
        for step in group.steps:
            yield "step", step, steps, ("step_groups", index, "steps")
    for index, drilldown in enumerate(matter.drilldowns):
        for step in drilldown.steps:
            yield "step", step, steps, ("drilldowns", index, "steps")
    for index, calltree in enumerate(matter.calltrees):
        for step in calltree.steps:
            yield "step", step, steps, ("calltrees", index, "steps")
    for index, pair in enumerate(matter.diffs):
        yield "release", pair.release, releases, ("diffs", index, "release")
        yield "release", pair.base, releases, ("diffs", index, "base")
        for step in pair.steps:
            yield "step", step, steps, ("diffs", index, "steps")
    for index, twins in enumerate(matter.twin_variants):
        for variant in twins:
            yield "variant", variant, variants, ("twin_variants", index)
    for index, same in enumerate(matter.same_code):
        for release in same:
            yield "release", release, releases, ("same_code", index)
    for index, same_configs in enumerate(matter.same_config):
        for config in same_configs:
            yield "configuration", config, configs, ("same_config", index)
    for path, is_release in names_in_rates(matter.rates, ("rates",)):
        kind, known = ("release", releases) if is_release else ("step or variant", of_tables)
        yield kind, str(path[-1]), known, path


def _some(names: Collection[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(map(shown_value, list(names)[:MOST_NAMED])) + more
