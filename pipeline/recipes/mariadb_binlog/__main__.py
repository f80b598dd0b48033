"""Measures the report on the binary log; see the package for what, how and why."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import accounts, mariadb, mariadb_binlog
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import found_folder, sample_buffer
from recipes.command_line import Options, run_with_options
from recipes.mariadb import Host
from recipes.mariadb_binlog.plan import (
    PROFILED,
    RELEASES,
    REPORT,
    SETTINGS,
    TABLE,
    WORKLOADS,
    Measuring,
    order,
)

NEEDED = {"sysbench": "sysbench", "perf": "linux-perf", "taskset": "util-linux"}
WARM = ("oltp_write_only", "oltp_point_select")
WARM_SECONDS = 1
PROFILED_SECONDS = 30
SAMPLING = Sampling(
    captures=6,
    seconds=3,
    every=4,
    frequency=499,
    call_graph="dwarf,32768",  # with 16 KiB one in six stacks of 10.2 was cut off
    buffer=sample_buffer(),
)


class Recipe:
    """One call of this program."""

    def __init__(self, options: Options) -> None:
        self.options = options
        cpu = max(os.sched_getaffinity(0))
        self.host = Host.create(options.work, pinning=("taskset", "-c", str(cpu)))
        self.folder = found_folder()

    def run(self) -> list[Problem]:
        """Prepare all servers and make all runs; return what went wrong with single ones.

        Raises:
            BadInput: a server cannot be fetched or prepared.
        """
        for release in RELEASES:
            mariadb.install(self.host, release)
            mariadb.prepare(self.host, release, SETTINGS, ("oltp_insert", TABLE))
        return make_bundles(map(self._turn, order(self.options.repeats)), self.options.out)

    def _turn(self, one: Measuring) -> Turn:
        what = "profile" if one.is_profiled else "rates"
        title = f"MariaDB {one.release.version}, binary log {one.binary_log}: {what}"
        return Turn(title, lambda directory: self._measure(one, directory))

    def _measure(self, one: Measuring, directory: Path) -> schema.Run:
        with mariadb.running_on_copy(self.host, one.release, one.settings):
            for test in WARM:
                accounts.run(self._command(test, WARM_SECONDS))
            return schema.Run(
                schema=1,
                report=REPORT,
                release=one.release.version,
                benchmark="sysbench",
                host=self.options.host_name,
                config=f"binlog-{one.binary_log}",
                clients=1,
                attachments=mariadb.attach_settings(self.host, directory),
                tools={**one.release.tools, **tool_versions(("sysbench", "perf"))},
                steps=tuple(self._steps(one, directory)),
            )

    def _steps(self, one: Measuring, directory: Path) -> Iterator[schema.Step]:
        for workload in PROFILED if one.is_profiled else WORKLOADS:
            seconds = PROFILED_SECONDS if one.is_profiled else self.options.seconds
            command = self._command(workload.test, seconds)
            request = StepRequest(workload.step, workload.step, command, log="sysbench.txt")
            if one.is_profiled:
                request = replace(request, profiling=self.host.profiling(SAMPLING, self.folder))
            yield measure_step(request, directory).step

    def _command(self, test: str, seconds: int) -> tuple[str, ...]:
        options = ("--threads=1", f"--time={seconds}", "--report-interval=1", "run")
        return (*self.host.sysbench(), test, TABLE, *options)


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    return run_with_options(
        mariadb_binlog, lambda options: Recipe(options).run(), NEEDED, repeats=6, seconds=5
    )


if __name__ == "__main__":
    sys.exit(main())
