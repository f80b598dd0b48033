"""Which cells are worth measuring again."""

from msgspec.structs import replace
from perfpress.analysis.metrics.throughput import compare, summarise
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.verdicts.level_changes import SeriesLevels, levels_of
from perfpress.analysis.verdicts.states import State
from perfpress.analysis.verdicts.undecided import ENOUGH_RUNS, Undecided, undecided
from perfpress.analysis.verdicts.verdicts import Verdict


def levels(*rates: float) -> SeriesLevels:
    runs = {f"r{at}": summarise({"run": rate + at % 3}) for at, rate in enumerate(rates)}
    found = levels_of("throughput", runs)
    assert found is not None
    return found


def one_run(release: str, rate: float) -> Verdict:
    after, base = summarise({"b": rate}), summarise({"a": 1000.0})
    cell = CellKey(release, "lab1", "scan")
    return Verdict(cell, "r0", State.SLOWER_ONE_RUN, "", compare(after, "r0", base))


def test_what_one_release_alone_shows_is_measured_again_largest_first() -> None:
    places = {
        ("lab1", "a"): levels(*[1000.0] * 4, 600.0, *[1000.0] * 4),
        ("lab1", "b"): levels(*[1000.0] * 4, 500.0, *[1000.0] * 4),
        ("lab1", "c"): levels(*[1000.0] * 8, 700.0),
        ("lab1", "d"): levels(*[1000.0] * 5, *[300.0] * 4),
    }
    first, second = undecided(places, [], {})
    assert [(each.cell.release, each.cell.step) for each in first] == [("r4", "b"), ("r4", "a")]
    assert [(each.cell.release, each.is_newest) for each in second] == [("r8", True)]


def test_what_several_runs_show_is_decided() -> None:
    places = {("lab1", "a"): levels(*[1000.0] * 4, 600.0, *[1000.0] * 4)}
    assert undecided(places, [], {CellKey("r4", "lab1", "a"): ENOUGH_RUNS}) == []
    assert len(undecided(places, [], {CellKey("r4", "lab1", "a"): 2})) == 1


def test_a_verdict_of_one_run_is_worth_another_where_it_is_large() -> None:
    ((cell,),) = undecided({}, [one_run("r1", 600.0), one_run("r2", 990.0)], {})
    assert (cell.cell.release, cell.against) == ("r1", "r0")


def test_what_is_measured_again_says_where_and_against_what() -> None:
    drop = levels(*[1000.0] * 8, 700.0)
    ((newest,),) = undecided({("lab1", "c"): drop}, [], {})
    ratio = drop.changes[0].ratio
    assert ratio is not None
    assert newest == Undecided(CellKey("r8", "lab1", "c"), ratio, against="", is_newest=True)
    alone = levels(*[1000.0] * 4, 600.0, *[1000.0] * 4)
    ((fluke,),) = undecided({("lab1", "a"): alone}, [], {})
    ratio = alone.flukes[0].ratio
    assert ratio is not None
    assert fluke == Undecided(CellKey("r4", "lab1", "a"), ratio, against="", is_newest=False)
    ((verdict,),) = undecided({}, [one_run("r1", 600.0)], {})
    assert verdict == Undecided(CellKey("r1", "lab1", "scan"), 0.6, against="r0", is_newest=False)


def test_of_several_verdicts_on_a_cell_the_largest_difference_counts() -> None:
    small, large = one_run("r1", 900.0), one_run("r1", 600.0)
    for verdicts in ([small, large], [large, small]):
        ((cell,),) = undecided({}, verdicts, {})
        assert cell.ratio == 0.6


def test_what_the_next_release_resolved_and_what_several_runs_show_is_not_measured_again() -> None:
    large = one_run("r1", 600.0)
    assert undecided({}, [replace(large, resolved="r2")], {}) == []
    assert undecided({}, [replace(large, state=State.SLOWER)], {}) == []
    cell = large.cell
    assert len(undecided({}, [large], {cell: ENOUGH_RUNS - 1})) == 1
    assert undecided({}, [large], {cell: ENOUGH_RUNS}) == []
