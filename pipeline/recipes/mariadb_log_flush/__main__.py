"""Measures the report on commits that wait for the log; see the package for what, how and why."""

import gzip
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from perfpress.base.problems import Problem
from perfpress.host.capture.machine import tool_versions
from perfpress.host.capture.profiler import Sampling
from perfpress.host.capture.step import StepRequest
from perfpress.input.bundles import schema

from recipes import accounts, mariadb, mariadb_log_flush, off_cpu
from recipes.bundles import Turn, make_bundles, measure_step
from recipes.captures import Captures, folded, found_folder, taken_during
from recipes.command_line import Options, run_with_options
from recipes.mariadb import MARIADB_10_2, MARIADB_11_4, Host, Release
from recipes.mariadb_log_flush import waits
from recipes.mariadb_log_flush.plan import (
    CLIENTS,
    CPU,
    LOAD,
    OFF_CPU,
    REPORT,
    SETTINGS,
    SINGLE_WAITS,
    STEP,
    Measuring,
    order,
)

RELEASES = (MARIADB_10_2, MARIADB_11_4)
NEEDED = {"sysbench": "sysbench", "perf": "linux-perf", "runuser": "util-linux"}
WARM_SECONDS = 5
WINDOW = 2.0
"""Of sums of waits, in seconds."""
SHORT_WINDOW = 0.5
"""Of single waits: there are a hundred thousand a second."""
OFF_CPU_SECONDS = 0.2
"""The server switches 100,000 times a second, each with 8 KiB of stack."""
PROFILED_SECONDS = 14
SAMPLING = Sampling(captures=4, seconds=2, every=3, frequency=499, call_graph="dwarf,16384")


class Recipe:
    """One call of this program."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.host = Host.create(options.work)
        self.folder = found_folder()

    def run(self) -> list[Problem]:
        """Prepare both servers and make all runs; return what went wrong with single ones.

        Raises:
            BadInput: a server cannot be fetched or prepared.
        """
        for release in RELEASES:
            mariadb.install(self.host, release)
            mariadb.prepare(self.host, release, SETTINGS, LOAD)
        return make_bundles(self._turns(), self.options.out)

    def _turns(self) -> Iterator[Turn]:
        for measurings in order(self.options.repeats):
            for release in RELEASES:
                with mariadb.running_on_copy(self.host, release, SETTINGS):
                    accounts.run(self._command(WARM_SECONDS))
                    for one in measurings:
                        yield self._turn(one, release)

    def _turn(self, one: Measuring, release: Release) -> Turn:
        what = one.profile or "rates"
        title = f"MariaDB {release.version}, {one.release}: {what}"
        return Turn(title, lambda directory: self._measure(one, release, directory))

    def _measure(self, one: Measuring, release: Release, directory: Path) -> schema.Run:
        self.host.query(f"SET GLOBAL innodb_flush_log_at_trx_commit = {one.flush}")
        return schema.Run(
            schema=1,
            report=REPORT,
            release=one.release,
            benchmark="sysbench",
            host=self.options.host_name,
            config=f"mariadb-{release.version}",
            clients=CLIENTS,
            attachments=mariadb.attach_settings(self.host, directory),
            tools={**release.tools, **tool_versions(("sysbench", "perf"))},
            steps=tuple(self._steps(one, directory)),
        )

    def _steps(self, one: Measuring, directory: Path) -> Iterator[schema.Step]:
        taken = {
            "waits": (
                (STEP, Captures("waits.txt.gz", self._sums, WINDOW)),
                (SINGLE_WAITS, Captures("waits.folded.gz", self._single, SHORT_WINDOW)),
            ),
            "off-cpu": ((OFF_CPU, self._off_cpu()),),
        }
        if one.profile is None:
            yield measure_step(self._request(STEP, self.options.seconds), directory).step
        elif one.profile == "cpu":
            request = self._request(CPU)
            request = replace(request, profiling=self.host.profiling(SAMPLING, self.folder))
            yield measure_step(request, directory).step
        else:
            for step, captures in taken[one.profile]:
                yield taken_during(self._request(step), directory, captures)

    def _command(self, seconds: float) -> tuple[str, ...]:
        options = (f"--threads={CLIENTS}", f"--time={seconds:g}", "--report-interval=1", "run")
        return (*self.host.sysbench(), *LOAD, *options)

    def _request(self, step: str, seconds: int = PROFILED_SECONDS) -> StepRequest:
        return StepRequest(step, "transaction", self._command(seconds), log="sysbench.txt")

    def _off_cpu(self) -> Captures:
        return off_cpu.off_cpu(
            lambda: f"--pid={self.host.pid}", "dwarf,8192", OFF_CPU_SECONDS, self.folder
        )

    def _sums(self) -> Callable[[], bytes]:
        return partial(gzip.compress, waits.sums(self.host, WINDOW).encode(), mtime=0)

    def _single(self) -> Callable[[], bytes]:
        return partial(folded, waits.single(self.host, SHORT_WINDOW), self.folder)


def main() -> int:
    """Run the recipe; return 0, or 1 with what is wrong on stderr."""
    return run_with_options(
        mariadb_log_flush, lambda options: Recipe(options).run(), NEEDED, repeats=4, seconds=8
    )


if __name__ == "__main__":
    sys.exit(main())
