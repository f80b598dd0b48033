"""Tasks on a Dask cluster: what is lost is done again, and what cannot be done there is left.

Dask moves the tasks, and notices workers that die. Here stand the things that it leaves to its
users: which workers have the same Perfpress, and what a build does when the scheduler goes away.
A task may be done twice, as it only fills a cache. Its result is that it is done.
"""

import contextlib
import importlib
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version as package_version
from typing import Any

from perfpress.base.cache import key_of, node_version_key, python_version_key
from perfpress.base.console import print_problems
from perfpress.base.node.requests import node_version
from perfpress.base.problems import BadInput, Problem, Severity, bad_input

CONNECT = 10.0
"""Seconds in which a scheduler has to answer."""
PATIENCE = 30.0
"""Seconds without any worker, or without a scheduler, before a build goes on without them."""
LOOK = 1.0
"""Seconds between looks at the workers while none has finished."""
WAITING = 2
"""Tasks that each thread of a worker has been given, the running one with them."""
ATTEMPTS = 3
"""Of a task whose worker is lost each time: it may be what ends them."""


def version() -> str:
    """Return what must be equal for equal keys and equal bytes: of Perfpress, and of Node."""
    code = key_of(python_version_key(), node_version_key())[:12]
    return f"Perfpress {package_version('perfpress')}, code {code}, Node {node_version()}"


class Cluster:
    """The workers of a Dask scheduler, as far as they have this version of Perfpress."""

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            BadInput: Dask is not installed, nobody answers, or no worker is of this version.
        """
        self.address = address
        self.is_lost = False
        """Whether the build goes on without it."""
        self._versions: dict[str, str] = {}
        """Of each worker that was asked."""
        try:
            self._dask: Any = importlib.import_module("distributed")
        except ModuleNotFoundError:
            # What else is installed, such as pandas, must not go.
            found, do = "Dask is not installed", "install it: uv pip install 'perfpress[dask]'"
            raise bad_input(path=address, found=found, do=do) from None
        # It is said here what is lost, and once. Dask's client has a level of its own.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._client: Any = None
        try:
            self._connect()
            workers = self._workers()
        except Exception as error:  # Dask has errors of many kinds
            raise bad_input(
                path=address,
                found=f"no scheduler answers ({_words(error)})",
                expected="the address of a Dask scheduler: tcp://host:8786",
                do="start one: dask scheduler",
            ) from None
        if self._versions and not workers:
            raise BadInput(*(self._refusal(each, "error") for each in sorted(self._versions)))

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_: object) -> None:
        self._disconnect()

    def run(self, function: Callable[[bytes], None], tasks: Sequence[bytes]) -> None:
        """Have tasks done; which of them were is seen by what they leave behind.

        Args:
            function: of a module that workers have.
            tasks: each whole, for any worker.
        """
        waiting = deque(range(len(tasks)))
        running: dict[Any, tuple[int, frozenset[str]]] = {}
        losses = [0] * len(tasks)
        alone_since = math.inf
        failures = 0
        while (waiting or running) and not self.is_lost:
            try:
                if self._client is None:
                    self._connect()
                workers = self._workers()
                if workers:
                    alone_since = math.inf
                elif time.monotonic() - (alone_since := min(alone_since, time.monotonic())) > (
                    PATIENCE
                ):
                    self._lose(f"no worker for {PATIENCE:.0f} s")
                    break
                most = WAITING * sum(workers.values())
                while waiting and len(running) < most:
                    number = waiting.popleft()
                    future = self._client.submit(
                        function, tasks[number], workers=list(workers), pure=False
                    )
                    running[future] = number, frozenset(workers)
                for future in self._ended(running, workers):
                    number, _ = running.pop(future)
                    failures = 0
                    if future.status in ("cancelled", "lost", "pending"):
                        losses[number] += 1
                        future.cancel()
                        if losses[number] < ATTEMPTS:
                            waiting.append(number)
            except Exception as error:  # Dask has errors of many kinds
                waiting.extend(number for number, _ in running.values())
                running.clear()
                failures += 1
                self._reconnect(error, failures)

    def _ended(
        self, running: Mapping[Any, tuple[int, frozenset[str]]], workers: Mapping[str, int]
    ) -> list[Any]:
        """Wait a little; return what has ended, or can never end as all its workers are gone."""
        if not running:
            time.sleep(LOOK)
            return []
        nothing_yet = (TimeoutError, self._dask.CancelledError)
        with self._client.as_current(), contextlib.suppress(*nothing_yet):
            self._dask.wait(list(running), timeout=LOOK, return_when="FIRST_COMPLETED")
        if self._client.status != "running":
            raise ConnectionError("the connection broke off")
        return [
            future
            for future, (_, allowed) in running.items()
            if future.status != "pending" or allowed.isdisjoint(workers)
        ]

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker of this version; name each other one once."""
        threads: dict[str, int] = self._client.nthreads(callback_timeout=CONNECT)
        new = [address for address in threads if address not in self._versions]
        if new:
            found = self._client.run(version, workers=new, on_error="return")
            self._versions |= {
                address: said if isinstance(said, str) else f"no version ({_words(said)})"
                for address, said in found.items()
            }
            others = [address for address in new if self._versions.get(address) != version()]
            if len(others) < len(threads):
                print_problems(self._refusal(each) for each in sorted(others))
        return {
            address: count
            for address, count in threads.items()
            if self._versions.get(address) == version()
        }

    def _refusal(self, worker: str, severity: Severity = "warning") -> Problem:
        return Problem(
            path=worker,
            found=f"this worker has {self._versions.get(worker, 'gone')}",
            expected=version(),
            do="install the same commit on it, with make install; it gets no work",
            severity=severity,
        )

    def _connect(self) -> None:
        self._client = self._dask.Client(
            self.address, timeout=CONNECT, set_as_default=False, name="perfpress"
        )

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close(timeout=LOOK)

    def _reconnect(self, error: Exception, failures: int) -> None:
        """Wait for the scheduler, or go on without it: also where nothing but failures comes."""
        until = time.monotonic() + (PATIENCE if failures <= ATTEMPTS else 0)
        while time.monotonic() < until:
            try:
                self._disconnect()
                self._connect()
            except Exception as again:  # Dask has errors of many kinds
                error = again
                self._client = None
                time.sleep(LOOK)
            else:
                self._versions.clear()  # another worker may have the address of one before
                return
        self._lose(f"the scheduler has gone away ({_words(error)})")

    def _lose(self, found: str) -> None:
        self.is_lost = True
        self._disconnect()
        do = "this build goes on with processes of this machine"
        print_problems([Problem(path=self.address, found=found, do=do, severity="warning")])


def _words(error: BaseException) -> str:
    """Return an error in one line; Dask's hold the story of each task."""
    text = str(error).partition("\n")[0][:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
