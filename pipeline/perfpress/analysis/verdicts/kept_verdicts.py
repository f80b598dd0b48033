"""The verdicts on a metric, in a file: in memory those of a large archive would take most of it."""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from errno import ENOSPC
from typing import BinaryIO

import msgspec

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.verdicts import Verdict
from perfpress.base.groups import grouped

MOST_IN_MEMORY = 1024
"""Cells whose verdicts were asked for last: the pages of a release ask for its verdicts often."""


class KeptVerdicts(Mapping[tuple[CellKey, str], Verdict]):
    """Verdicts by cell and the release that it is compared with."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin with none, in an empty file without a buffer that nobody else uses."""
        self._file = file
        self._starts = array("Q", [0])
        self._rows: dict[CellKey, int] = {}
        self._read: dict[CellKey, tuple[Verdict, ...]] = {}

    @property
    def cells(self) -> Iterable[CellKey]:
        """Those that have verdicts, release by release."""
        return self._rows.keys()

    def add(self, verdicts: Iterable[Verdict]) -> None:
        """Add some, each cell with another release than before."""
        for cell, own in grouped(verdicts, lambda each: each.cell).items():
            self._write(cell, (*self.of_cell(cell), *own))

    def change(self, changed: Callable[[Verdict], Verdict]) -> None:
        """Put what a function makes of each verdict in its place."""
        for cell in self._rows:
            before = self.of_cell(cell)
            after = tuple(map(changed, before))
            if after != before:
                self._write(cell, after)

    def _write(self, cell: CellKey, verdicts: tuple[Verdict, ...]) -> None:
        encoded = msgspec.msgpack.encode(verdicts)
        if self._file.write(encoded) < len(encoded):
            raise OSError(ENOSPC, os.strerror(ENOSPC))
        self._rows[cell] = len(self._starts) - 1
        self._starts.append(self._starts[-1] + len(encoded))
        self._read.pop(cell, None)

    def of_cell(self, cell: CellKey) -> tuple[Verdict, ...]:
        """Return the verdicts on a cell, in the order in which they were added."""
        if cell in self._read:
            return self._read[cell]
        row = self._rows.get(cell)
        if row is None:
            return ()
        start, end = self._starts[row : row + 2]
        encoded = os.pread(self._file.fileno(), end - start, start)
        if len(self._read) == MOST_IN_MEMORY:
            self._read.clear()
        self._read[cell] = found = msgspec.msgpack.decode(encoded, type=tuple[Verdict, ...])
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
