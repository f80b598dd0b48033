"""Drafts the front matter of a report from what was imported into it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import tomli_w

from perfpress.base.console import printable
from perfpress.base.groups import grouped
from perfpress.base.slugs import slug
from perfpress.host.importing.builds import build_of
from perfpress.host.importing.bundles import Outcome
from perfpress.host.importing.equals import Equals, Measured, RatesByStep, equals, mean_rates
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import DirectoryEntry, Map, assignment
from perfpress.host.importing.outcomes import by_report
from perfpress.host.importing.plan import PlannedRun
from perfpress.input.bundles.same_config import same_configs
from perfpress.input.bundles.variant import Variant, variant_of
from perfpress.input.report.report import text_of
from perfpress.input.report.version_order import version_key

HEAD = """\
# Drafted by perfpress import. The text below the second +++ is yours: what was measured, and what
# was found.
"""

ANY_DIRECTORY = (
    *("archive", "archives", "backup", "bench", "benchmark", "benchmarks", "data", "dataset"),
    *("download", "downloads", "export", "files", "input", "logs", "new", "old", "out", "output"),
    *("raw", "report", "reports", "result", "results", "run", "runs", "temp", "test", "tests"),
    *("tmp", "work"),
)
"""Names of directories, as slugs, that say nothing of what was measured."""

MEANINGS = {
    "same_config": "Configurations that are one under several names; what has a # is for you to "
    "decide.",
    "twin_variants": "Variants that perform the same; what has a # is for you to decide.",
    "same_code": "Releases that may be one build measured again; remove the # if they are.",
}

MOVE = "Move the releases if that is wrong, or add their `version` to the map."

RATES_MEANING = (
    "Profiles only. Rates relative to the base, where you know them, make costs of shares."
)


def report_drafts(
    outcomes: Sequence[Outcome], the_map: Map, kind: ArchiveKind
) -> Iterator[tuple[str, str]]:
    """Yield the name and a draft of each report file, by what was imported."""
    entries = {entry.source: entry for entry in the_map.directories}
    for report, of_report in by_report(outcomes).items():
        runs = [
            Imported(
                benchmark=outcome.planned.run.benchmark,
                release=outcome.planned.run.release,
                version=_version(outcome.planned, entries[outcome.planned.source.name]),
                variant=variant_of(outcome.planned.run),
                steps=outcome.steps,
                rates=outcome.findings.rates,
                has_profiles=any(step.captures for step in outcome.planned.run.steps),
            )
            for outcome in of_report
        ]
        yield text_of(slug(report)), drafted(report, runs, kind.groups, kind.place)


def versions_of(outcomes: Sequence[Outcome], the_map: Map) -> Mapping[str, str | None]:
    """Return the version of each release that was imported, where one is known."""
    entries = {entry.source: entry for entry in the_map.directories}
    versions: dict[str, str | None] = {}
    for planned in (outcome.planned for outcome in outcomes):
        version = _version(planned, entries[planned.source.name])
        versions[planned.run.release] = versions.get(planned.run.release) or version
    return versions


def _version(planned: PlannedRun, entry: DirectoryEntry) -> str | None:
    """Return the version of a run's release; where files are called as releases, from that."""
    return entry.version if entry.release else build_of(planned.run.release).version


@dataclass(frozen=True)
class Imported:
    """One run, as far as the report file names it."""

    benchmark: str
    release: str
    version: str | None
    variant: Variant
    steps: tuple[str, ...]
    rates: RatesByStep
    has_profiles: bool = False


def drafted(
    report: str,
    runs: Sequence[Imported],
    group: Callable[[str], str | None],
    place: Callable[[str], int],
) -> str:
    """Return the text of `_index.md`: releases in the order of their versions, groups of steps.

    Args:
        report: its name.
        runs: all of it.
        group: returns the title of the group that a step belongs to.
        place: returns what steps are sorted by.
    """
    versions = _versions(runs)
    order = sorted(versions, key=lambda release: version_key(versions[release] or release))
    programs = {run.release: (run.version or "").partition(" ")[0] for run in runs}
    found = equals(_measured(runs), order, programs)
    same = same_configs(
        [each.names for each in found if each.key == "same_config" and each.is_shown],
        (run.variant for run in runs),
    )
    shown = [(same.variant_slug(run.variant.slug), run) for run in runs]
    measured = Counter({variant: 0 for variant, _ in shown})
    for variant, run in shown:
        measured[variant] += len(run.steps)
    default = min(measured, key=lambda each: (-measured[each], each))
    head = {
        "title": title_of(report, runs, order),
        "base": _base(order, [run for variant, run in shown if variant == default], runs),
        "default_variant": default,
    }
    tables: list[tuple[str, Mapping[str, object]]] = [
        ("releases", _release(each, versions[each])) for each in order
    ]
    steps = dict.fromkeys(step for run in runs for step in run.steps)
    grouped = _grouped(sorted(steps, key=place), group)
    tables += [("step_groups", {"title": each, "steps": steps}) for each, steps in grouped.items()]
    text = (
        tomli_w.dumps(head)
        + _declarations(found)
        + (_rates_to_fill_in(order, head["base"]) if _has_profiles_only(runs) else "")
        + _order_is_of_names(order, versions)
        + "".join(f"\n[[{name}]]\n{tomli_w.dumps(table)}" for name, table in tables)
    )
    return f"+++\n{HEAD}{text}+++\n"


