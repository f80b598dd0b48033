"""The names of all metrics, each with its unit and its direction.

A parser names what it reads by this table, so that a throughput is a throughput whichever tool
measured it, and so that the direction belongs to the metric and never to the benchmark.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from perfpress.input.logs.readings import Better


class Meaning(NamedTuple):
    """The meaning of a metric's name."""

    unit: str
    better: Better
    meaning: str
    is_exact: bool = False
    """Whether it is counted and not timed: the same code gives the same number, so that one run is
    enough."""


METRIC_NAMES: dict[str, Meaning] = {
    # What the benchmark did.
    "throughput": Meaning("operations/s", "higher", "operations finished per second"),
    "queries_per_second": Meaning("queries/s", "higher", "statements sent per second"),
    "rows_scanned_per_client": Meaning(
        "krows/s", "higher", "rows that each client scanned per second, in the mean"
    ),
    "operations": Meaning("operations", None, "operations finished"),
    "queries": Meaning("queries", None, "statements sent"),
    "operations_per_client": Meaning("operations", None, "operations of each client, in the mean"),
    "operations_per_client_stddev": Meaning(
        "operations", "lower", "standard deviation of the clients' operations: how fair it was"
    ),
    "failed_operations": Meaning(
        "operations", "lower", "operations, or tries of them, that ended in an error"
    ),
    "retried_operations": Meaning("operations", "lower", "operations that were tried again"),
    "retries": Meaning("tries", "lower", "further tries of all operations together"),
    "skipped_operations": Meaning("operations", "lower", "operations left out as too late"),
    "aborted_clients": Meaning("clients", "lower", "clients that gave up"),
    "failed_per_second": Meaning("operations/s", "lower", "failed operations per second"),
    "reconnects_per_second": Meaning("connections/s", "lower", "connections made again per second"),
    "reconnects": Meaning("connections", "lower", "connections made again"),
    "seconds": Meaning("s", None, "how long the run took"),
    # How long one operation took.
    "latency_minimum": Meaning("ms", "lower", "shortest operation"),
    "latency_average": Meaning("ms", "lower", "mean time of an operation"),
    "latency_stddev": Meaning("ms", "lower", "standard deviation of the operations' times"),
    "latency_maximum": Meaning("ms", "lower", "longest operation"),
    # How long it took to make written data durable.
    "sync_latency_minimum": Meaning("ms", "lower", "shortest fsync or fdatasync"),
    "sync_latency_average": Meaning("ms", "lower", "mean time of an fsync or fdatasync"),
    "sync_latency_stddev": Meaning("ms", "lower", "standard deviation of the syncs' times"),
    "sync_latency_maximum": Meaning("ms", "lower", "longest fsync or fdatasync"),
    # The same, where a tool runs one operation many times and reports only its time.
    "time_per_operation": Meaning(
        "ns", "lower", "time of one operation; the median where it was measured repeatedly"
    ),
    "time_per_operation_mean": Meaning("ns", "lower", "mean time of one operation"),
    "time_per_operation_stddev": Meaning(
        "ns", "lower", "standard deviation of the repeats' times of one operation"
    ),
    "time_per_operation_minimum": Meaning("ns", "lower", "quickest repeat, time of one operation"),
    "time_per_operation_maximum": Meaning("ns", "lower", "slowest repeat, time of one operation"),
    "repeats": Meaning("repeats", None, "times that the measuring was repeated inside one run"),
    "iterations": Meaning("operations", None, "operations that one repeat times together"),
    "process_cpu_per_operation": Meaning(
        "ns", "lower", "CPU time of one operation in the benchmark's own process or thread"
    ),
    "allocated_per_operation": Meaning(
        "B", "lower", "memory allocated in one operation", is_exact=True
    ),
    "allocations_per_operation": Meaning(
        "allocations", "lower", "times that one operation allocated memory", is_exact=True
    ),
    "executed_instructions": Meaning(
        "instructions",
        "lower",
        "instructions of one operation, as valgrind counts them",
        is_exact=True,
    ),
    "estimated_cycles": Meaning(
        "cycles",
        "lower",
        "cycles of one operation, estimated from what valgrind counts",
        is_exact=True,
    ),
    "output_bytes": Meaning("B", "lower", "bytes that one operation writes", is_exact=True),
    "items_per_second": Meaning(
        "items/s", "higher", "items that the benchmark reports as processed"
    ),
    "bytes_per_second": Meaning("B/s", "higher", "bytes that the benchmark reports as processed"),
    "connection_time": Meaning("ms", None, "time to connect: in all, or each where one connects"),
    "throughput_with_connecting": Meaning(
        "operations/s", "higher", "operations per second including the time to connect"
    ),
    # What the whole host did meanwhile, the client that drove the benchmark included.
    "cpu_busy": Meaning("%", None, "CPU time in programs and in the kernel, of all CPUs"),
    "cpu_user": Meaning("%", None, "CPU time in programs, of all CPUs"),
    "cpu_system": Meaning("%", None, "CPU time in the kernel, of all CPUs"),
    "cpu_idle": Meaning("%", None, "CPU time unused, of all CPUs"),
    "cpu_wait": Meaning("%", None, "CPU time unused while input or output was awaited"),
    "cpu_stolen": Meaning("%", "lower", "CPU time that the hypervisor gave to others"),
    "cpu_guest": Meaning("%", None, "CPU time in guests of this host"),
    "context_switches": Meaning("switches/s", None, "context switches of the host"),
    "interrupts": Meaning("interrupts/s", None, "interrupts of the host"),
    "runnable": Meaning("threads", None, "threads that run or wait for a CPU"),
    "blocked": Meaning("threads", None, "threads that wait for input or output"),
    "blocks_in": Meaning("KiB/s", None, "read from storage"),
    "blocks_out": Meaning("KiB/s", None, "written to storage"),
    "swap_in": Meaning("KiB/s", "lower", "read back from swap"),
    "swap_out": Meaning("KiB/s", "lower", "written to swap"),
    "reads": Meaning("reads/s", None, "reads that storage devices served"),
    "writes": Meaning("writes/s", None, "writes that storage devices served"),
    "read_volume": Meaning("KiB/s", None, "read from storage devices"),
    "write_volume": Meaning("KiB/s", None, "written to storage devices"),
    # The same of one operation. All count the whole host, and so the client that drove it too.
    "cpu_per_operation": Meaning(
        "µs/operation", "lower", "CPU time of the host in programs and in the kernel"
    ),
    "cpu_share_per_operation": Meaning(
        "%/(operation/s)", "lower", "CPU time in percent of all CPUs, over the operations a second"
    ),
    "context_switches_per_operation": Meaning("switches/operation", "lower", "context switches"),
    "reads_per_operation": Meaning("reads/operation", "lower", "reads from storage"),
    "writes_per_operation": Meaning("writes/operation", "lower", "writes to storage"),
    "read_volume_per_operation": Meaning("KiB/operation", "lower", "read from storage"),
    "write_volume_per_operation": Meaning("KiB/operation", "lower", "written to storage"),
    "writes_per_insert": Meaning(
        "writes/insert", "lower", "writes to storage, over the inserts that run during queries"
    ),
    "write_volume_per_insert": Meaning(
        "KiB/insert", "lower", "written to storage, over the inserts that run during queries"
    ),
    "counted_operations_per_second": Meaning(
        "operations/s", None, "the rate by which a log divides its numbers per operation"
    ),
    # The Insert Benchmark.
    "insert_rate": Meaning(
        "inserts/s", None, "inserts during the queries: held to a target, no result to compare"
    ),
    "insert_rate_target": Meaning("inserts/s", None, "inserts a second that were asked for"),
    "insert_rate_target_per_client": Meaning(
        "inserts/s", None, "inserts a second that each client was asked for"
    ),
    "client_insert_rate": Meaning("inserts/s", None, "inserts of one client of several"),
    "client_delete_rate": Meaning("deletes/s", None, "deletes of one client of several"),
    "client_query_rate": Meaning("queries/s", "higher", "queries of one client of several"),
    "client_insert_maximum": Meaning("ms", "lower", "longest insert, of one client's many rows"),
    "client_delete_maximum": Meaning("ms", "lower", "longest delete, of one client's many rows"),
    "client_query_maximum": Meaning("ms", "lower", "longest query of one client"),
    "database_size": Meaning("GiB", None, "size of the database"),
    "database_directory_size": Meaning("GiB", None, "size of the server's data directory"),
    "server_memory": Meaning("GiB", "lower", "memory that the server held"),
    # What perf counted, of the scope that its heading names.
    "counted_seconds": Meaning("s", None, "how long perf counted"),
    "counted_cpu_time": Meaning("ms", None, "CPU time while perf counted, of what it counted"),
    "counted_cycles": Meaning("cycles", None, "CPU cycles that perf counted"),
    "counted_instructions": Meaning("instructions", None, "instructions that perf counted"),
    "instructions_per_cycle": Meaning("instructions/cycle", "higher", "instructions a CPU cycle"),
    "cycles_per_operation": Meaning("cycles/operation", "lower", "CPU cycles that perf counted"),
    "instructions_per_operation": Meaning(
        "instructions/operation", "lower", "instructions that perf counted"
    ),
    # A command that was timed; often the client.
    "command_seconds": Meaning("s", None, "how long the timed command ran"),
    "command_user_seconds": Meaning("s", None, "CPU time of the timed command in programs"),
    "command_system_seconds": Meaning("s", None, "CPU time of the timed command in the kernel"),
    "command_memory": Meaning("KiB", "lower", "most memory that the timed command held"),
    "command_major_faults": Meaning("faults", "lower", "pages that had to be read from storage"),
    "command_minor_faults": Meaning("faults", None, "pages mapped without reading"),
    "command_voluntary_switches": Meaning("switches", None, "times the timed command waited"),
    "command_involuntary_switches": Meaning("switches", None, "times its CPU was taken away"),
}


