"""Sums up an import: counts and reasons, with an example of each."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from perfpress.base.display import plural
from perfpress.base.groups import grouped
from perfpress.base.problems import Problem
from perfpress.base.toml.words import shown_value
from perfpress.host.importing.bundles import Outcome
from perfpress.host.importing.left_out import LeftOut
from perfpress.input.bundles.safety import shown_name
from perfpress.input.bundles.variant import variant_of

MOST_SHOWN = 5
"""Problems of one kind; the rest is counted."""

MOST_NAMED = 3
"""Steps that a message lists."""


def left_out_lines(left_out: Sequence[LeftOut]) -> Iterator[str]:
    """Yield how much was left out, by reason and pattern of names, with an example of each."""
    by_reason: dict[str, dict[str, list[str]]] = {}
    for each in left_out:
        pattern = re.sub(r"[0-9]+", "*", each.name.rpartition("/")[2])
        by_reason.setdefault(each.reason, {}).setdefault(pattern, []).append(each.name)
    for reason, patterns in by_reason.items():
        for names in islice(patterns.values(), MOST_SHOWN):
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            yield f"left out: {shown_name(names[0])}{more}: {reason}"
        rest = list(islice(patterns.values(), MOST_SHOWN, None))
        if rest:
            files = plural(sum(map(len, rest)), "file")
            yield f"left out: {files} called in {len(rest)} more ways: {reason}"


def outcome_lines(outcomes: Sequence[Outcome], out: Path) -> Iterator[str]:
    """Yield how many runs and steps came into the results, and what was redacted in them."""
    for what in ("written", "replaced", "there already", "refused"):
        some = [outcome for outcome in outcomes if outcome.what == what]
        if some:
            steps = plural(sum(len(outcome.steps) for outcome in some), "step")
            yield f"{out}: {plural(len(some), 'run')}, {steps}: {what}"
    new = [outcome for outcome in outcomes if outcome.what in ("written", "replaced")]
    if count := sum(outcome.from_tables for outcome in new):
        yield f"{out}: {plural(count, 'number')} from tables, computed elsewhere"
    if count := sum(outcome.confirmed for outcome in outcomes):
        yield f"{out}: {plural(count, 'number')} of tables as in the logs, which count"
    redacted = sum((outcome.redacted for outcome in new), Counter[str]())
    for what, count in sorted(redacted.items()):
        yield f"{out}: {plural(count, what)} redacted, each replaced by a marker"


def missing_steps(outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """Yield which directories lack steps that others of their report have."""
    for report, runs in by_report(outcomes).items():
        steps: dict[str, set[str]] = {}
        for outcome in runs:
            steps.setdefault(outcome.planned.source.name, set()).update(outcome.steps)
        every = dict.fromkeys(step for outcome in runs for step in outcome.steps)
        lacking = {
            source: [step for step in every if step not in its] for source, its in steps.items()
        }
        sources = [source for source, missing in lacking.items() if missing]
        for source in sources[:MOST_SHOWN]:
            yield _lacking(source, lacking[source], f"{len(every)} steps that {report} has")
        if len(sources) > MOST_SHOWN:
            rest = plural(len(sources) - MOST_SHOWN, "directory")
            found = f"lacks steps in {rest} more"
            yield Problem(path=report, found=found, severity="warning")


def unknown_versions(
    outcomes: Sequence[Outcome], versions: Mapping[str, str | None]
) -> Iterator[Problem]:
    """Yield the reports that have releases of no known version: names decide their order.

    Args:
        outcomes: of all runs.
        versions: by release.
    """
    for report, runs in by_report(outcomes).items():
        releases = dict.fromkeys(outcome.planned.run.release for outcome in runs)
        unknown = [each for each in releases if not versions.get(each)]
        if unknown and len(releases) > 1:
            more = f" and {len(unknown) - MOST_NAMED} more" if len(unknown) > MOST_NAMED else ""
            some = ", ".join(map(shown_name, unknown[:MOST_NAMED])) + more
            found = f"no version is known of {some}: releases are ordered by name"
            do = "add version = … in the map, or move the releases in the report file"
            yield Problem(path=report, found=found, do=do, severity="warning")


def unlike_workloads(outcomes: Sequence[Outcome]) -> Iterator[Problem]:
    """Yield what was measured otherwise in some releases of one variant, as their logs say."""
    for report, runs in by_report(outcomes).items():
        found: dict[tuple[str, str], dict[str, dict[str, dict[str, None]]]] = {}
        for outcome in runs:
            run = outcome.planned.run
            for step, facts in outcome.findings.workloads.items():
                for name, value in facts.items():
                    steps = found.setdefault((variant_of(run).slug, name), {})
                    steps.setdefault(step, {}).setdefault(value, {})[run.release] = None
        for (variant, name), steps in found.items():
            unlike = {step: values for step, values in steps.items() if len(values) > 1}
            if unlike:
                yield _unlike(f"{report}/{variant}", name, unlike)


def _unlike(
    path: str, name: str, unlike: Mapping[str, Mapping[str, Mapping[str, None]]]
) -> Problem:
    step, values = next(iter(unlike.items()))
    more = f" and {plural(len(unlike) - 1, 'step')} more" if len(unlike) > 1 else ""
    some = ", ".join(
        f"{shown_name(value)} in {shown_name(next(iter(releases)))}"
        + (" and others" if len(releases) > 1 else "")
        for value, releases in islice(values.items(), MOST_NAMED)
    )
    return Problem(
        path=path,
        found=f"step {shown_value(step)}{more}: {name} is {some}",
        expected="the same in all releases: they are compared",
        do="say in the map what differs: axes.… = in [[directory]], or {axis_…} in a match",
        severity="warning",
    )


def _lacking(source: str, steps: Sequence[str], every: str) -> Problem:
    more = f" and {len(steps) - MOST_NAMED} more" if len(steps) > MOST_NAMED else ""
    some = ", ".join(map(shown_name, steps[:MOST_NAMED]))
    found = f"lacks {len(steps)} of the {every}: {some}{more}"
    return Problem(path=shown_name(source), found=found, severity="warning")


def by_report(outcomes: Sequence[Outcome]) -> Mapping[str, Sequence[Outcome]]:
    """Return what came into the results, by the name of the report."""
    into_results = (outcome for outcome in outcomes if outcome.what != "refused")
    return grouped(into_results, lambda outcome: outcome.planned.run.report)
