"""The verdicts on a metric, in a file: in memory those of a large archive would take most of it.

What files of all cells say of them is in memory, as to read them all takes seconds.
"""

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from errno import ENOSPC
from hashlib import sha256
from itertools import accumulate
from math import isnan, nan
from sys import intern
from typing import BinaryIO, NamedTuple

import msgspec

from perfpress.analysis.study.profiles import CellKey, StepKey
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.groups import grouped

MOST_IN_MEMORY = 1024
"""Cells whose verdicts were asked for last: the pages of a release ask for its verdicts often."""


_decoded = msgspec.msgpack.Decoder(tuple[Verdict, ...]).decode


class Brief(NamedTuple):
    """A verdict in brief."""

    base: str
    """The release compared with."""
    words: str
    ratio: float | None
    """None where there are no two numbers to compare."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """The verdicts on a release, of which each cell's can be read alone."""

    cells: tuple[StepKey, ...]
    briefs: tuple[tuple[Brief, ...], ...]
    """By cell."""
    labels: tuple[str, ...]
    """Of the releases that verdicts name, besides their own and the one compared with."""
    counts: tuple[tuple[str, str, State, int], ...]
    """By variant and the release compared with: how many steps have each verdict."""
    verdicts: tuple[msgspec.Raw, ...]
    """Of each cell; they are the last bytes."""


def packed(verdicts: Iterable[Verdict], labels: Iterable[str]) -> bytes:
    """Return the verdicts on a release as `KeptVerdicts` takes them.

    Args:
        verdicts: on cells of one release, those of a cell in their order.
        labels: of the releases that they name.
    """
    of_cells = grouped(verdicts, lambda each: each.cell)
    counts = Counter(
        (each.cell.variant, each.base, each.state) for own in of_cells.values() for each in own
    )
    encoded = (msgspec.Raw(msgspec.msgpack.encode(own)) for own in of_cells.values())
    cells = tuple(cell.step_key for cell in of_cells)
    return msgspec.msgpack.encode(
        Packed(
            cells,
            tuple(tuple(map(_brief, own)) for own in of_cells.values()),
            tuple(labels),
            tuple((*key, count) for key, count in counts.items()),
            tuple(encoded),
        )
    )


def _brief(verdict: Verdict) -> Brief:
    compared = verdict.comparison
    return Brief(verdict.base, verdict.words, compared.ratio if compared else None)


class KeptVerdicts(Mapping[tuple[CellKey, str], Verdict]):
    """Verdicts by cell and the release that it is compared with."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin with none, in an empty file without a buffer that nobody else uses."""
        self._file = file
        self._end = 0
        self._starts = array("Q")
        self._ends = array("Q")
        self._rows: dict[CellKey, int] = {}
        self._briefs = array("Q", [0])
        """Where those of each row begin; they are in columns, at a third of what objects take."""
        self._bases: list[str] = []
        self._words: list[str] = []
        self._ratios = array("d")
        self._read: dict[CellKey, tuple[Verdict, ...]] = {}
        self.digests: dict[str, str] = {}
        """By release that has verdicts: the hash of what they say."""
        self.counts: dict[tuple[str, str, str], Counter[State]] = {}
        """By release, variant and the release compared with: how many steps have each verdict."""

    @property
    def cells(self) -> Iterable[CellKey]:
        """Those that have verdicts, release by release."""
        return self._rows.keys()

    def add(self, release: str, content: bytes) -> None:
        """Add the verdicts on one more release, packed."""
        own = msgspec.msgpack.decode(content, type=Packed)
        if self._file.write(content) < len(content):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        lengths = [len(memoryview(each)) for each in own.verdicts]
        self._end += len(content)
        bounds = [*accumulate(lengths, initial=self._end - sum(lengths))]
        for briefs in own.briefs:
            self._bases += (intern(each.base) for each in briefs)
            self._words += (intern(each.words) for each in briefs)
            self._ratios.extend(nan if each.ratio is None else each.ratio for each in briefs)
            self._briefs.append(len(self._bases))
        for key, start, end in zip(own.cells, bounds, bounds[1:], strict=False):
            # Releases share the names of their steps, which would take most of the memory.
            self._rows[CellKey(release, *map(intern, key))] = len(self._starts)
            self._starts.append(start)
            self._ends.append(end)
        for variant, base, state, count in own.counts:
            of_pair = self.counts.setdefault((release, intern(variant), intern(base)), Counter())
            of_pair[state] = count
        if own.cells:
            self.digests[release] = sha256(content).hexdigest()

    def briefs(self, cell: CellKey) -> Iterator[Brief]:
        """Yield the verdicts on a cell in brief, in the order in which they were given."""
        if (row := self._rows.get(cell)) is None:
            return
        for at in range(self._briefs[row], self._briefs[row + 1]):
            ratio = self._ratios[at]
            yield Brief(self._bases[at], self._words[at], None if isnan(ratio) else ratio)

    def of_cell(self, cell: CellKey) -> Sequence[Verdict]:
        """Return the verdicts on a cell, in the order in which they were given."""
        if cell in self._read:
            return self._read[cell]
        row = self._rows.get(cell)
        if row is None:
            return ()
        start, end = self._starts[row], self._ends[row]
        encoded = os.pread(self._file.fileno(), end - start, start)
        if len(self._read) == MOST_IN_MEMORY:
            self._read.clear()
        self._read[cell] = found = _decoded(encoded)
        return found

    def __getitem__(self, key: tuple[CellKey, str]) -> Verdict:
        """Read a verdict, if its cell was not asked for a moment ago."""
        cell, base = key
        for each in self.of_cell(cell):
            if each.base == base:
                return each
        raise KeyError(key)

    def __iter__(self) -> Iterator[tuple[CellKey, str]]:
        """Yield cells with the releases that they are compared with."""
        return ((cell, each.base) for cell in self._rows for each in self.of_cell(cell))

    def __len__(self) -> int:
        """Return the number of verdicts."""
        return sum(map(len, map(self.of_cell, self._rows)))
