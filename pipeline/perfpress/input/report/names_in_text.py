"""Checks the shortcodes of a text and the names in them, before anything is made of results.

What it lets pass Hugo may still refuse: a name that is known, and of which there is nothing.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.checkout import ROOT
from perfpress.base.problems import Problem
from perfpress.base.toml.read import read_text
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.corrections.corrected import CorrectedRun
from perfpress.input.corrections.files import Correction, Rename
from perfpress.input.logs.metric_names import unit_of
from perfpress.input.report.front_matter import FENCED
from perfpress.input.report.mentions import SHORTCODE
from perfpress.input.report.report import Report, text_of
from perfpress.input.report.shortcodes import ARGUMENTS, COST, OF_THROUGHPUT, VARIANT

CALL = re.compile(r"\s*([\w-][\w/-]*)(.*)", re.DOTALL)
ARGUMENT = re.compile(r'(?:(\w+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`=]+))')

OF_HUGO = frozenset(
    {
        *("details", "figure", "gist", "highlight", "instagram", "param"),
        *("qr", "ref", "relref", "vimeo", "x", "youtube"),
    }
)
TEMPLATES = ROOT / "layouts" / "_shortcodes"

MOST_NAMED = 8
"""Names that a message lists."""


@dataclass(frozen=True)
class KnownNames:
    """All names that a report has or had."""

    releases: Collection[str]
    steps: Collection[str]
    variants: Collection[str]
    drilldowns: Mapping[str, Collection[str]]
    """By name: the heads of the columns."""
    calltrees: Collection[str]
    metrics: Callable[[], Collection[str]]
    """Returns those that the logs of the runs hold; reading them takes a while."""


@dataclass(frozen=True)
class _Named:
    """One argument of a shortcode."""

    shortcode: str
    argument: str
    value: str
    line: int
    by_name: bool


def problems_of_text(
    content: Path,
    report: Report,
    runs: Iterable[CorrectedRun],
    corrections: Iterable[Correction],
    metrics: Callable[[], Collection[str]],
) -> Iterator[Problem]:
    """Yield the shortcodes that are not there, and the names in others that nothing has or had.

    Args:
        content: the directory of the texts.
        report: whose text it is.
        runs: all of the report; a text without any shows no results.
        corrections: of the report.
        metrics: returns those that the logs of the runs hold; asked for a name that is in no list.
    """
    shown_as = f"{content.name}/{text_of(report.id)}"
    text, _ = read_text(content / text_of(report.id), shown_as)
    known = _known(report, tuple(runs), corrections, metrics)
    if text is None or report.unreadable or not known.steps:
        return
    for shortcode, arguments, line in _calls_in(text):
        if shortcode in ARGUMENTS:
            named = list(_named_in(shortcode, arguments, line))
            unknown = [found for each in named if (found := _problem(each, known, shown_as))]
            yield from unknown or _mixed(named, shown_as)
        elif shortcode not in OF_HUGO and not (TEMPLATES / f"{shortcode}.html").is_file():
            near = nearest(shortcode, ARGUMENTS)
            yield Problem(
                path=shown_as,
                line=line,
                found=f"no shortcode {shown_value(shortcode)}",
                expected=f"one of {', '.join(ARGUMENTS)}, or one of Hugo's",
                do=f"did you mean {shown_value(near)}?" if near else "correct the name",
            )


def _known(
    report: Report,
    runs: tuple[CorrectedRun, ...],
    corrections: Iterable[Correction],
    metrics: Callable[[], Collection[str]],
) -> KnownNames:
    renames = [each.change for each in corrections if isinstance(each.change, Rename)]
    old = {
        what: [name for each in renames if each.what == what for name in (each.old, each.new)]
        for what in ("release", "step")
    }
    steps = [step.name for run in runs for step in run.bundle.steps]
    return KnownNames(
        releases=dict.fromkeys([*(each.id for each in report.releases), *old["release"]]),
        steps=dict.fromkeys([*report.steps, *steps, *old["step"]]),
        variants=dict.fromkeys([*report.variants, *report.same_configs.variants]),
        drilldowns={
            each.name: [column.head for column in (*each.columns, each.rest) if column]
            for each in report.matter.drilldowns
        },
        calltrees=[each.name for each in report.matter.calltrees],
        metrics=metrics,
    )


def _calls_in(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the shortcodes of a text, each with its arguments and its line."""
    front_matter = FENCED.match(text)  # where Hugo reads none
    for found in SHORTCODE.finditer(text, front_matter.end() if front_matter else 0):
        if call := CALL.match(found[1]):  # else a comment, or a closing tag
            yield call[1], call[2], text.count("\n", 0, found.start()) + 1


def _named_in(shortcode: str, arguments: str, line: int) -> Iterator[_Named]:
    """Yield the arguments of a shortcode; those that Hugo would unquote not."""
    places = [each.name for each in (*ARGUMENTS[shortcode], VARIANT)]
    for at, argument in enumerate(ARGUMENT.finditer(arguments)):
        name, *values = argument.groups()
        value = next((each for each in values if each is not None), "")
        if "\\" not in value and (name or at < len(places)):
            yield _Named(shortcode, name or places[at], value, line, bool(name))


