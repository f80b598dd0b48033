"""Writes a correction, if it can be applied to the accepted bundles."""

import itertools
import os
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.base.slugs import slug
from perfpress.base.toml.words import nearest, shown_value
from perfpress.input.bundles.read import Bundle
from perfpress.input.corrections.corrected import apply_corrections
from perfpress.input.corrections.files import (
    AnyCorrection,
    Correction,
    correction_name,
    correction_toml,
    order_in_report,
    parse_correction,
    read_corrections,
)

MOST_NAMED = 8
"""Reports that a message lists."""


def write_correction(
    changes: Iterable[AnyCorrection],
    report: str,
    bundles: Sequence[Bundle],
    corrections: Path,
    same_config: Sequence[Sequence[str]],
) -> tuple[Path, AnyCorrection]:
    """Write the first of some changes that fits the bundles; return it and the path of its file.

    Args:
        changes: what is asked for, which may be read in several ways: a number or a text.
        report: the slug of the report.
        bundles: all accepted ones.
        corrections: the directory of all corrections.
        same_config: configurations that the report declares to be the same.

    Raises:
        BadInput: none fits.
    """
    problems: list[Problem] = []
    for change in changes:
        misfits = _misfits(change, report, bundles, corrections, same_config)
        if not misfits:
            return _write(change, corrections / report), change
        if not problems or not isinstance(getattr(change, "value", ""), str):
            # Of a number it is more to the point what is wrong with it than that it is not text.
            problems = misfits
    raise BadInput(*problems)


def report_of(wanted: str | None, run: str | None, bundles: Sequence[Bundle], where: str) -> str:
    """Return the slug of the report that a correction is for.

    Args:
        wanted: the report's name, where it is given.
        run: the id of the run that is corrected, where one is.
        bundles: all accepted ones.
        where: the name of their directory, for messages.

    Raises:
        BadInput: nothing identifies it.
    """
    if wanted:
        return _known_report(wanted, bundles, where)
    reports = {slug(bundle.run.report) for bundle in bundles if run is None or bundle.run_id == run}
    if len(reports) == 1:
        return reports.pop()
    if not bundles:
        do = "correct --results, or add the run first: perfpress add DIR"
        raise bad_input(path=where, found="no bundles", expected="accepted ones", do=do)
    if run is None or reports:
        do = "name the report, --report NAME, or call this in its directory"
        raise bad_input(path=where, found=_listed(reports), expected="one", do=do)
    found, near = f"no run {shown_value(run)}", _nearest_run(run, bundles)
    do = f"did you mean {near}?" if near else "see the names of the directories there"
    raise bad_input(path=where, found=found, expected="a run id", do=do)


def _listed(reports: Collection[str]) -> str:
    """Return how many reports there are, and the names of the first."""
    names = ", ".join(sorted(reports)[:MOST_NAMED])
    return f"{len(reports)} reports ({names}{', …' if len(reports) > MOST_NAMED else ''})"


def _known_report(wanted: str, bundles: Sequence[Bundle], where: str) -> str:
    known = {slug(bundle.run.report) for bundle in bundles}
    if slug(wanted) not in known:
        near = nearest(slug(wanted), sorted(known))
        found = f"no report {shown_value(wanted)}"
        do = (
            f"did you mean {near}?"
            if near
            else "correct --results, or add a run: perfpress add DIR"
        )
        raise bad_input(path=where, found=found, expected="one with bundles", do=do)
    return slug(wanted)


def _nearest_run(wanted: str, bundles: Sequence[Bundle]) -> str | None:
    """Return the run that was probably meant; the hash at the end of an id alone is enough."""
    known = [bundle.run_id for bundle in bundles]
    return next((run_id for run_id in known if wanted and wanted in run_id), nearest(wanted, known))


def _misfits(
    change: AnyCorrection,
    report: str,
    bundles: Sequence[Bundle],
    directory: Path,
    same_config: Sequence[Sequence[str]],
) -> list[Problem]:
    """Return why a change cannot be applied on top of the corrections that are there."""
    file_name = _free_path(change, directory / report).name
    shown_as = f"{directory.name}/{report}/{file_name}"
    correction, problems = parse_correction(correction_toml(change), file_name, report, shown_as)
    if correction is None:
        return [_asked_for(problem) for problem in problems]
    earlier, _ = read_corrections(directory, directory.name)
    _, before = apply_corrections(bundles, earlier, same_config)
    ordered = sorted((*earlier, correction), key=_place)
    _, after = apply_corrections(bundles, ordered, same_config)
    return [
        _asked_for(problem) if problem.path == shown_as else problem
        for problem in after
        if problem not in before
    ]


def _asked_for(problem: Problem) -> Problem:
    """Return a problem of a draft correction as a problem of the command line."""
    return replace(problem, path="perfpress amend", line=0)


def _place(correction: Correction) -> tuple[str, str]:
    """Return what `read_corrections` sorts by."""
    return correction.report, order_in_report(Path(correction.shown_as).name)


def _write(change: AnyCorrection, directory: Path) -> Path:
    """Write a correction under a name that is free."""
    directory.mkdir(parents=True, exist_ok=True)
    while True:
        path = _free_path(change, directory)
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(correction_toml(change))
            return path
        except FileExistsError:
            continue  # somebody else took the name just now


def _free_path(change: AnyCorrection, directory: Path) -> Path:
    wanted = directory / correction_name(change, date.today())
    others = (wanted.with_stem(f"{wanted.stem}-{number}") for number in itertools.count(2))
    paths = itertools.chain([wanted], others)
    return next(path for path in paths if not os.path.lexists(path))
