"""A build on a Dask cluster of processes on loopback: the same bytes, whatever is lost."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client
from fault_proxy import busy
from perfpress.base import cluster
from perfpress.base.node import jobs
from perfpress.base.problems import BadInput
from perfpress.build.request import BuildRequest
from perfpress.build.stages import build
from s3_stand_in import empty_bucket, s3_server
from small_site import contents, quiet, small_site
from time_limit import within

pytestmark = pytest.mark.slow

Captured = pytest.CaptureFixture[str]
OTHER = """
import perfpress.base.cluster
perfpress.base.cluster.version = lambda: "Perfpress 0.0.9, code 0123456789ab, Node v22.15.0"
"""


class Lab:
    """A scheduler and its workers, which have directories for temporary files of their own."""

    def __init__(self, work: Path) -> None:
        self.work = work
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: dict[Path, subprocess.Popen[bytes]] = {}

    def start_scheduler(self) -> None:
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        self.scheduler = self._python("scheduler", options, self.work)

    def start_worker(self, before: str = "") -> Path:
        directory = self.work / f"worker-{len(self.workers)}"
        directory.mkdir()
        options = [self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
        options += ["--death-timeout", "60", "--local-directory", str(directory)]
        self.workers[directory] = self._python("worker", options, directory, before)
        return directory

    def _python(
        self, name: str, options: list[str], directory: Path, before: str = ""
    ) -> subprocess.Popen[bytes]:
        code = f"{before}\nfrom distributed.cli.dask_{name} import main\nmain()"
        with (self.work / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", code, *options],
                stdout=log,
                stderr=log,
                env=os.environ | {"TMPDIR": str(directory)},
                start_new_session=True,
            )

    def wait_for(self, workers: int) -> None:
        with Client(self.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers, timeout=60)

    def busy_worker(self) -> Path:
        """Wait until a worker has a task; return its directory."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            for directory in self.workers:
                if list(directory.glob("perfpress-task-*")):
                    return directory
            time.sleep(0.002)
        raise TimeoutError

    def end(self) -> None:
        for process in (self.scheduler, *self.workers.values()):
            kill(process)


