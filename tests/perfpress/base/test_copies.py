"""What a copy of this process does while this one goes on."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from perfpress.base.workers import Copy


def end_at_once() -> None:
    os._exit(1)


def fail() -> None:
    raise ValueError("no such chart")


def test_what_a_copy_makes_is_there_when_it_was_waited_for(tmp_path: Path) -> None:
    copy = Copy((tmp_path / "made").touch)
    copy.wait()
    copy.end()
    assert (tmp_path / "made").exists()


@pytest.mark.parametrize("work", [end_at_once, fail])
def test_a_copy_that_fails_is_not_waited_for(work: Callable[[], None]) -> None:
    copy = Copy(work)
    copy.wait()
    copy.end()


def test_a_copy_ends_in_the_middle_of_its_work(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "process").write_text(str(os.getpid()))
        (tmp_path / "begun").touch()
        time.sleep(600)

    copy = Copy(work)
    while not (tmp_path / "begun").exists():
        time.sleep(0.01)
    copy.end()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "process").read_text()), 0)
