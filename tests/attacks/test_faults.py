"""What disks, clocks, inputs and `kill -9` do to a build: the last good site, or the right one."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from bundle_samples import FILES, accepted, folded
from perfpress.base.checkout import ROOT
from perfpress.base.problems import BadInput
from perfpress.build.request import BuildRequest
from perfpress.build.stages import Built, build
from small_site import STEP, contents, quiet, small_site
from time_limit import within

TEXT = '+++\ntitle = "Another"\n+++\n'


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuildRequest:
    request = small_site(tmp_path_factory.mktemp("site"))
    build(request, quiet)
    return request


@pytest.fixture
def changed(built: BuildRequest, tmp_path: Path) -> BuildRequest:
    """Return the request of a copy of the inputs with another text, beside a site that lacks it."""
    request = replace(
        built,
        results=Path(shutil.copytree(built.results, tmp_path / "results")),
        content=Path(shutil.copytree(built.content, tmp_path / "content")),
        out=tmp_path / "public",
    )
    build(request, quiet)
    (request.content / "another.md").write_text(TEXT)
    return request


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Return what mounts a file system of its own."""
    mounts: list[Path] = []

    def mount(options: str) -> Path:
        target = tmp_path / "disk"
        if not mounts:
            target.mkdir()
        remount = ("-o", "remount") if mounts else ()
        command = ["mount", "-t", "tmpfs", *remount, "-o", options, "none", str(target)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("mounting a small disk needs root")
        mounts.append(target)
        return target

    yield mount
    for target in mounts[:1]:
        subprocess.run(["umount", "--lazy", str(target)], check=True)


def refused(request: BuildRequest) -> str:
    """Return the only line that a build ends with."""
    with within(120), pytest.raises(BadInput) as failure:
        build(request, quiet)
    return str(failure.value)


def fill(disk: Path) -> Path:
    """Take all room of a disk but a few pages."""
    path = disk / "filler"
    try:
        with path.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)
    except OSError:
        os.truncate(path, path.stat().st_size - 200_000)
    return path


@pytest.mark.parametrize("what", ["out", "cache"])
def test_a_full_disk_leaves_the_last_good_site(
    changed: BuildRequest, mounted: Callable[[str], Path], what: str
) -> None:
    disk = mounted("size=30m")
    request = replace(changed, **{what: disk / what})  # type: ignore[arg-type]
    (request.content / "another.md").unlink()
    build(request, quiet)
    before = contents(request.out)
    (request.content / "another.md").write_text(TEXT)
    accepted(
        request.results, {"release": "19", "step": [STEP]}, FILES | {"cpu.folded.gz": folded(9)}
    )
    filler = fill(disk)
    assert "o space left on device" in refused(request)
    assert contents(request.out) == before
    filler.unlink()
    build(request, quiet)
    assert (request.out / "another" / "index.html").is_file()
    assert {path.name for path in disk.iterdir()} == ({"out"} if what == "out" else {"cache"})


@pytest.mark.parametrize("largest", [1000, 70_000], ids=["the pipeline", "Hugo"])
def test_a_file_larger_than_the_system_allows_leaves_the_last_good_site(
    changed: BuildRequest, largest: int
) -> None:
    """Like a full disk, without root. The cache is warm; only files of Hugo have 70 kB."""
    before = contents(changed.out)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, limits[1]))
    try:
        message = refused(changed)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large; allow larger files (ulimit -f), or name another disk" in message
    assert contents(changed.out) == before
    build(changed, quiet)
    assert (changed.out / "another" / "index.html").is_file()
    assert not list(changed.out.parent.glob(".public*"))


def test_a_place_that_cannot_be_written_is_reported(
    changed: BuildRequest, mounted: Callable[[str], Path]
) -> None:
    disk = mounted("size=30m")
    mounted("ro")
    message = refused(replace(changed, out=disk / "public"))
    assert "Read-only file system; name another place" in message