def kill(process: "subprocess.Popen[bytes] | None") -> None:
    """End a process at once, with what it has started."""
    if process is not None and process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def lab(work: Path, workers: int = 2) -> Iterator[Lab]:
    work.mkdir()
    started = Lab(work)
    try:
        started.start_scheduler()
        for _ in range(workers):
            started.start_worker()
        if workers:
            started.wait_for(workers)
        yield started
    finally:
        started.end()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    """Build a small site without any cluster."""
    request = small_site(tmp_path_factory.mktemp("site"))
    assert not build(request, quiet).problems
    return request


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the jobs that this process runs itself."""
    names: list[str] = []
    run = jobs._run

    def recorded(cache: object, script: object, some: object, processes: int) -> object:
        names.extend(job.name for _, job in some)  # type: ignore[attr-defined]
        return run(cache, script, some, processes)  # type: ignore[arg-type]

    monkeypatch.setattr(jobs, "_run", recorded)
    return names


def on_cluster(alone: BuildRequest, work: Path, shared: str, address: str) -> BuildRequest:
    return replace(
        alone, cache=work / "cache", out=work / "public", shared_cache=shared, dask=address
    )


def once(stage: str, action: Callable[[], None]) -> Callable[[str], None]:
    """Return a progress that starts an action beside the build when a stage begins."""

    def progress(line: str) -> None:
        if line.startswith(stage):
            threading.Thread(target=action, daemon=True).start()

    return progress


def warnings(capsys: Captured) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: ")]


def test_a_killed_worker_and_a_store_with_faults_cost_time_only(
    alone: BuildRequest, tmp_path: Path, run_here: list[str], capsys: Captured
) -> None:
    with ExitStack() as stack:
        amazon = stack.enter_context(empty_bucket(stack.enter_context(s3_server())))
        amazon.set(busy, lambda _, __, count: count == 1)
        started = stack.enter_context(lab(tmp_path / "lab"))
        killed: list[Path] = []

        def kill_the_busy() -> None:
            killed.append(started.busy_worker())
            kill(started.workers[killed[0]])

        request = on_cluster(alone, tmp_path, "s3://results/cache", started.address)
        stack.enter_context(within(240))
        assert not build(request, once("fold: 2 of 2", kill_the_busy)).problems
    assert len(killed) == 1
    assert contents(request.out) == contents(alone.out)
    assert run_here == []
    assert warnings(capsys) == []


def test_a_scheduler_that_restarts_is_waited_for_and_one_that_does_not_is_left(
    alone: BuildRequest, tmp_path: Path, run_here: list[str], capsys: Captured
) -> None:
    with lab(tmp_path / "lab", workers=1) as started, within(240):

        def restart() -> None:
            started.busy_worker()
            kill(started.scheduler)
            started.start_scheduler()
            started.start_worker()

        shared = (tmp_path / "shared").as_uri()
        request = on_cluster(alone, tmp_path, shared, started.address)
        assert not build(request, once("fold: 2 of 2", restart)).problems
        assert contents(request.out) == contents(alone.out)
        assert run_here == []
        assert warnings(capsys) == []

        def end() -> None:
            started.busy_worker()
            kill(started.scheduler)

        request = on_cluster(alone, tmp_path / "b", f"{shared}-b", started.address)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(cluster, "PATIENCE", 1.0)
            assert not build(request, once("fold: 2 of 2", end)).problems
    assert contents(request.out) == contents(alone.out)
    assert "flamegraph" in run_here
    [line] = warnings(capsys)
    assert line.startswith(f"warning: {started.address}: the scheduler has gone away")
    assert line.endswith("this build goes on with processes of this machine")


def test_workers_get_no_task_when_the_store_is_lost(
    alone: BuildRequest, tmp_path: Path, run_here: list[str], capsys: Captured
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with lab(tmp_path / "lab", workers=1) as started, within(240):
        request = on_cluster(alone, tmp_path, (blocked / "cache").as_uri(), started.address)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(cluster.Cluster, "run", lambda *_: pytest.fail("a task was given"))
            assert not build(request, quiet).problems
    assert contents(request.out) == contents(alone.out)
    assert "flamegraph" in run_here
    [line] = warnings(capsys)
    assert line.endswith("this build goes on without it")


def test_workers_of_another_version_are_refused_by_name(
    alone: BuildRequest, tmp_path: Path, run_here: list[str], capsys: Captured
) -> None:
    shared = (tmp_path / "shared").as_uri()
    with lab(tmp_path / "lab", workers=0) as started, within(240):
        request = on_cluster(alone, tmp_path, shared, started.address)
        started.start_worker(OTHER)
        started.wait_for(1)
        with pytest.raises(BadInput) as refused:
            build(request, quiet)
        [problem] = refused.value.problems
        assert "this worker has Perfpress 0.0.9, code 0123456789ab, Node v22.15.0" in str(problem)
        assert f"expected {cluster.version()}" in str(problem)
        started.start_worker()
        started.wait_for(2)
        assert not build(request, quiet).problems
    assert contents(request.out) == contents(alone.out)
    assert run_here == []
    [line] = warnings(capsys)
    assert line == f"warning: {problem}"


def test_no_scheduler_is_an_error(alone: BuildRequest, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cluster, "CONNECT", 0.5)
        with pytest.raises(BadInput, match="no scheduler answers"):
            build(on_cluster(alone, tmp_path, "file:///x", "tcp://127.0.0.1:1"), quiet)


def test_dask_itself_says_nothing_of_a_scheduler_that_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.1)
    with pytest.raises(BadInput, match="no scheduler answers"):
        cluster.Cluster("tcp://127.0.0.1:1")
    for name in ("distributed.client", "distributed.scheduler"):
        assert not logging.getLogger(name).isEnabledFor(logging.ERROR)


def test_what_to_install_leaves_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        BadInput, match=r"Dask is not installed; .* uv pip install 'perfpress\[dask"
    ):
        cluster.Cluster("tcp://127.0.0.1:1")
