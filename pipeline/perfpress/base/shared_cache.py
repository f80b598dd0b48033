"""The cache that several machines share: a place in an object store, by its fsspec address.

What one machine has made no other makes again. The store is asked for many entries at once, and
trusted with none: an entry that comes from it is checked as one of this machine's disk, by its
checksums. A store that fails costs its answers only: the build goes on without it, and says so.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from perfpress.base.console import print_problems
from perfpress.base.limits import Budget
from perfpress.base.problems import Problem
from perfpress.base.workers import Pool, Program

AT_ONCE = 200
"""Entries a request, which have one budget."""
BUDGET = Budget(cpu_seconds=120, memory_bytes=4 << 30)
"""For the entries of a request: they have two megabytes each, most of them far less."""

PROCESS = (sys.executable, "-m", "perfpress.base.store_process")


class SharedCache:
    """Entries of many machines, `<address>/<stage>/<first digits>/<key>`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.is_lost = False
        """Whether the store has failed, and is not asked any more."""
        self._process = Pool(Program(*PROCESS))

    def __enter__(self) -> "SharedCache":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.end()

    def bring(self, entries: Mapping[str, Path]) -> None:
        """Copy entries into new directories; there is none of what the store does not have."""
        self._ask_for("bring", entries)

    def send(self, entries: Mapping[str, Path], again: bool = True) -> None:
        """Copy entries into the store.

        Args:
            entries: directories by name.
            again: copy also what is there already.
        """
        self._ask_for("send", entries, again)

    def collect(self) -> None:
        """Remove what is too old or too much."""
        self._ask({"do": "collect"})

    def _ask_for(self, do: str, entries: Mapping[str, Path], again: bool = False) -> None:
        pairs = [(name, str(directory)) for name, directory in entries.items()]
        for start in range(0, len(pairs), AT_ONCE):
            self._ask({"do": do, "entries": pairs[start : start + AT_ONCE], "again": again})

    def _ask(self, request: dict[str, Any]) -> None:
        if self.is_lost:
            return
        (answer,) = self._process.answers([{"address": self.address, **request}], [BUDGET])
        if not answer["ok"]:
            self._lose(answer.get("over") or answer["defect"])
        elif failed := answer["result"].get("failed"):
            self._lose(msgspec.convert(failed, Problem).found)

    def _lose(self, found: str) -> None:
        """Go on without the store."""
        self.is_lost = True
        self._process.end()
        do = "check its address, permission and network; this build goes on without it"
        print_problems([Problem(path=self.address, found=found, do=do, severity="warning")])
