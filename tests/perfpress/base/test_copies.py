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


def test_what_a_copy_makes_is_handed_over() -> None:
    made_in = os.getpid()
    with Copy(lambda: [os.getpid(), "state"]) as copy:
        process, state = copy.made()
    assert state == "state"
    assert process != made_in


def test_what_a_copy_could_not_make_is_made_here_and_fails_here() -> None:
    here = os.getpid()

    def work() -> str:
        if os.getpid() != here:
            os._exit(1)
        return "made here"

    with Copy(work) as copy:
        assert copy.made() == "made here"
    with Copy(fail) as failing, pytest.raises(ValueError, match="no such chart"):
        failing.made()


def test_a_copy_that_is_done_holds_no_memory(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "process").write_text(str(os.getpid()))

    with Copy(work) as copy:
        copy.wait()
        os.waitid(os.P_PID, int((tmp_path / "process").read_text()), os.WEXITED | os.WNOWAIT)


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
