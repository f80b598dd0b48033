"""The names of all metrics, each with its unit and its direction.

A parser names what it reads by this table, so that a throughput is a throughput whichever tool
measured it, and so that the direction belongs to the metric and never to the benchmark.
"""

import re
from typing import NamedTuple

from pipeline.readings import Better


class Meaning(NamedTuple):
    """What a metric's name stands for."""

    unit: str
    better: Better
    meaning: str


METRIC_NAMES: dict[str, Meaning] = {
    # What the benchmark did.
    "throughput": Meaning("operations/s", "higher", "operations finished per second"),
    "queries_per_second": Meaning("queries/s", "higher", "statements sent per second"),
    "operations": Meaning("operations", None, "operations finished"),
    "queries": Meaning("queries", None, "statements sent"),
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
    # The same, where a tool runs one operation many times and tells no more than its time.
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
    "connection_time": Meaning("ms", None, "time to connect: in all, or each where one connects"),
    "throughput_with_connecting": Meaning(
        "operations/s", "higher", "operations per second with the time to connect counted"
    ),
    # What the whole host did meanwhile, the client that drove the benchmark included.
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
}


LATENCY_PERCENTILE = re.compile(r"latency_p(\d+(?:\.\d+)?)")


def meaning_of(name: str) -> Meaning:
    """Return the row of the table; `latency_p<number>` stands for any percentile.

    Raises:
        KeyError: the table has no such name.
    """
    if percentile := LATENCY_PERCENTILE.fullmatch(name):
        return Meaning("ms", "lower", f"{percentile[1]} % of the operations were quicker")
    return METRIC_NAMES[name]


def unit_of(name: str) -> str | None:
    """Return the only unit that a metric of the table may have; None for any other metric."""
    try:
        return meaning_of(name).unit
    except KeyError:
        return None