def _base(order: Sequence[str], of_default: Sequence[Imported], runs: Sequence[Imported]) -> str:
    """Return the oldest release of the default variant that most hosts measured in most steps."""
    steps: dict[str, set[str]] = {}
    for run in of_default:
        steps.setdefault(run.release, set()).update(run.steps)
    most = max(len(each) for each in steps.values())
    hosts = {
        release: len({run.variant.host for run in runs if run.release == release})
        for release, own in steps.items()
        if len(own) * 2 > most
    }
    return next(each for each in order if hosts.get(each) == max(hosts.values()))


def title_of(report: str, runs: Sequence[Imported], order: Sequence[str]) -> str:
    """Return what was measured, with what and where.

    `MariaDB 10.2.30 to 12.1.1: sysbench on lab1`

    Args:
        report: its name, which the title has where it says more; names of any directory do not.
        runs: all of the report.
        order: its releases.
    """
    versions = {run.release: run.version for run in runs}
    known = [each for each in order if versions[each]] or order
    others = [each for each in order if each not in known]
    builds = [_program_and_number(versions[each], each) for each in known]
    programs = list(dict.fromkeys(program for program, _ in builds if program))
    first, last = builds[0][1], builds[-1][1]
    if first == last and len(known) > 1:  # builds of one version
        first, last = known[0], known[-1]
    what = _listed(programs)
    if len(programs) < 2:
        span = first if first == last else f"{first} to {last}"
        what = f"{what} {span}".strip()
    if others:
        what = _listed([what, *others] if len(others) < 3 else [what, f"{len(others)} others"])
    benchmarks = _listed(list(dict.fromkeys(run.benchmark for run in runs)))
    hosts = list(dict.fromkeys(run.variant.host for run in runs))
    where = hosts[0] if len(hosts) == 1 else f"{len(hosts)} hosts"
    title = f"{what}: {benchmarks} on {where}"
    is_said = f"-{slug(report)}-" in f"-{slug(title)}-"
    return title if is_said or slug(report) in ANY_DIRECTORY else f"{title}, {report}"


def _program_and_number(version: str | None, release: str) -> tuple[str, str]:
    """Return MariaDB and 12.1.1 of `MariaDB 12.1.1 mdev16168`; of no version the release's name."""
    if not version:
        return "", release
    program, _, rest = version.partition(" ")
    return (program, rest.partition(" ")[0]) if program.isalpha() else ("", program)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _measured(runs: Iterable[Imported]) -> list[Measured]:
    found: dict[Variant, dict[str, list[RatesByStep]]] = {}
    for run in runs:
        found.setdefault(run.variant, {}).setdefault(run.release, []).append(run.rates)
    return [
        Measured(variant, {release: mean_rates(rates) for release, rates in own.items()})
        for variant, own in found.items()
    ]


def _declarations(found: Iterable[Equals]) -> str:
    """Return what is equal, a list a key: what is only suggested is a comment in it."""
    lines: list[str] = []
    for key, groups in grouped(found, lambda each: each.key).items():
        lines += ["", f"# {MEANINGS[key]}", f"{key} = ["]
        for group in groups:
            names = ", ".join(assignment("x", name).removeprefix("x = ") for name in group.names)
            lines.append(f"  # {printable(group.evidence)}")
            lines.append(f"  {'' if group.is_shown else '# '}[{names}],")
        lines.append("]")
    return "".join(f"{line}\n" for line in lines)


def _order_is_of_names(order: Sequence[str], versions: Mapping[str, str | None]) -> str:
    """Return a comment where names decide the order of releases, as their versions are unknown."""
    unknown = [each for each in order if not versions[each]]
    if not unknown or len(order) < 2:
        return ""
    return (
        f"\n# Ordered by name, for no version is known: {printable(', '.join(unknown))}. {MOVE}\n"
    )


def _has_profiles_only(runs: Sequence[Imported]) -> bool:
    return any(run.has_profiles for run in runs) and not any(run.rates for run in runs)


def _rates_to_fill_in(releases: Sequence[str], base: str) -> str:
    """Return a comment for the rates of releases of which there are profiles only."""
    names = [assignment(release, 1).removesuffix("1") for release in releases if release != base]
    if not names:
        return ""
    listed = ", ".join(f"{name}…" for name in names)
    return f"\n# {RATES_MEANING}\n# rates = {{ {listed} }}\n"


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
