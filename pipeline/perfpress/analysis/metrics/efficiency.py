"""Host resources per operation: CPU time, context switches, reads and writes.

All counters cover the whole host and include the client that drove the benchmark, except those of
perf, which say themselves what they are of. A log that states numbers per operation wins over
those computed from counters; where both are there and differ, a note says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from statistics import median

from perfpress.analysis.metrics.validity import why_not
from perfpress.analysis.study.measured import Measurement
from perfpress.analysis.study.study import StepRun
from perfpress.base.display import number, percent_change
from perfpress.input.logs.metric_names import meaning_of
from perfpress.input.logs.readings import Better

SAME_RATE = 0.01
"""By how much the rate that a log divides by may differ from the step's throughput. Beyond that it
counts other operations, as thousands of rows for scans."""
SAME_NUMBER = 0.02
"""By how much a stated number may differ from a computed one without a word …"""
ROUNDED = 0.0005
ROUNDED_CPU = 0.5
"""… and by what logs round: to three decimals, and to whole µs of CPU time."""

OWN_RATE = "counted_operations_per_second"

NO_CPUS = "neither run.toml (machine.cpus) nor a log says how many CPUs the host has"
NO_COUNTER = {
    "cpu_per_operation": "no whole vmstat log",
    "context_switches_per_operation": "no whole vmstat log",
    "reads_per_operation": "no whole iostat log",
    "read_volume_per_operation": "no whole iostat or vmstat log",
    "writes_per_operation": "no whole iostat log",
    "write_volume_per_operation": "no whole iostat or vmstat log",
    "cycles_per_operation": "no perf stat log with cycles and their counting time",
    "instructions_per_operation": "no perf stat log with instructions and their counting time",
}
"""What is missing where a number is neither stated nor computed. Its keys are all numbers that
there are, in the order of tables."""

COUNTERS: dict[str, tuple[str, ...]] = {
    "context_switches_per_operation": ("context_switches",),
    "reads_per_operation": ("reads",),
    "read_volume_per_operation": ("read_volume", "blocks_in"),
    "writes_per_operation": ("writes",),
    "write_volume_per_operation": ("write_volume", "blocks_out"),
}
"""Counters per second, by the number computed from them; the first available one."""
COUNTED_IN_ALL = {
    "cycles_per_operation": "counted_cycles",
    "instructions_per_operation": "counted_instructions",
}


USED = frozenset(
    (
        *NO_COUNTER,
        "cpu_share_per_operation",
        *("cpu_user", "cpu_busy"),
        *(name for names in COUNTERS.values() for name in names),
        *COUNTED_IN_ALL.values(),
    )
)
"""What numbers are made of; a run with none of these has no number."""
READ = USED | {"throughput", OWN_RATE, "cpu_system", "counted_seconds"}
"""With what these are divided by or added to."""


@dataclass(frozen=True, slots=True)
class PerOperation:
    """One number of one operation, or why there is none."""

    name: str
    """One of `NO_COUNTER`."""
    value: float | None
    unit: str
    better: Better
    file: str = ""
    """The file inside the bundle that holds the number or its counter; empty where there is no
    number, or where it is a median over runs."""
    line: int = 0
    source: str = ""
    """How it was made, in words with the numbers."""
    reason: str = ""
    """Why there is no number; empty where there is one."""
    differs: str = ""
    """What another log gives instead, where it gives something else."""

    @property
    def includes_client(self) -> bool:
        """Whether it covers the whole host; for perf's counts, the log's heading says what."""
        return self.name not in COUNTED_IN_ALL


@dataclass(frozen=True)
class Cpus:
    """How many CPUs a host has that percentages are of."""

    count: int
    source: str
    """The source of the count."""


Stated = Mapping[str, Sequence[Measurement]]
"""All measurements of a run that count, by name, in the order of the logs."""


def efficiency(step_run: StepRun) -> dict[str, PerOperation]:
    """Return all numbers per operation of one run, by name in the order of tables."""
    if reason := why_not(step_run, "throughput"):
        return {name: _absent(name, reason) for name in NO_COUNTER}
    return per_operation(_stated(step_run), cpus_of(step_run))


def cpus_of(step_run: StepRun) -> Cpus | None:
    """Return the number of CPUs by run.toml or by a log; None where neither has it.

    Not by iostat, which counts CPUs that are switched off as well.
    """
    stated = step_run.bundle.run.machine.get("cpus")
    if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0:
        return Cpus(stated, "run.toml")
    for file, text in step_run.outline.cpus:
        if text.isascii() and text.isdigit() and 0 < float(text) < 1e6:
            return Cpus(int(text), file)
    return None


def per_operation(stated: Stated, cpus: Cpus | None) -> dict[str, PerOperation]:
    """Return all numbers per operation, by name in the order of tables.

    CPU time is (user + system) / 100 × CPUs × 10⁶ ÷ operations per second; the others are what was
    counted a second ÷ operations per second.

    Args:
        stated: by log and run.toml.
        cpus: of the host.
    """
    rates = stated.get("throughput")
    if not rates or rates[0].value <= 0:
        return {name: _absent(name, "no throughput") for name in NO_COUNTER}
    if not stated.keys() & USED:
        return _nothing_counted()
    numbers = _Numbers(stated, cpus, rates[0].value)
    return {name: numbers.number(name) for name in NO_COUNTER}


def median_efficiency(runs: Sequence[Mapping[str, PerOperation]]) -> dict[str, PerOperation]:
    """Return the medians over the repeats of a cell; a number is there if any repeat has it."""
    if runs and all(run is _nothing_counted() for run in runs):
        return _nothing_counted()
    return {name: _median(name, [run[name] for run in runs]) for name in NO_COUNTER}


def _median(name: str, numbers: Sequence[PerOperation]) -> PerOperation:
    known = [each for each in numbers if each.value is not None]
    if not known:
        reasons = sorted({each.reason for each in numbers})
        return _absent(name, "; ".join(reasons) or "no run that counts")
    if len(known) == 1:
        return known[0]
    differs = "; ".join(dict.fromkeys(each.differs for each in known if each.differs))
    value = median(each.value for each in known if each.value is not None)
    source = f"median of {len(known)} runs"
    return replace(known[0], value=value, file="", line=0, source=source, differs=differs)


@lru_cache(maxsize=1024)  # most runs of an archive lack the same numbers
def _absent(name: str, reason: str) -> PerOperation:
    unit, better, *_ = meaning_of(name)
    return PerOperation(name, None, unit, better, reason=reason)


@cache  # one object: it is what most runs of an archive of throughput have
def _nothing_counted() -> dict[str, PerOperation]:
    return {name: _absent(name, reason) for name, reason in NO_COUNTER.items()}


def _stated(step_run: StepRun) -> Stated:
    """Return all that counts: the measurements as chosen first, then those in their shadow."""
    partial = step_run.outline.partial
    found: dict[str, list[Measurement]] = {
        name: [chosen]
        for name in step_run.measured
        if name in READ and (chosen := step_run.measured[name]).file not in partial
    }
    for name, each in step_run.outline.restated:
        if each.file not in partial and each not in found.setdefault(name, []):
            found[name].append(each)
    return found


@dataclass(frozen=True)
class _Numbers:
    """Makes the numbers of one run."""

    stated: Stated
    cpus: Cpus | None
    rate: float
    """Operations per second."""

    def number(self, name: str) -> PerOperation:
        stated = self._stated_number(name)
        computed = self._computed(name, stated.file)
        if stated.value is None:
            return stated if stated.reason and computed.value is None else computed
        rounded = ROUNDED_CPU if name == "cpu_per_operation" else ROUNDED
        near = max(SAME_NUMBER * stated.value, rounded)
        if computed.value is None or abs(computed.value - stated.value) <= near:
            return stated
        change = f" ({percent_change(computed.value / stated.value)})" if stated.value else ""
        return replace(stated, differs=f"{computed.file} gives {number(computed.value)}{change}")

    def _stated_number(self, name: str) -> PerOperation:
        found = self._of_these_operations(name)
        if found:
            return self._made(name, found.value, found, f"as {found.file} states")
        share = self._of_these_operations("cpu_share_per_operation")
        if name != "cpu_per_operation" or share is None:
            return _absent(name, "")
        if self.cpus is None:
            return _absent(name, NO_CPUS)
        value = share.value / 100 * self.cpus.count * 1e6
        words = f"{number(share.value)} % of {self._all_cpus} by {share.file}"
        return self._made(name, value, share, words)

    def _of_these_operations(self, name: str) -> Measurement | None:
        """Return what a log states, where it counts the operations that throughput counts."""
        rates = {each.file: each.value for each in self.stated.get(OWN_RATE, ())}
        for each in self.stated.get(name, ()):
            own = rates.get(each.file, self.rate)
            if abs(own - self.rate) <= SAME_RATE * self.rate:
                return each
        return None

    def _computed(self, name: str, but: str) -> PerOperation:
        """Return a number made of counters, if there are any in a file other than `but`."""
        if name == "cpu_per_operation":
            return self._computed_cpu(but)
        if name in COUNTED_IN_ALL:
            return self._computed_of_whole(name)
        for counter in COUNTERS[name]:
            if found := self._first(counter, but):
                words = f"{number(found.value)} {found.unit}"
                return self._made(name, found.value / self.rate, found, self._over(words))
        return _absent(name, NO_COUNTER[name])

    def _computed_cpu(self, but: str) -> PerOperation:
        name = "cpu_per_operation"
        user = self._first("cpu_user", but)
        system = self._from_same_file(user, "cpu_system")
        busy = self._first("cpu_busy", but)
        if user and system:
            found, percent = user, user.value + system.value
        elif busy:
            found, percent = busy, busy.value
        else:
            return _absent(name, NO_COUNTER[name])
        if self.cpus is None:
            return _absent(name, NO_CPUS)
        value = percent / 100 * self.cpus.count * 1e6 / self.rate
        words = f"{number(percent)} % of {self._all_cpus}"
        return self._made(name, value, found, self._over(words))

    def _computed_of_whole(self, name: str) -> PerOperation:
        total = self._first(COUNTED_IN_ALL[name])
        seconds = self._from_same_file(total, "counted_seconds")
        if not total or not seconds or seconds.value <= 0:
            return _absent(name, NO_COUNTER[name])
        words = f"{number(total.value)} {total.unit} in {number(seconds.value)} s"
        value = total.value / seconds.value / self.rate
        return self._made(name, value, total, self._over(words))

    def _first(self, name: str, but: str = "") -> Measurement | None:
        """Return the first measurement of a name, those of one file left out."""
        return next((each for each in self.stated.get(name, ()) if each.file != but), None)

    def _from_same_file(self, other: Measurement | None, name: str) -> Measurement | None:
        """Return the measurement of a name from the file of another one."""
        found = (each for each in self.stated.get(name, ()) if other and each.file == other.file)
        return next(found, None)

    @property
    def _all_cpus(self) -> str:
        return f"{self.cpus.count} CPUs ({self.cpus.source})" if self.cpus else ""

    def _over(self, words: str) -> str:
        return f"{words} \N{DIVISION SIGN} {number(self.rate)} operations/s"

    def _made(self, name: str, value: float, found: Measurement, source: str) -> PerOperation:
        unit, better, *_ = meaning_of(name)
        return PerOperation(name, value, unit, better, found.file, found.line, source)
