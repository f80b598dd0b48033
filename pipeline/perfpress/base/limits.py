"""Limits for untrusted input: sizes of bundles, and CPU time and memory for reading them."""

import resource
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class BundleLimits:
    """How large a bundle may be."""

    files: int = 20_000
    file_bytes: int = 95_000_000
    """As stored; GitHub refuses files above 100 MB."""
    bundle_bytes: int = 500_000_000
    """As stored: half of what Pages allows for a whole site."""
    plain_bytes: int = 4_000_000_000
    """One file, decompressed."""
    ratio: int = 500
    """Decompressed to stored size; real captures stay below 100."""
    ratio_from_bytes: int = 64_000_000
    """Decompressed size from which the ratio counts: small files may be all zeros."""
    line_bytes: int = 1 << 20
    """Of a text; no tool prints longer ones."""
    document_bytes: int = 64 << 20
    """Of JSON and drawings, which may be one line by nature, and are read as a whole."""


LIMITS = BundleLimits()

SMALLEST, LARGEST = 1e-60, 1e60
"""Of what anything measures; products and ratios of five such numbers are still finite."""


def can_be_computed_with(value: float) -> bool:
    """Return whether a number is zero or of a size that something measures: no ratio overflows."""
    return value == 0 or SMALLEST <= abs(value) <= LARGEST


@dataclass(frozen=True)
class Budget:
    """What one request to a worker may cost: fixed parts, and parts in proportion to its input."""

    cpu_seconds: float
    memory_bytes: int

    @property
    def wall_seconds(self) -> float:
        """Enough for a machine that has other work; beyond it something waits without end."""
        return 10 * self.cpu_seconds

    def words(self, what: str) -> str:
        """Return how much of what there is, for people."""
        if what == "time":
            return f"more than {self.cpu_seconds:,.0f} s of CPU time"
        return f"more than {self.memory_bytes / 1e9:,.1f} GB of memory"


def budget_of(stored_bytes: int) -> Budget:
    """Return what may be spent on an input: three times what the slowest real one takes, or more.

    Measured in CPU seconds a stored megabyte: logs up to 6.4 (sysbench, gzip, 31 to 1; 0.2 when
    plain), captures up to 3.2 (an SVG, gzip, and the start of Node with it; perf script in zstd,
    78 to 1: 0.7). In memory: 161 MB for 15 MB of logs, 166 MB for 1 MB of perf script.
    """
    return Budget(
        cpu_seconds=20 + 20e-6 * stored_bytes,
        memory_bytes=(2 << 30) + 16 * stored_bytes,
    )


def budget_of_file(path: Path) -> Budget:
    """Return what may be spent on a file; on none, or what is not a file, what an empty one may."""
    return budget_of(path.stat().st_size if path.is_file() else 0)


def limit_this_process(most: Mapping[int, int]) -> None:
    """Lower limits of this process for good, by `resource.RLIMIT_…`; none is ever raised."""
    for what, value in most.items():
        _, hard = resource.getrlimit(what)
        bounds = [bound for bound in (value, hard) if bound != resource.RLIM_INFINITY]
        lower = min(bounds, default=resource.RLIM_INFINITY)
        resource.setrlimit(what, (lower, lower))