class MetricFamily(NamedTuple):
    """Metrics that differ in a number or a name which is part of theirs."""

    name: re.Pattern[str]
    unit: str
    better: Better
    meaning: str
    """With `{}` for that part."""


KINDS = (
    MetricFamily(
        re.compile(r"latency_p(\d+(?:\.\d+)?)"),
        "ms",
        "lower",
        "{} % of the operations were quicker",
    ),
    MetricFamily(
        re.compile(r"sync_latency_p(\d+(?:\.\d+)?)"),
        "ms",
        "lower",
        "{} % of the syncs were quicker",
    ),
    # Percentiles of rates, the worst last: no latencies.
    MetricFamily(
        re.compile(r"insert_rate_p(\d+)"),
        "inserts/s",
        "higher",
        "{} % of the intervals of one client were at least as fast",
    ),
    MetricFamily(
        re.compile(r"query_rate_p(\d+)"),
        "queries/s",
        "higher",
        "{} % of the intervals of one client were at least as fast",
    ),
    # Of an author's table that has ratios only; of another base it is another metric.
    MetricFamily(
        re.compile(r"throughput relative to (\S+)"),
        "ratio",
        "higher",
        "throughput over that of {}, from a table of ratios",
    ),
    MetricFamily(re.compile(r"reads of (\S+)"), "reads/s", None, "reads that the device {} served"),
    MetricFamily(
        re.compile(r"writes of (\S+)"), "writes/s", None, "writes that the device {} served"
    ),
    MetricFamily(re.compile(r"read_volume of (\S+)"), "KiB/s", None, "read from the device {}"),
    MetricFamily(re.compile(r"write_volume of (\S+)"), "KiB/s", None, "written to the device {}"),
    MetricFamily(re.compile(r"read_latency of (\S+)"), "ms", "lower", "mean time of a read of {}"),
    MetricFamily(
        re.compile(r"write_latency of (\S+)"), "ms", "lower", "mean time of a write of {}"
    ),
    MetricFamily(re.compile(r"utilization of (\S+)"), "%", None, "time in which {} had work"),
    MetricFamily(re.compile(r"counted (\S+)"), "events", None, "times that perf counted {}"),
    MetricFamily(
        re.compile(r"rate of (\S+)"), "events/s", None, "times a second that perf counted {}"
    ),
)

EXACT = tuple(name for name, each in METRIC_NAMES.items() if each.is_exact)
"""What is counted and not timed."""


@lru_cache(maxsize=1024)
def meaning_of(name: str) -> Meaning:
    """Return the row of the table, or what the kind of the name means.

    Raises:
        KeyError: the table has no such name.
    """
    for kind in KINDS:
        if found := kind.name.fullmatch(name):
            return Meaning(kind.unit, kind.better, kind.meaning.format(found[1]))
    return METRIC_NAMES[name]


def unit_of(name: str) -> str | None:
    """Return the only unit that a metric of the table may have; None for any other metric."""
    try:
        return meaning_of(name).unit
    except KeyError:
        return None


def scaled(value: float, digits: int) -> float:
    """Return the value with its decimal point moved: seconds to nanoseconds are 9 digits.

    The result is the number that the log would hold had it been written in that unit; 0.00341
    times 1000 would be 3.4100000000000006.
    """
    return float(Decimal(repr(float(value))).scaleb(digits))
