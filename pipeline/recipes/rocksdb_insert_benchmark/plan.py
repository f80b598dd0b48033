"""What is measured, in which order."""

from collections.abc import Iterator
from dataclasses import dataclass

from recipes.rocksdb import ROCKSDB_6, ROCKSDB_8, ROCKSDB_10, Release
from recipes.rounds import rounds

REPORT = "rocksdb-insert-benchmark"
RELEASES = (ROCKSDB_6, ROCKSDB_8, ROCKSDB_10)


@dataclass(frozen=True)
class Step:
    """A step, with the arguments that make the program run it."""

    name: str
    operation: str
    work: str
    amount: int = 0
    """Rows; zero for all. Of queries the seconds are an option of the recipe."""
    rate: int = 0

    @property
    def is_query(self) -> bool:
        """Whether it begins on a database with nothing left to compact."""
        return self.work == "query"

    @property
    def is_profiled(self) -> bool:
        """Whether it lasts long enough, and does what the report looks at."""
        return self.is_query or self.work == "insert"

    def words(self, seconds: int) -> tuple[str, ...]:
        """Return the arguments of the program."""
        if self.is_query:
            return (self.work, str(seconds), str(self.rate))
        return (self.work, str(self.amount))


STEPS = (
    Step("l.i0", "insert", "load", 300_000),
    Step("l.x", "row indexed", "index"),
    Step("l.i1", "insert", "insert", 250_000),
    *(Step(f"q{rate}", "query", "query", rate=rate) for rate in (100, 500, 1000)),
)


@dataclass(frozen=True)
class Measuring:
    """One run: all steps on one release."""

    release: Release
    is_profiled: bool = False


def order(repeats: int) -> Iterator[Measuring]:
    """Yield all runs: each round has every release once, and begins with another."""
    for releases in rounds(RELEASES, repeats):
        yield from map(Measuring, releases)
    for release in RELEASES:
        yield Measuring(release, is_profiled=True)
