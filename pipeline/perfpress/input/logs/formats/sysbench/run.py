"""Reads the lines of one run of sysbench."""

from msgspec.structs import replace

from perfpress.input.logs.formats.sysbench.command import command_facts, disagreements, name_facts
from perfpress.input.logs.formats.sysbench.lines import (
    BEGINS,
    BUCKET,
    CHECKPOINT,
    CPUS,
    DECIMAL_COMMA,
    EVENTS_PER_SECOND,
    EXECUTION_TIME,
    FACT,
    FAILURE,
    IN_INTERVAL,
    INTERVAL,
    INTERVAL_LATENCY,
    INTERVAL_LATENCY_05,
    LEFT_OUT,
    OF_TWO_NUMBERS,
    PERCENTILE,
    SINGLE,
    STARTED,
    TRANSACTIONS,
    VERSION,
)
from perfpress.input.logs.formats.sysbench.plans import PlanNotes, count_of
from perfpress.input.logs.parser import Notes, excerpt, why_skipped
from perfpress.input.logs.readings import Histogram, LogReading


class Run:
    """One run: what was noted of it so far."""

    def __init__(self, file: str, first_line: int) -> None:
        self.first_line = self.last_line = first_line
        self.notes = Notes("sysbench", file)
        self.plans = PlanNotes(self.notes)
        self._buckets: list[tuple[float, int]] = []
        self._first_bucket = 0
        self._mean_execution = 0.0
        """Seconds that a thread executed events, in the mean of the threads."""
        self._has_begun = self._has_checkpoints = self._has_commas = False
        self._open_end: tuple[str, int] = ("", 0)
        """The last metric whose number is at the very end of its line, and the line."""

    @property
    def facts(self) -> dict[str, str]:
        """What the log states besides numbers, by name."""
        return self.notes.facts

    @property
    def is_whole(self) -> bool:
        """Whether it came to its statistics: they state the time that it took."""
        return "seconds" in self.notes.metrics

    def is_followed_by(self, line: str) -> bool:
        """Return whether a line, not part of a plan, begins another run."""
        if line.startswith(BEGINS):
            return self._has_begun or self.is_whole
        if self.is_whole and not self._has_checkpoints:
            rates = (TRANSACTIONS, EVENTS_PER_SECOND, INTERVAL, VERSION)
            if line.startswith(STARTED) or any(pattern.match(line) for pattern in rates):
                return True
        return (self._has_begun or self.is_whole) and bool(command_facts(line))

    def read(self, line: str, number: int) -> None:
        """Read a line that is not part of a plan."""
        if line.startswith(BEGINS):
            self._has_begun = True
        if interval := INTERVAL.match(line):
            self._read_interval(float(interval[1]), interval[2], number)
        elif not self._read_summary(line, number) and not self._read_other(line, number):
            self._leave_out(line, number)

    def reading(self) -> LogReading:
        """Return all that was noted, and what is wrong with it."""
        notes = self.notes
        plans = self.plans.plans()
        self._leave_out_cut_number()
        named = name_facts(notes.file)
        self._note_scans(named.test or self.facts.get("script", ""))
        self._check_whole()
        for what, log, name in disagreements(self.facts, named):
            self._complain(
                f"{what} {log}, where the name of the file says {name}",
                "a log under the name that it was written to",
                "correct the name, or the log's header if that was edited",
            )
        for name, value in (("test", named.test), ("range", named.range)):
            if value:
                self.facts.setdefault(name, excerpt(value))
        return replace(notes.reading(), histograms=self._histograms(), plans=plans)

    def _read_interval(self, seconds: float, rest: str, line: int) -> None:
        latency = None
        if found := INTERVAL_LATENCY.search(rest):
            latency = found[1], found[2]
        elif found := INTERVAL_LATENCY_05.search(rest):
            latency = found[2], found[1]
        if latency:
            self.notes.sample(f"latency_p{latency[0]}", seconds, float(latency[1]), line)
        is_read = False
        for name, pattern in IN_INTERVAL:
            if found := pattern.search(rest):
                self.notes.sample(name, seconds, float(found[1]), line)
                is_read = True
        if not is_read:
            self._leave_out(rest, line)

    def _read_summary(self, line: str, number: int) -> bool:
        # A page that it was copied from may have made the spaces non-breaking ones.
        if not line[:1].isspace():
            return False
        notes = self.notes
        for names, pattern in OF_TWO_NUMBERS:
            if found := pattern.match(line):
                for name, value in zip(names, found.groups(), strict=False):
                    notes.measure(name, float(value), number)
                return True
        for name, pattern in SINGLE:
            if found := pattern.match(line):
                if name == "throughput":
                    # 1.1 states it a second time, as events/s, with more digits.
                    notes.metrics.pop(name, None)
                self._measure_at_end(name, found[1], line, number)
                return True
        if percentile := PERCENTILE.match(line):
            self._measure_at_end(f"latency_p{percentile[1]}", percentile[2], line, number)
        elif bucket := BUCKET.match(line):
            self._first_bucket = self._first_bucket or number
            self._buckets.append((float(bucket[1]), int(bucket[2])))
        else:
            return False
        return True

    def _measure_at_end(self, name: str, value: str, line: str, number: int) -> None:
        self.notes.measure(name, float(value), number)
        if line.endswith(value):
            self._open_end = name, number

    def _read_other(self, line: str, number: int) -> bool:
        if version := VERSION.match(line):
            self.facts.setdefault("sysbench", excerpt(version[1]))
        elif fact := FACT.match(line):
            self.facts.setdefault(fact[1], excerpt(fact[2]))
        elif cpus := CPUS.match(line):
            self.facts.setdefault("CPUs", excerpt(cpus[1]))
        elif CHECKPOINT.match(line):
            self._has_checkpoints = True
            self.notes.partial = True
            self._complain(
                "a checkpoint report: it and all later statistics cover a part of the run",
                "statistics of the whole run",
                "run the step again without --report-checkpoints",
                number,
            )
        elif FAILURE.match(line):
            self.notes.partial |= line.startswith(("FATAL", "PANIC"))
            self.notes.complain_of(line, number)
        elif facts := command_facts(line):
            for name, value in facts.items():
                self.facts.setdefault(name, value)
        else:
            return False
        return True

    def _leave_out(self, line: str, number: int) -> None:
        if found := EXECUTION_TIME.match(line):
            self._mean_execution = self._mean_execution or float(found[1])
        if reason := why_skipped(LEFT_OUT, line):
            self.notes.skip(reason, number)
            return
        if DECIMAL_COMMA.match(line):
            self._has_commas = self.notes.partial = True
            self._complain(
                f"a number with a comma: {excerpt(line.strip(), 80)}",
                "a decimal point and no separators, as sysbench writes them",
                "write the log again in the C locale",
                number,
            )
        self.notes.skip("line that is not sysbench's", number)

    def _histograms(self) -> tuple[Histogram, ...]:
        if not self._buckets:
            return ()
        values, counts = zip(*self._buckets, strict=True)
        return (
            Histogram(
                name="latency",
                unit="ms",
                values=values,
                # sysbench rounds the logarithm of a time to the next bucket.
                values_are="middle",
                counts=counts,
                first_line=self._first_bucket,
            ),
        )

    def _note_scans(self, test: str) -> None:
        """Note what a client scanned a second; each event of a scan reads one table whole.

        As computed by the author of the scan test: events × (table size ÷ threads) ÷ mean execution
        time of a thread ÷ 1000.
        """
        size, threads = self.facts.get("table size", ""), self.facts.get("Number of threads", "")
        events = self.notes.metrics.get("operations")
        if "scan" not in test or events is None or self._mean_execution == 0:
            return
        if not (rows_of_table := count_of(size)) or not (clients := count_of(threads)):
            return
        rows = events.value * rows_of_table / clients
        note = "events × (table size ÷ threads) ÷ mean execution time of a thread"
        self.notes.measure(
            "rows_scanned_per_client", rows / self._mean_execution / 1000, events.line, note
        )

    def _check_whole(self) -> None:
        """Complain where sysbench did not come to its statistics, or did nothing."""
        notes = self.notes
        self._derive_throughput()
        throughput = notes.metrics.get("throughput")
        if throughput is not None:
            if throughput.value == 0:
                self._complain(
                    "no operation was finished",
                    "a throughput above 0",
                    "fix the cause and run the step again",
                    throughput.line,
                )
            return
        notes.partial = True
        if self._has_commas:
            return
        if self._has_begun or notes.metrics or notes.series or self.facts:
            self._complain(
                "no line 'transactions: …' or 'events/s': the log breaks off",
                "sysbench's statistics at the end",
                "run the step again; the interval lines that are there are kept",
            )
        else:
            self._complain(
                "no line that sysbench prints",
                "output of sysbench",
                "name the log that belongs to the step, or correct [step.formats]",
            )

    def _leave_out_cut_number(self) -> None:
        """Leave out a number that the log ends with: `640.5` may be what is left of `640.55`."""
        name, line = self._open_end
        if line != self.last_line:
            return
        self.notes.metrics.pop(name, None)
        self.notes.partial = True
        self._complain(
            f"the log ends with the {name.replace('_', ' ')}, which may be cut",
            "sysbench's statistics to their end",
            "copy the file again from where it was written",
            line,
        )

    def _derive_throughput(self) -> None:
        """Compute the rate for tests that print none: memory, threads, mutex, fileio."""
        metrics = self.notes.metrics
        events, seconds = metrics.get("operations"), metrics.get("seconds")
        if "throughput" in metrics or events is None or seconds is None or seconds.value <= 0:
            return
        rate = events.value / seconds.value
        self.notes.measure("throughput", rate, events.line, "events ÷ total time")

    def _complain(self, found: str, expected: str, do: str, line: int = 0) -> None:
        self.notes.complain(line=line, found=found, expected=expected, do=do)