def _mixed(named: Sequence[_Named], shown_as: str) -> Iterator[Problem]:
    """Yield the problem of arguments of which some are given by name, which Hugo refuses."""
    if len({each.by_name for each in named}) < 2:
        return
    by_name, by_place = (
        next(each for each in named if each.by_name is is_so) for is_so in (True, False)
    )
    call = " ".join(f'{each.argument}="{each.value}"' for each in named)
    yield Problem(
        path=shown_as,
        line=named[0].line,
        found=f"shortcode {named[0].shortcode}: {by_name.argument} is given by name, and "
        f"{shown_value(by_place.value)} is not",
        expected="all arguments by name, or none",
        do=f"write {{{{< {named[0].shortcode} {call} >}}}}",
    )


def _problem(named: _Named, known: KnownNames, shown_as: str) -> Problem | None:
    """Return what is wrong with a name, if anything."""
    value = named.value
    if not value:
        return None
    if named.argument == "name" and named.shortcode == "cell":
        return _problem_of_cell(named, known, shown_as)
    if named.argument == "name":
        kind, names = {
            "drilldown": ("drilldown", known.drilldowns),
            "calltree": ("call tree", known.calltrees),
        }[named.shortcode]
        if _is_below(value, names):
            return None
        return _unknown(named, kind, value, names, shown_as)
    if named.argument == "variant":
        return _unknown(named, "variant", value, known.variants, shown_as)
    if named.argument == "step":
        return _unknown(named, "step", value, known.steps, shown_as)
    if named.argument in ("table", "chart"):
        # `throughput-socket2--large`: a kind of table, then the variant.
        if any(value.endswith(f"-{each}") for each in known.variants):
            return None
        return _unknown(named, f"{named.argument} of a variant", value, known.variants, shown_as)
    if named.argument in ("release", "base"):
        return _unknown(named, "release", value, known.releases, shown_as)
    if named.argument == "number" and not (value.isdecimal() and int(value) > 0):
        return Problem(
            path=shown_as,
            line=named.line,
            found=f"shortcode {named.shortcode}: {shown_value(value)} is no number of a trace",
            expected="1 for the first trace of the step, 2 for the second",
            do="correct the number",
        )
    return None


def _problem_of_cell(named: _Named, known: KnownNames, shown_as: str) -> Problem | None:
    """Return what is wrong with `release/step/number`, if anything; names may have slashes."""
    value = named.value
    releases = [each for each in known.releases if value.startswith(f"{each}/")]
    rests = [value.removeprefix(f"{each}/") for each in releases]
    if not releases:
        return _unknown(named, "release", value.partition("/")[0], known.releases, shown_as)
    keys = [
        rest.removeprefix(f"{step}/")
        for rest in rests
        for step in known.steps
        if rest.startswith(f"{step}/")
    ]
    if not keys:
        if any(rest.rstrip("/") in known.steps for rest in rests):
            return Problem(
                path=shown_as,
                line=named.line,
                found=f"shortcode cell: {shown_value(value)} names a step and no number of it",
                expected="release/step/number",
                do=f"did you mean {shown_value(value.rstrip('/') + '/throughput')}?",
            )
        step = rests[0].rpartition("/")[0] or rests[0]
        return _unknown(named, "step", step, known.steps, shown_as)
    if any(map(_is_listed, keys)):
        return None
    columns = [
        (name, key.removeprefix(f"{name}/"))
        for key in keys
        for name in known.drilldowns
        if key.startswith(f"{name}/")
    ]
    if any(head.removesuffix("/cost") in known.drilldowns[name] for name, head in columns):
        return None
    if columns:
        name, head = columns[0]
        kind = f"column of the drilldown {shown_value(name)}"
        return _unknown(named, kind, head, known.drilldowns[name], shown_as)
    metrics = known.metrics()
    if any(key in metrics for key in keys):
        return None
    if "/" in keys[0]:
        return _unknown(named, "drilldown", keys[0].partition("/")[0], known.drilldowns, shown_as)
    numbers = [*sorted(metrics), COST, *OF_THROUGHPUT]
    return _unknown(named, "number", keys[0], numbers, shown_as)


def _is_listed(number: str) -> bool:
    """Return whether a number of a cell is one that any report may have."""
    return number in OF_THROUGHPUT or number == COST or unit_of(number) is not None


def _is_below(name: str, names: Iterable[str]) -> bool:
    """Return whether a name is one of others, or begins with one and a slash."""
    return any(f"{name}/".startswith(f"{each}/") for each in names)


def _unknown(
    named: _Named, kind: str, name: str, names: Collection[str], shown_as: str
) -> Problem | None:
    """Return the problem of an unknown name; None if it is known."""
    if name in names:
        return None
    near = nearest(name, names)
    some = ", ".join(shown_value(each) for each in list(names)[:MOST_NAMED])
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return Problem(
        path=shown_as,
        line=named.line,
        found=f"shortcode {named.shortcode}: no {kind} {shown_value(name)}",
        expected=f"one of {some}{more}" if names else f"a {kind} of the report, which has none",
        do=f"did you mean {shown_value(near)}?" if near else "correct the name",
    )