def test_inputs_that_vanish_while_they_are_read_poison_nothing(
    changed: BuildRequest, tmp_path: Path
) -> None:
    work = replace(changed, cache=tmp_path / "cache")
    originals = {name: tmp_path / "originals" / name for name in ("results", "content")}
    for name, path in originals.items():
        shutil.copytree(getattr(work, name), path)
    chance = random.Random(5)
    over = threading.Event()

    def vandalise() -> None:
        while not over.wait(0.02):
            files = [p for r in (work.results, work.content) for p in r.rglob("*") if p.is_file()]
            path = chance.choice(files)
            content = path.read_bytes()
            path.unlink()
            over.wait(chance.uniform(0, 0.05))
            path.write_bytes(content[: chance.choice([0, len(content) // 2])])
            over.wait(chance.uniform(0, 0.05))
            path.write_bytes(content)

    vandal = threading.Thread(target=vandalise)
    vandal.start()
    messages: list[str] = []
    try:
        for _ in range(3):
            with within(120):
                try:
                    build(work, quiet)
                except BadInput as failure:
                    messages.append(str(failure))
    finally:
        over.set()
        vandal.join()
    assert not [message for message in messages if "correct the name" in message]
    assert {name: contents(getattr(work, name)) for name in originals} == {
        name: contents(path) for name, path in originals.items()
    }
    assert not build(work, quiet).problems
    clean = replace(work, cache=tmp_path / "clean", out=tmp_path / "clean-site")
    build(clean, quiet)
    assert contents(work.out) == contents(clean.out)


def test_a_clock_that_goes_back_changes_nothing(
    changed: BuildRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(changed, quiet)
    before = contents(changed.out)
    future = time.time() + 1e9
    for root in (changed.results, changed.content, changed.out, changed.cache):
        for path in root.rglob("*"):
            os.utime(path, (future, future))
    now = iter(range(2_000_000_000, 0, -3600))
    monkeypatch.setattr(time, "time", lambda: float(next(now)))
    assert not build(changed, quiet).summary.startswith("up to date"), "the site was touched"
    assert contents(changed.out) == before
    assert build(changed, quiet).summary.startswith("up to date")


def test_two_builds_at_once_make_one_site(changed: BuildRequest, tmp_path: Path) -> None:
    fresh = replace(changed, cache=tmp_path / "cache")
    requests = [fresh, fresh, replace(fresh, out=tmp_path / "beside")]
    with ThreadPoolExecutor(3) as pool:
        results: list[Built] = list(pool.map(lambda request: build(request, quiet), requests))
    assert sum(each.summary.startswith("up to date") for each in results) == 1
    assert contents(requests[0].out) == contents(requests[2].out)
    assert not list(fresh.cache.glob(".working-*"))


def test_a_build_that_is_killed_at_any_moment_leaves_a_whole_site(
    changed: BuildRequest, tmp_path: Path
) -> None:
    request = replace(changed, cache=tmp_path / "cache")
    before = contents(request.out)
    source = (
        "import sys\nfrom pathlib import Path\n"
        "from perfpress.build.request import BuildRequest\n"
        "from perfpress.build.stages import build\n"
        "build(BuildRequest(*map(Path, sys.argv[1:4]), sys.argv[4], 1, False, Path(sys.argv[5])),"
        " lambda text: print(text, flush=True))"
    )
    words = [request.results, request.content, request.out, request.base_url, request.cache]
    chance = random.Random(7)
    for lines in range(2, 16, 4):
        process = subprocess.Popen(
            [sys.executable, "-c", source, *map(str, words)],
            cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert process.stdout
        for _ in range(lines):
            process.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        site = request.out if request.out.exists() else request.out.with_name(".public.old")
        found = contents(site)
        assert found == before or "another/index.html" in found
    build(request, quiet)
    assert "another/index.html" in contents(request.out)
    assert not list(request.cache.glob(".working-*"))
    assert not list(request.out.parent.glob(".public*"))
