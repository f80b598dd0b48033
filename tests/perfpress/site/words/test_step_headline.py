"""The line that holds all evidence on a cell."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Never

import msgspec
from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import StepRun
from perfpress.site.report_figures import Figures
from perfpress.site.words.step_headline import cell_sentence, step_headline
from perfpress.site.words.verdict_sentences import plain
from study_samples import cell_of, repeats, study_of

STEADY = [1000.0, 1001.0, 999.0, 1002.0, 998.0]


def headline(figures: Figures, cell: CellKey) -> str:
    return plain([step_headline(figures, cell)]).replace("\N{NO-BREAK SPACE}", " ")


def test_base_and_release_before_are_in_one_line(tmp_path: Path) -> None:
    rates = {"a": STEADY, "b": STEADY, "c": [rate / 2 for rate in STEADY]}
    study = study_of([run for name in rates for run in repeats(tmp_path, name, rates[name])])
    assert headline(Figures(study), cell_of("c")) == (
        "50.0 % slower than a (ratio 0.500; 95 % interval 0.499 to 0.502), "
        "50.0 % slower than b (ratio 0.500; 95 % interval 0.499 to 0.502)."
    )


def test_behind_what_it_is_about_the_line_begins_no_sentence(tmp_path: Path) -> None:
    study = study_of([run for name in "ab" for run in repeats(tmp_path, name, STEADY)])
    figures = Figures(study)
    assert plain([cell_sentence(figures, cell_of("b"))]).startswith(
        "select on b: no change seen against a ("
    )
    assert headline(figures, cell_of("b")).startswith("No change seen against a (")


def test_both_releases_compared_with_have_links(tmp_path: Path) -> None:
    study = study_of([run for name in "abc" for run in repeats(tmp_path, name, STEADY)])
    links = [phrase.url for phrase in step_headline(Figures(study), cell_of("c")) if phrase.url]
    assert [link.split("/")[-2] for link in links] == ["a", "b"]


def with_p95(run: StepRun) -> StepRun:
    """Return a run with response times; those of release b are three times those of a."""
    rate = run.measured["throughput"]
    value = rate.value * (3 if run.cell.release == "b" else 1)
    time = msgspec.structs.replace(rate, value=value, unit="ms", better="lower")
    return replace(run, measured={**run.measured, "latency_p95": time})


def test_response_times_are_said_where_they_changed(tmp_path: Path) -> None:
    runs = [*repeats(tmp_path, "a", STEADY), *repeats(tmp_path, "b", STEADY)]
    figures = Figures(study_of(runs))
    later = Figures(study_of([*map(with_p95, runs)]))
    assert "; p95 of response times ×3.00." in headline(later, cell_of("b"))
    assert "p95" not in headline(figures, cell_of("b"))


def test_a_fluke_on_either_side_is_named_with_the_change(tmp_path: Path) -> None:
    rates = dict(zip("abcdefghi", [1000, 1002, 998, 500, 1001, 999, 1003, 997, 1000], strict=True))
    runs = [run for name, rate in rates.items() for run in repeats(tmp_path, name, [float(rate)])]
    figures = Figures(study_of(runs))
    assert "100.2 % faster than d (one run;" in headline(figures, cell_of("e"))
    assert headline(figures, cell_of("e")).endswith("; d alone was 50.0 % lower).")
    assert "; d alone was 50.0 % lower), 49.9 % slower than c" in headline(figures, cell_of("d"))
    assert "alone" not in headline(figures, cell_of("f"))


class Unread(tuple[()]):
    """Readings that nobody may ask for."""

    def __iter__(self) -> Iterator[Never]:
        raise AssertionError("a log was read")


def test_logs_without_plans_are_not_read_for_them(tmp_path: Path) -> None:
    runs = [run for name in "ab" for run in repeats(tmp_path, name, STEADY)]
    assert not any(run.outline.has_plans for run in runs)
    study = study_of([replace(run, readings=Unread()) for run in runs])
    assert headline(Figures(study), cell_of("b")).startswith("No change seen against a")
