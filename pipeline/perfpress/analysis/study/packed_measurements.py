"""The measurements of one step of one run in few bytes: a large archive has a hundred thousand.

Runs differ in numbers, which are in one array; names, units, files and notes of most are alike, and
one object. A measurement is made of both when it is asked for.
"""

from array import array
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from struct import calcsize, unpack_from
from typing import Any, NamedTuple

import msgspec

from perfpress.analysis.study.measured import Measurement
from perfpress.input.logs.readings import Better


class _Text(NamedTuple):
    """A measurement without its numbers."""

    name: str
    unit: str
    better: Better
    file: str
    note: str
    processes: int
    """How many."""


class PackedMeasurements(Mapping[str, Measurement]):
    """Measurements by name."""

    __slots__ = ("_numbers", "_texts")

    def __init__(self, texts: bytes, numbers: bytes) -> None:
        """Take what `packed` returns."""
        self._texts, self._numbers = _by_name(texts), numbers

    def __getitem__(self, name: str) -> Measurement:
        """Make a measurement."""
        numbers, at, text = self._texts[name]
        value, line, *processes = unpack_from(numbers, self._numbers, at)
        return Measurement(
            value, text.unit, text.better, text.file, int(line), text.note, tuple(processes)
        )

    def get(self, name: str, default: Any = None) -> Any:
        """Make a measurement, if there is one: most runs lack some that all are asked for."""
        return self[name] if name in self._texts else default

    def __contains__(self, name: object) -> bool:
        """Return whether there is a measurement of a name, without making it."""
        return name in self._texts

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._texts)

    def __len__(self) -> int:
        """Return the number of measurements."""
        return len(self._texts)


def packed(measured: Mapping[str, Measurement]) -> tuple[bytes, bytes]:
    """Return texts and numbers of some measurements, for `PackedMeasurements`."""
    texts = [
        _Text(name, each.unit, each.better, each.file, each.note, len(each.processes))
        for name, each in measured.items()
    ]
    numbers = ((each.value, each.line, *each.processes) for each in measured.values())
    return msgspec.msgpack.encode(texts), array("d", chain.from_iterable(numbers)).tobytes()


@lru_cache(maxsize=8192)
def _by_name(texts: bytes) -> Mapping[str, tuple[str, int, _Text]]:
    """Return each text with the format and place of its numbers; one object for equal ones."""
    found, at = {}, 0
    for each in msgspec.msgpack.decode(texts, type=tuple[_Text, ...]):
        numbers = f"{2 + each.processes}d"
        found[each.name] = numbers, at, each
        at += calcsize(numbers)
    return found
