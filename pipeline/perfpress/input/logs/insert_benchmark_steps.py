"""The steps of the Insert Benchmark, under all the names that they have had.

After its author's description: http://smalldatum.blogspot.com/2023/05/updates-to-insert-benchmark.html
and the scripts in https://github.com/mdcallag/mytools, bench/ibench.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import PurePath

MET = 0.95
"""Of its target, from which on an insert rate is met: as the author's reports count."""


@dataclass(frozen=True)
class InsertBenchmarkStep:
    """One step."""

    name: str
    operation: str
    """What its throughput counts, in the singular."""
    meaning: str
    insert_rate: int | None = None
    """Inserts a second that each client is held to during its queries, and deletes as many; None
    where inserts are what is measured."""


LOADS = {
    "l": ("insert", "insert with all secondary indexes in place"),
    "l.i0": ("insert", "insert in primary key order, no secondary indexes"),
    "l.x": ("row", "create three secondary indexes; counts indexed rows"),
    "l.i1": ("insert", "insert and delete with secondary indexes, 50 rows a commit"),
    "l.i2": ("insert", "insert and delete with secondary indexes, 5 rows a commit"),
}

# q100 · q100.1 · q100.L1 · qr100.L1 · qp500.L4
QUERIES = re.compile(r"q([rp]?)(\d{1,6})(?:\.L?\d+)?", re.ASCII)
# q.L1.ips100
QUERIES_OF_2023 = re.compile(r"q\.L\d+\.ips(\d{1,6})", re.ASCII)

KINDS = {"": "range queries", "r": "range queries", "p": "point queries"}

AFTER_LOAD: tuple[tuple[str, ...], ...] = (
    tuple(f"q{rate}.{turn}" for rate in (100, 200, 400, 600, 800, 1000) for turn in (1, 2)),
    ("qr100.L1", "qp100.L2", "qr500.L3", "qp500.L4", "qr1000.L5", "qp1000.L6"),
    ("q100", "q500", "q1000"),
    ("q1000", "q100"),
)
"""The orders in which the steps with queries have been run."""
LOAD_ORDERS = (("l.i0", "l.x", "l.i1"), ("l.i0", "l.x", "l.i1", "l.i2"), ("l",))


def step_called(name: str) -> InsertBenchmarkStep | None:
    """Return the step of a name, or None where no step was ever called so."""
    if name in LOADS:
        return InsertBenchmarkStep(name, *LOADS[name])
    kind, rate = "", ""
    if found := QUERIES.fullmatch(name):
        kind, rate = found[1], found[2]
    elif found := QUERIES_OF_2023.fullmatch(name):
        rate = found[1]
    if not rate or int(rate) == 0:
        return None
    meaning = f"{KINDS[kind]} while each client inserts and deletes {int(rate)} rows a second"
    return InsertBenchmarkStep(name, "query", meaning, int(rate))


def step_of_file(path: str) -> InsertBenchmarkStep | None:
    """Return the step in a file's name or in a folder above it: `mrg.l.i1`, `q100/o.res.dop8`.

    Args:
        path: with `/`, as logs are shown.
    """
    for part in reversed(PurePath(path).parts):
        if step := step_called(part) or step_called(part.removeprefix("mrg.")):
            return step
    return None


def steps_in_order(rates: Sequence[tuple[float, float]]) -> tuple[InsertBenchmarkStep, ...] | None:
    """Return the steps that the lines of a summary are of, which has no names but a fixed order.

    Steps are known by their number, and by the rates of inserts: most of them must be near their
    targets, for one number of clients.

    Args:
        rates: inserts and queries a second, of each line; a line without queries belongs to a load.

    Returns:
        None where the lines fit no order that is known.
    """
    loads = sum(1 for _, queries in rates if queries == 0)
    if any(queries == 0 for _, queries in rates[loads:]):
        return None
    before = next((order for order in LOAD_ORDERS if len(order) == loads), None)
    for after in AFTER_LOAD:
        steps = [step_called(name) for name in (*(before or ()), *after)]
        known = [step for step in steps if step is not None]
        inserts = [rate for rate, _ in rates[loads:]]
        targets = [step.insert_rate or 0 for step in known[loads:]]
        if before and len(known) == len(rates) and _fits(inserts, targets):
            return tuple(known)
    return None


def _fits(inserts: Iterable[float], targets: Iterable[int]) -> bool:
    ratios = [rate / target for rate, target in zip(inserts, targets, strict=True)]
    if not isfinite(max(ratios)):  # of a damaged log
        return False
    clients = max(1, round(max(ratios)))
    near = [ratio for ratio in ratios if MET <= ratio / clients <= 1 / MET]
    return max(ratios) <= clients / MET and 2 * len(near) >= len(ratios)
