"""A capture or a push that is killed leaves nothing that looks whole, and the next one works."""

import math
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from bundle_samples import write_files
from fake_programs import Program
from perfpress.__main__ import main
from perfpress.host.pushing.store import Store, download
from perfpress.input.bundles.read import read_bundle

WHAT = ["--report", "r", "--release", "18", "--host", "h", "--operation", "insert"]


def killed_after(words: list[str], seconds: float) -> bool:
    """Run a verb, and kill it; return whether it was still running."""
    command = [sys.executable, "-m", "perfpress", *words]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


def test_a_capture_that_is_killed_at_any_moment_can_be_called_again(
    program: Program, tmp_path: Path
) -> None:
    bench = str(program("bench", "import time\nprint('tps = 5', flush=True)\ntime.sleep(0.2)"))
    out = tmp_path / "out"
    words = ["capture", *WHAT, "--out", str(out), "--step", "load", "--", bench]
    chance = random.Random(3)
    kills = 0
    for _ in range(10):
        kills += killed_after(words, chance.uniform(0.1, 1.5))
        bundle, _ = read_bundle(out, "out") if out.exists() else (None, [])
        if bundle is not None:  # it had come to its end
            assert [step.name for step in bundle.steps] == ["load"]
            assert (out / "load" / "output.txt").read_text().startswith("tps = 5")
            (out / "run.toml").unlink()
    assert kills
    assert main(words) == 0
    bundle, problems = read_bundle(out, "out")
    assert bundle is not None
    assert not problems


def test_copies_that_a_killed_capture_was_writing_are_removed(
    program: Program, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for name in (".run.toml.4711", "my.cnf.redacted", "load/output.txt.redacted"):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_text("half")
    bench = str(program("bench", "print('tps = 5')"))
    assert main(["capture", *WHAT, "--out", str(out), "--step", "load", "--", bench]) == 0
    bundle, problems = read_bundle(out, "out")
    assert bundle is not None
    assert not problems
    assert not [file.name for file in bundle.files if "redacted" in file.name]


def test_a_push_to_a_store_that_is_killed_at_any_moment_marks_nothing_half(tmp_path: Path) -> None:
    pushed = write_files(tmp_path / "b")
    (pushed / "notes.txt").write_text("a line\n" * 3_000_000)
    store = Store(f"file://{tmp_path / 's'}")
    words = ["push", str(pushed), "--to", store.address]
    chance = random.Random(4)
    for at in range(6):
        killed_after(words, chance.uniform(0.2, 0.9))
        for stored in store.stored() or []:
            download(store, stored, tmp_path / f"copy{at}", math.inf)
            Path(stored.marker).unlink()
    assert main(words) == 0
    [stored] = store.stored() or []
    download(store, stored, tmp_path / "copy", math.inf)
    assert (tmp_path / "copy" / "notes.txt").stat().st_size == 21_000_000
