"""Plans all runs of an archive: of the files of directories, and of what tables state of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from perfpress.host.importing.archive import ClientsOf, ResultDirectory
from perfpress.host.importing.file_rules import Rules
from perfpress.host.importing.left_out import LeftOut
from perfpress.host.importing.map_file import DirectoryEntry, Map, operation_of, work_of
from perfpress.host.importing.plan import (
    ComputedStep,
    PlannedRun,
    plan,
    run_of,
)
from perfpress.host.importing.result_tables import QUERIES, Number
from perfpress.input.bundles.patterns import fill, placeholders

NumbersByStep = Mapping[str, Sequence[Number]]
"""By step."""


def plan_all(
    directories: Sequence[ResultDirectory], the_map: Map, rules: Rules, clients_of: ClientsOf
) -> tuple[list[PlannedRun], list[LeftOut]]:
    """Return the runs of all directories, and what of them is not imported."""
    entries = {entry.source: entry for entry in the_map.directories}
    runs: list[PlannedRun] = []
    left_out: list[LeftOut] = []
    computed: list[tuple[PlannedRun, NumbersByStep]] = []
    for directory in directories:
        entry = entries[directory.name]
        if entry.leave_out:
            left_out.append(LeftOut(directory.name, entry.leave_out))
            continue
        of_directory, others = plan(directory, entry, the_map, rules, clients_of)
        left_out += others
        with_numbers = _by_run(directory, of_directory, entry, the_map, left_out)
        runs += (each for each in of_directory if each.run.clients not in with_numbers)
        computed += with_numbers.values()
    of_files = (*runs, *(run for run, _ in computed))
    logged = {(run.run.report, step) for run in of_files for step in run.steps}
    runs += (_with_steps(run, numbers, the_map, logged) for run, numbers in computed)
    return sorted(runs, key=lambda run: run.source.name), left_out


def _by_run(
    source: ResultDirectory,
    runs: Sequence[PlannedRun],
    entry: DirectoryEntry,
    whole: Map,
    left_out: list[LeftOut],
) -> Mapping[int | None, tuple[PlannedRun, NumbersByStep]]:
    """Return by clients the runs of a directory that tables state numbers of, and these.

    A table that does not say how many clients there were is of the run that has its step, else of
    the only run; where there is none, of the number in the map.
    """
    clients_of: dict[str, set[int | None]] = defaultdict(set)
    for run in runs:
        for step in run.steps:
            clients_of[step].add(run.run.clients)
    every = {run.run.clients for run in runs} | {
        int(number.values["clients"]) for number in source.numbers if "clients" in number.values
    }
    found: dict[int | None, dict[str, list[Number]]] = defaultdict(lambda: defaultdict(list))
    if len({run.run.clients for run in runs}) < len(runs):
        reason = "of a directory whose files are of several runs"
        left_out += (LeftOut(number.place, reason) for number in source.numbers)
        return {}
    needed = placeholders(whole.step) - {"clients"}
    for number in source.numbers:
        if not needed <= number.values.keys():
            left_out.append(LeftOut(number.place, f"a table does not hold all of {whole.step}"))
            continue
        step = fill(whole.step, {"clients": ""} | dict(number.values))
        if number.is_of_scans and step not in clients_of:
            reason = "of a scan: a table does not say whether it counts queries or rows"
            left_out.append(LeftOut(number.place, reason))
            continue
        counts = clients_of.get(step) or ({entry.clients} if entry.clients else every) or {None}
        if "clients" in number.values:
            counts = {int(number.values["clients"])}
        if len(counts) == 1:
            found[next(iter(counts))][step].append(number)
        else:
            said = " or ".join(str(each) for each in sorted(counts, key=lambda each: each or 0))
            reason = f"could be of a run with {said} clients; say clients = … in the map"
            left_out.append(LeftOut(number.place, reason))
    by_clients = {run.run.clients: run for run in runs}
    return {
        clients: (by_clients.get(clients) or _of_tables(source, entry, whole, clients), numbers)
        for clients, numbers in found.items()
    }


def _of_tables(
    source: ResultDirectory, entry: DirectoryEntry, whole: Map, clients: int | None
) -> PlannedRun:
    """Return a run of which there are tables only."""
    run = run_of(entry, whole, clients, ())
    return PlannedRun(source, run, (), (), repeat=entry.repeat)


def _with_steps(
    run: PlannedRun, numbers: NumbersByStep, whole: Map, logged: set[tuple[str, str]]
) -> PlannedRun:
    """Return a run with its numbers by step.

    Where no log in the report has a step, its operations are the queries that the tables count.
    """
    steps = []
    for step, own in numbers.items():
        is_throughput = (run.run.report, step) not in logged and any(
            each.metric == QUERIES and not each.is_of_scans for each in own
        )
        operation = "query" if is_throughput else operation_of(step, whole.operations)
        steps.append(ComputedStep(step, operation, work_of(step, whole), is_throughput, tuple(own)))
    names = dict.fromkeys((*run.steps, *numbers))
    return replace(run, computed=tuple(steps), steps=run.steps if run.summaries else tuple(names))
