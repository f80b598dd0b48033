"""From a directory of results and the map to runs: which file belongs to which step and run."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from perfpress.base.groups import grouped
from perfpress.base.toml.read import Document
from perfpress.host.importing.archive import ClientsOf, File, ResultDirectory
from perfpress.host.importing.builds import build_of
from perfpress.host.importing.file_rules import (
    AXIS_OF,
    COMPRESSED,
    FACTS,
    Rules,
    decides_run,
    stored_name,
)
from perfpress.host.importing.left_out import LeftOut
from perfpress.host.importing.map_file import (
    DirectoryEntry,
    KindOfWork,
    Map,
    Use,
    operation_of,
    work_of,
)
from perfpress.host.importing.result_tables import Number
from perfpress.input.bundles.patterns import fill, placeholders
from perfpress.input.bundles.schema import Capture, Run, Step
from perfpress.input.bundles.steps import resolve_steps
from perfpress.input.report.version_order import version_key


@dataclass(frozen=True)
class ComputedStep:
    """What tables state of one step of one run."""

    name: str
    operation: str
    work: KindOfWork
    is_throughput: bool
    """Whether queries are the operations, so that queries per second are the throughput."""
    numbers: tuple[Number, ...]


@dataclass(frozen=True)
class PlannedRun:
    """One bundle to be."""

    source: ResultDirectory
    run: Run
    files: tuple[str, ...]
    """Names inside the source."""
    steps: tuple[str, ...]
    """The names of the steps, patterns resolved; empty where only the logs name them."""
    summaries: tuple[str, ...] = ()
    """Files that hold a line for each step: their parser names the steps."""
    computed: tuple[ComputedStep, ...] = ()
    repeat: int | str = 1
    """Of the same cell; runs of one cell need different ones."""


@dataclass(frozen=True)
class _Ruled:
    """A file, and what the map says of it."""

    file: File
    rule: int
    """Position in the map."""
    use: Use
    values: Mapping[str, str]
    stated: int | None = None
    """The number of clients that a log states."""

    def clients(self, entry: DirectoryEntry) -> int | None:
        """Return the number of clients: as its name says, else the map, else the log itself."""
        text = self.values.get("clients", "")
        of_name = int(text) if text.isdecimal() and 0 < int(text) < 10**9 else None
        return of_name or entry.clients or self.stated

    def says_clients(self, entry: DirectoryEntry) -> bool:
        """Return whether the number of clients is its own, and not that of others of its step."""
        return "clients" in self.values or bool(self.stated and not entry.clients)

    def fits(self, other: "_Ruled", entry: DirectoryEntry, clients: int | None) -> bool:
        """Return whether settings are of the run of a log or capture.

        Args:
            other: the log or capture.
            entry: of the directory of both.
            clients: of the run.
        """
        own = {name: value for name, value in self.values.items() if decides_run(name)}
        is_of_clients = "clients" not in self.values or self.clients(entry) == clients
        return own.items() <= other.values.items() and is_of_clients


@dataclass
class _Step:
    """The files of one step of one run."""

    name: str
    operation: str
    work: KindOfWork
    logs: dict[int, list[str]] = field(default_factory=dict)
    """Names in the bundle, by position of the rule."""
    captures: dict[int, list[str]] = field(default_factory=dict)
    event: str | None = None

    @property
    def stated(self) -> Step:
        """The step as run.toml states it."""
        return Step(
            name=self.name,
            operation=self.operation,
            work=self.work,
            logs=tuple(name for names in self.logs.values() for name in names),
            captures=tuple(name for names in self.captures.values() for name in names),
            capture=Capture(event=self.event),
        )


def plan(
    source: ResultDirectory,
    entry: DirectoryEntry,
    whole: Map,
    rules: Rules,
    clients_of: ClientsOf,
) -> tuple[list[PlannedRun], list[LeftOut]]:
    """Return the runs of a directory, one for each number of clients, and what is in none."""
    left_out: list[LeftOut] = []
    ruled = list(_ruled(source, rules, clients_of, left_out))
    needed = placeholders(whole.step) - {"clients"}
    of_steps = [each for each in ruled if needed <= each.values.keys()]
    settings = [each for each in ruled if each.use == "attachment"]
    summaries = [each for each in ruled if each.use == "log" and not needed & each.values.keys()]
    strays = [
        each.file.name
        for each in ruled
        if each.use != "attachment" and each not in of_steps and each not in summaries
    ]
    reason = f"its name does not hold all of {whole.step}"
    left_out += (LeftOut(f"{source.name}/{name}", reason) for name in strays)
    runs: list[PlannedRun] = []
    for is_summary, some in ((False, of_steps), (True, summaries)):
        for named, files in _by_names(some, entry):
            for clients, group in _by_clients(files, named, whole, source, left_out).items():
                own = [each.file for each in settings if each.fits(group[0], entry, clients)]
                run = run_of(named, whole, clients, own)
                if is_summary:
                    runs.append(_summarised(source, group, run, named))
                else:
                    runs.append(_run(source, group, run, named, whole, rules, left_out))
    attached = {name for run in runs for name in run.run.attachments}
    left_out += (
        LeftOut(f"{source.name}/{each.file.name}", "settings of no run that is imported")
        for each in settings
        if each.file.name not in attached
    )
    return runs, left_out


def _by_names(
    files: Iterable[_Ruled], entry: DirectoryEntry
) -> Iterator[tuple[DirectoryEntry, Sequence[_Ruled]]]:
    """Yield what names say of files, where those of the files go before those of directories."""

    def said(each: _Ruled) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(item for item in each.values.items() if decides_run(item[0])))

    for said_by_all, group in sorted(grouped(files, said).items()):
        values = dict(said_by_all)
        axes = {
            name.removeprefix(AXIS_OF): value
            for name, value in values.items()
            if name.startswith(AXIS_OF)
        }
        facts = {name: value for name, value in values.items() if name in FACTS}
        if "release" in facts:
            build = build_of(facts["release"])
            facts["release"] = build.release
            axes |= {"build": build.flavour} if build.flavour else {}
        yield replace(entry, **facts, axes={**entry.axes, **axes}), group


def _ruled(
    source: ResultDirectory, rules: Rules, clients_of: ClientsOf, left_out: list[LeftOut]
) -> Iterator[_Ruled]:
    """Yield the files that are imported; of a file and its packed copy, the first."""
    stored: set[str] = set()
    for file in source.files:
        name = f"{source.name}/{file.name}"
        found = rules.of(source, file.name)
        if found is None:
            left_out.append(LeftOut(name, "no [[file]] of the map fits"))
            continue
        position, values = found
        rule = rules.rules[position]
        if rule.use == "leave out":
            left_out.append(LeftOut(name, rule.because or "as the map says"))
        elif stored_name(file.name, rule.use) in stored:
            left_out.append(LeftOut(name, "the same file is there without its ending"))
        else:
            stored.add(stored_name(file.name, rule.use))
            stated = clients_of(source.from_top(file.name)) if rule.use == "log" else None
            yield _Ruled(file, position, rule.use, values, stated)


def _by_clients(
    files: Iterable[_Ruled],
    entry: DirectoryEntry,
    whole: Map,
    source: ResultDirectory,
    left_out: list[LeftOut],
) -> dict[int | None, list[_Ruled]]:
    """Sort the files of steps by clients.

    One that does not say them is of those of its step, or else of the only ones, as a log that
    breaks off is.
    """
    files = list(files)
    clients_of: dict[str, set[int | None]] = {}
    for each in files:
        if each.says_clients(entry):
            clients = clients_of.setdefault(_step_name(whole.step, each), set())
            clients.add(each.clients(entry))
    every = set().union(*clients_of.values())
    of_others = every if len(every) == 1 and not entry.clients else {entry.clients}
    groups: dict[int | None, list[_Ruled]] = {}
    for each in files:
        of_step = clients_of.get(_step_name(whole.step, each), of_others)
        if each.says_clients(entry):
            groups.setdefault(each.clients(entry), []).append(each)
        elif len(of_step) == 1:
            groups.setdefault(next(iter(of_step)), []).append(each)
        else:
            counts = " or ".join(map(str, sorted(of_step, key=lambda clients: clients or 0)))
            reason = f"could be of a run with {counts} clients"
            left_out.append(LeftOut(f"{source.name}/{each.file.name}", reason))
    return dict(sorted(groups.items(), key=lambda item: item[0] or 0))


def _step_name(template: str, ruled: _Ruled) -> str:
    return fill(template, dict.fromkeys(placeholders(template), "") | dict(ruled.values))


def _run(
    source: ResultDirectory,
    files: Sequence[_Ruled],
    run: Run,
    entry: DirectoryEntry,
    whole: Map,
    rules: Rules,
    left_out: list[LeftOut],
) -> PlannedRun:
    steps: dict[str, _Step] = {}
    taken: list[str] = []
    for each in _at_first_hand(files, whole.step, source, left_out):
        name = _step_name(whole.step, each)
        step = steps.setdefault(
            name, _Step(name, operation_of(name, whole.operations), work_of(name, whole))
        )
        kept = step.logs if each.use == "log" else step.captures
        kept.setdefault(each.rule, []).append(stored_name(each.file.name, each.use))
        if each.use != "log":
            step.event = each.values.get("event") or whole.event or None
        taken.append(each.file.name)
    for step in steps.values():
        step.logs = dict(sorted(step.logs.items()))
    ordered = [steps[name] for name in sorted(steps, key=version_key)]
    stored = [name for step in ordered for name in (*step.stated.logs, *step.stated.captures)]
    run = replace(run, steps=_steps(ordered, run, stored, whole.step, rules))
    names = tuple(sorted((*taken, *run.attachments)))
    steps_named = tuple(step.name for step in ordered)
    return PlannedRun(source, run, names, steps_named, repeat=entry.repeat)


def _at_first_hand(
    files: Sequence[_Ruled], template: str, source: ResultDirectory, left_out: list[LeftOut]
) -> Iterator[_Ruled]:
    """Yield the files of steps without captures that were made of others, or are of other events.

    Of a step, one rule's captures are taken, and one event's: cycles, or the first by name.
    """
    best: dict[str, tuple[bool, int, bool, str]] = {}
    for each in files:
        if each.use != "log":
            step = _step_name(template, each)
            best[step] = min(best.get(step, _rank(each)), _rank(each))
    for each in files:
        if each.use == "log" or _rank(each) == best[_step_name(template, each)]:
            yield each
        else:
            chosen = best[_step_name(template, each)]
            other_event = _rank(each)[:2] == chosen[:2]
            reason = (
                f"of another event than {chosen[3]}"
                if other_event
                else "the same samples as the captures that were taken"
            )
            left_out.append(LeftOut(f"{source.name}/{each.file.name}", reason))


def _rank(ruled: _Ruled) -> tuple[bool, int, bool, str]:
    event = ruled.values.get("event", "")
    return ruled.use == "second-hand capture", ruled.rule, event != "cycles", event


def _steps(
    steps: Sequence[_Step], run: Run, files: Sequence[str], template: str, rules: Rules
) -> tuple[Step, ...]:
    """Return the steps for run.toml: one pattern, where it matches just these."""
    each_one = tuple(step.stated for step in steps)
    first = each_one[0]
    if len(steps) == 1 or not first.logs:
        return each_one

    def pattern(position: int) -> str:
        """Return the rule's pattern, with the ending that its files have in the bundle."""
        values = {"clients": str(run.clients), "event": steps[0].event or ""}
        match = rules.rules[position].match.removeprefix("/")
        filled = re.sub(r"\{(clients|event)\}", lambda found: values[found[1]], match)
        filled = re.sub(rf"\{{({'|'.join(FACTS)}|{AXIS_OF}\w+)\}}", "*", filled)
        return filled if filled.endswith((*COMPRESSED, "*")) else f"{filled}.gz"

    main, *others = map(pattern, steps[0].logs)
    alike = Step(
        name=template.replace("{clients}", str(run.clients)),
        operation=first.operation,
        work=first.work,
        match=main.removesuffix(".gz"),
        logs=tuple(others),
        captures=tuple(map(pattern, steps[0].captures)),
        capture=first.capture,
    )
    nowhere = Document("", "", {})
    resolved, problems = resolve_steps(replace(run, steps=(alike,)), files, nowhere)
    same = sorted(resolved, key=lambda step: version_key(step.name)) == list(each_one)
    return (alike,) if same and not problems else each_one


def _summarised(
    source: ResultDirectory, summaries: Sequence[_Ruled], run: Run, entry: DirectoryEntry
) -> PlannedRun:
    """Return a run whose steps are the lines of a summary; the parser of it knows their names."""
    logs = tuple(stored_name(each.file.name, each.use) for each in summaries)
    names = sorted((*(each.file.name for each in summaries), *run.attachments))
    return PlannedRun(source, run, tuple(names), (), logs, repeat=entry.repeat)


def run_of(
    entry: DirectoryEntry,
    whole: Map,
    clients: int | None,
    attached: Sequence[File],
) -> Run:
    """Return a run without its steps."""
    return Run(
        schema=1,
        report=entry.report or whole.report,
        release=entry.release,
        benchmark=whole.benchmark,
        host=entry.host or whole.host,
        config=entry.config,
        clients=clients,
        started=entry.started,
        attachments=tuple(file.name for file in attached),
        axes=entry.axes,
        machine={**whole.machine, **entry.machine},
        tools=whole.tools,
        steps=(),
    )
