"""What is measured, in which order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from recipes.mariadb import MARIADB_10_2, MARIADB_10_11, MARIADB_11_4, Release
from recipes.rounds import rounds

REPORT = "mariadb-binlog"
RELEASES = (MARIADB_10_2, MARIADB_10_11, MARIADB_11_4)

BINARY_LOGS: Mapping[str, tuple[str, ...]] = {
    "row": ("--log-bin=binlog", "--binlog-format=ROW"),
    "mixed": ("--log-bin=binlog", "--binlog-format=MIXED"),
    "off": ("--skip-log-bin",),
}
"""The server's options for each."""

TABLE = "--table-size=200000"

SETTINGS = (
    "--innodb-buffer-pool-size=1G",
    "--innodb-log-file-size=96M",
    "--innodb-flush-log-at-trx-commit=0",
    "--sync-binlog=0",
)


@dataclass(frozen=True)
class Workload:
    """One step: a test of sysbench."""

    step: str
    test: str


WORKLOADS = (
    Workload("insert", "oltp_insert"),
    Workload("update", "oltp_update_index"),
    Workload("select", "oltp_point_select"),
)
PROFILED = WORKLOADS[:2]
"""What writes to the binary log."""


@dataclass(frozen=True)
class Measuring:
    """One run: all workloads on one server."""

    release: Release
    binary_log: str
    is_profiled: bool = False

    @property
    def settings(self) -> tuple[str, ...]:
        """The server's options."""
        return (*SETTINGS, *BINARY_LOGS[self.binary_log])


def order(repeats: int) -> Iterator[Measuring]:
    """Yield all runs: each round has every server once, and begins with another one."""
    servers = [(release, binary_log) for binary_log in BINARY_LOGS for release in RELEASES]
    for each in rounds(servers, repeats):
        yield from (Measuring(*server) for server in each)
    for server in servers:
        yield Measuring(*server, is_profiled=True)
