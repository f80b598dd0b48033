"""What is measured, in which order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from recipes.rounds import rounds

REPORT = "mariadb-log-flush"
CLIENTS = 16
LOAD = ("oltp_write_only", "--table-size=1000000")
STEP = "oltp_write_only"
SINGLE_WAITS = "single waits"
OFF_CPU = "off-CPU time"
CPU = "CPU time"
"""Steps of their own: a graph and a diff are of one event."""

FLUSHES = ("0", "2", "1")
"""Values of innodb_flush_log_at_trx_commit, from what costs a commit least."""

SETTINGS = (
    "--innodb-buffer-pool-size=1G",
    "--innodb-log-file-size=256M",
    "--performance-schema=ON",
    "--performance-schema-instrument=wait/%=OFF",
    "--performance-schema-instrument=wait/io/%=ON",
    "--performance-schema-instrument=wait/lock/%=ON",
    "--performance-schema-instrument=wait/synch/cond/%=ON",
    "--performance-schema-instrument=idle=ON",
    "--performance-schema-consumer-global-instrumentation=ON",
    "--performance-schema-consumer-thread-instrumentation=ON",
    "--performance-schema-consumer-events-waits-current=ON",
    "--performance-schema-events-waits-history-long-size=1000000",
)

Profile = Literal["waits", "off-cpu", "cpu"]
PROFILES: tuple[Profile, ...] = ("waits", "off-cpu", "cpu")


@dataclass(frozen=True)
class Measuring:
    """One run: a setting, measured or profiled."""

    flush: str
    profile: Profile | None = None

    @property
    def release(self) -> str:
        """The id in the report."""
        return f"flush-{self.flush}"


def order(repeats: int) -> Iterator[list[Measuring]]:
    """Yield what is run on each start of a server."""
    for flushes in rounds(FLUSHES, repeats):
        yield [Measuring(flush) for flush in flushes]
    yield [Measuring(flush, profile) for profile in PROFILES for flush in FLUSHES]
