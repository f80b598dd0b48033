"""Finding a server's processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

from perfpress.host.capture.processes import pids_by_command_line, pids_by_name, with_descendants


def process(proc: Path, pid: int, command: bytes, parent: int = 0, name: str = "x") -> None:
    directory = proc / str(pid)
    directory.mkdir(parents=True)
    (directory / "cmdline").write_bytes(command)
    (directory / "stat").write_text(f"{pid} ({name}) S {parent} 0 0")
    (directory / "comm").write_text(f"{name[:15]}\n")


def test_processes_are_found_by_what_they_say_they_do(tmp_path: Path) -> None:
    process(tmp_path, 1, b"/sbin/init\0")
    process(tmp_path, 70, b"postgres: bench bench [local] SELECT\0")
    process(tmp_path, 8, b"postgres\0-D\0/data\0")
    process(tmp_path, 9, b"/usr/bin/sysbench\0--threads=2\0")
    (tmp_path / "uptime").write_text("1.0")
    assert pids_by_command_line("postgres: bench", tmp_path) == [70]
    assert pids_by_command_line("postgres -D", tmp_path) == [8]
    assert pids_by_command_line("postgres", tmp_path) == [8, 70]


def test_the_asking_process_and_those_around_it_are_not_found(tmp_path: Path) -> None:
    process(tmp_path, 1, b"/sbin/init\0")
    process(tmp_path, 50, b"sh\0-c\0perfpress capture --backend mysqld\0", name="a) S 999 (b")
    process(tmp_path, os.getpid(), b"perfpress\0capture\0--backend\0mysqld\0", parent=50)
    process(tmp_path, 60, b"/usr/sbin/mysqld\0")
    assert pids_by_command_line("mysqld", tmp_path) == [60]


def test_a_real_process_is_found_while_it_runs() -> None:
    mark = "perfpress-looks-for-this"
    with subprocess.Popen([sys.executable, "-c", "input()", mark], stdin=subprocess.PIPE) as one:
        try:
            deadline = time.monotonic() + 5  # the kernel sets a command line a moment later
            while not (found := pids_by_command_line(mark)) and time.monotonic() < deadline:
                time.sleep(0.01)
            assert found == [one.pid]
        finally:
            one.kill()


def test_a_server_is_found_by_its_name_with_all_its_processes(tmp_path: Path) -> None:
    process(tmp_path, 7, b"/usr/lib/postgresql/15/bin/postgres -D /data\0", name="postgres")
    process(tmp_path, 9, b"postgres: bench bench [local] SELECT\0", parent=7, name="postgres")
    process(tmp_path, 8, b"vim postgres.conf\0", name="vim")
    process(tmp_path, 6, b"x\0", name="a-server-with-a-long-name")
    assert pids_by_name("postgres", tmp_path) == [7, 9]
    assert pids_by_name("postgre", tmp_path) == []
    assert pids_by_name("a-server-with-a-long-name", tmp_path) == [6]


def test_a_process_is_found_with_all_that_it_has_started(tmp_path: Path) -> None:
    for pid, parent in ((10, 1), (11, 10), (12, 11), (20, 1), (os.getpid(), 10)):
        process(tmp_path, pid, b"x\0", parent=parent)
    assert with_descendants([10], tmp_path) == [10, 11, 12]
    assert with_descendants([11, 20, 999], tmp_path) == [11, 12, 20]
