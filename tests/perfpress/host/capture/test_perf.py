"""Which events perf can sample, and what is made of its answers."""

from pathlib import Path

import pytest
from fake_programs import Program
from perfpress.base.problems import BadInput
from perfpress.host.capture import perf as asked_perf
from perfpress.host.capture.perf import SampleCounts, available_events


def test_the_event_is_the_one_that_perf_really_recorded(perf: Path) -> None:
    assert available_events(("cycles",), ("-a",)) == ("cpu-clock",)
    assert perf.read_text().startswith("record -e cycles -a ")


def test_an_event_that_was_chosen_is_not_replaced_by_another(perf: Path) -> None:
    with pytest.raises(BadInput, match=r"instructions event is not supported.*perf list"):
        available_events(("instructions",), ())
    assert "cpu-clock" not in perf.read_text()


def test_of_several_events_the_missing_counter_alone_is_replaced(program: Program) -> None:
    path = program(
        "perf",
        "import sys\n"
        "if 'cycles,faults' in sys.argv: sys.exit('no counters')\n"
        "if sys.argv[1] == 'evlist': print('cpu-clock\\nfaults')",
    )
    assert path.exists()
    assert available_events(("cycles", "faults"), ()) == ("cpu-clock", "faults")


@pytest.mark.parametrize(
    ("target", "do"),
    [
        (("-a",), "or sample some processes only: --pid"),
        (("-p", "7"), "as the user that the process belongs to"),
        ((), "sysctl kernel.perf_event_paranoid=1"),
    ],
)
def test_what_helps_depends_on_what_perf_may_not_do(
    program: Program, target: tuple[str, ...], do: str
) -> None:
    answer = "Error:\nAccess to performance monitoring is limited.\n" + "Consider this. " * 40
    assert program("perf", f"import sys; sys.exit({answer!r})").exists()
    with pytest.raises(BadInput) as raised:
        available_events(("cycles",), target)
    (problem,) = raised.value.problems
    assert problem.found.startswith("Access to performance monitoring is limited. Consider")
    assert len(problem.found) < 200
    assert do in problem.do


def test_a_call_graph_that_perf_cannot_take_is_reported_before_anything_runs(
    program: Program,
) -> None:
    text = (
        "import sys\n"
        "if 'lbr' in sys.argv: sys.exit(\"event type doesn't support branch stack sampling.\")"
    )
    assert program("perf", text).exists()
    with pytest.raises(BadInput, match=r"correct --call-graph: fp or dwarf,BYTES; lbr where"):
        available_events(("cycles",), (), ("--call-graph", "lbr"))


def test_without_perf_the_error_says_how_to_install_it(commands: Path) -> None:
    assert commands.is_dir()
    with pytest.raises(BadInput, match=r"perf: not installed; .*apt-get install"):
        available_events(("cycles",), ())


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        ("cycles", "cycles"),
        ("cycles:u", "cycles:u"),
        ("cycles:ppp", "cycles"),
        ("cycles:Pu", "cycles:u"),
        ("cpu_core/cycles/P", "cycles"),
        ("cpu_atom/cycles/u", "cycles:u"),
        ("sched:sched_switch", "sched:sched_switch"),
        ("cpu-clock:HG", "cpu-clock"),
    ],
)
def test_events_are_called_as_profiles_call_them(listed: str, name: str) -> None:
    assert asked_perf.event_name(listed) == name


def test_what_perf_lists_for_itself_is_no_event(program: Program) -> None:
    answer = "cpu_atom/cycles/P\ncpu_core/cycles/P\ndummy:HG\n# Tip: use perf evlist -g\n"
    assert program("perf", f"print({answer!r})").exists()
    assert asked_perf.events_of(Path("x.data")) == ("cycles",)


def test_lost_samples_are_counted_as_samples_and_not_as_records(perf: Path) -> None:
    assert perf.parent.is_dir()
    one = asked_perf.recorded(Path("x.data"))
    assert one.events == {"cpu-clock": SampleCounts(812, 7)}


def test_nothing_lost_is_none_lost() -> None:
    assert asked_perf.counts_of("cycles stats:\n    SAMPLE events:  5\n") == {
        "cycles": SampleCounts(5)
    }


def test_each_event_has_its_own_counts() -> None:
    statistics = (
        "Aggregated stats:\n  SAMPLE events:  14  (51.9%)\n  LOST_SAMPLES events:  1  ( 3.7%)\n"
        "cpu-clock:u stats:\n  SAMPLE events:  6\n  LOST_SAMPLES events:  40\n"
        "page-faults stats:\n  SAMPLE events:  8\n"
    )
    assert asked_perf.counts_of(statistics) == {
        "cpu-clock:u": SampleCounts(6, 40),
        "page-faults": SampleCounts(8),
    }
