"""The commands that settle what too few runs show."""

import shlex
from argparse import ArgumentParser
from pathlib import Path

from perfpress.cli.capture_arguments import add_arguments
from perfpress.site.report_figures import Figures
from perfpress.site.words.measure_again import MOST, measure_again
from study_samples import repeats, study_of

VARIANT = "socket2--a-b--build-lto"
STEADY = [1000.0, 1001.0, 1002.0, 1000.0, 1001.0, 1002.0, 1000.0, 1001.0]


def figures_of(directory: Path, *rates: float) -> Figures:
    changes = {"config": "a b", "axes": {"build": "lto"}}
    return Figures(
        study_of(
            [
                run
                for at, rate in enumerate(rates)
                for run in repeats(directory, f"r{at:02}", [rate], changes=changes)
            ],
            report={"variants": {VARIANT: VARIANT}, "default_variant": VARIANT},
        )
    )


def test_a_command_measures_the_same_step_of_the_same_variant(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *STEADY[:4], 600.0, *STEADY[4:])
    (again,) = measure_again(figures, VARIANT)
    assert again.label == "r04, select"
    assert again.url.endswith("/r04/select/")
    assert again.text.startswith("\N{MINUS SIGN}40.")
    assert again.text.endswith("against the releases around it.")
    program, verb, *words = shlex.split(again.command)
    assert (program, verb) == ("perfpress", "capture")
    parser = ArgumentParser()
    add_arguments(parser)
    asked, _ = parser.parse_known_args(words[: words.index("--")])
    assert (asked.release, asked.step) == ("r04", "select")
    assert (asked.host, asked.config, asked.operation) == ("socket2", "a b", "transaction")
    assert "build=lto" in words


def test_what_only_the_newest_release_shows_says_so(tmp_path: Path) -> None:
    figures = figures_of(tmp_path, *STEADY, 600.0)
    (again,) = measure_again(figures, VARIANT)
    assert "nothing newer to confirm it" in again.text


def test_no_more_are_asked_for_than_somebody_would_do(tmp_path: Path) -> None:
    rates = [1000.0 + at % 3 for at in range(40)]
    for at in range(2, 40, 6):
        rates[at] = 500.0 + at
    figures = figures_of(tmp_path, *rates)
    assert len(figures.undecided) > MOST
    assert len(measure_again(figures, VARIANT)) == MOST
