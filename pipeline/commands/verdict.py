"""`perfpress verdict`: what the results say of a release, for people and for CI."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from pipeline.build.cache import ROOT
from pipeline.commands.arguments import add_inputs, name
from pipeline.console import printable, tell
from pipeline.display import percent_change
from pipeline.problems import BadInput, Problem
from pipeline.toml.words import nearest, shown_value

if TYPE_CHECKING:
    from pipeline.report.report import Report
    from pipeline.site_data.verdict_records import VerdictRecord
    from pipeline.study.study import Study

HELP = "say whether a release is slower, for people and for CI"

MOST_TOLD = 3
"""Steps that a message names."""

FAILED_VERDICT = 3
"""The exit status of a verdict that was asked to fail."""

FAILING = {
    "slower": ("slower", "failed"),
    "slower-one-run": ("slower", "slower, one run", "failed"),
}
"""What --fail-on names: the verdicts that fail. A step that failed is worse than a slow one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_inputs(parser, "the texts, whose front matter names base and order")
    parser.add_argument("--report", type=name, metavar="REPORT", help="default: all reports")
    parser.add_argument(
        "--release", type=name, metavar="RELEASE", help="default: the last one of each report"
    )
    parser.add_argument(
        "--against",
        choices=("base", "previous", "both"),
        default="both",
        help="which release it is compared with (default: both)",
    )
    parser.add_argument(
        "--fail-on",
        choices=list(FAILING),
        metavar="VERDICT",
        help="exit with 3 where a verdict is slower (several runs show it) or slower-one-run (one "
        "does); what a correction accepts does not fail, a step that failed does",
    )
    parser.add_argument("--format", choices=list(FORMATS), default="text", help="default: text")


def run(arguments: argparse.Namespace) -> int:
    """Print the verdicts.

    Raises:
        BadInput: there is no such directory, report or release, or --fail-on had nothing to
            compare.
    """
    # Imported here because pandas is not installed on every host that has the other verbs.
    from pipeline.build.cache import Cache
    from pipeline.build.progress import Progress
    from pipeline.site_data.figures import Figures
    from pipeline.site_data.verdict_records import verdict_records
    from pipeline.study.study import read_studies

    if not arguments.results.is_dir():
        raise BadInput(_no_directory(arguments.results, "accepted bundles", "--results"))
    if not arguments.content.is_dir():
        # Without it another release would be the base, and nobody would know.
        raise BadInput(_no_directory(arguments.content, "the texts", "--content"))
    progress = Progress()
    try:
        studies, problems = read_studies(
            arguments.results.resolve(),
            arguments.results.resolve().parent / "corrections",
            arguments.content.resolve(),
            Cache(ROOT / "data" / ".cache"),
            os.cpu_count() or 1,
            progress.tell,
        )
    finally:
        progress.end()
    tell(problems)
    records = [
        record
        for study in _chosen(studies, arguments.report)
        for release in _release(study, arguments.release)
        for record in verdict_records(Figures(study))
        if record.release == release and _is_asked_for(record, study.report, arguments.against)
    ]
    sys.stdout.write(FORMATS[arguments.format](records))
    failing = FAILING.get(arguments.fail_on or "", ())
    failed = [each for each in records if each.verdict in failing and not each.accepted]
    if failing and not failed and all(each.ratio is None for each in records):
        raise BadInput(_nothing_compared(records))
    return FAILED_VERDICT if failed else 0


def _nothing_compared(records: "Sequence[VerdictRecord]") -> Problem:
    """Tell that a gate had nothing to judge by: it must not pass for that."""
    reasons = ", ".join(dict.fromkeys(f"{each.step}: {each.why}" for each in records[:MOST_TOLD]))
    return Problem(
        path="--fail-on",
        found=f"nothing was compared ({printable(reasons) or 'no release to compare with'})",
        expected="a step with a rate in both releases",
        do="check --release and --against, and the base in the report's text",
    )


def _chosen(studies: "Sequence[Study]", report: str | None) -> "Sequence[Study]":
    if report is None:
        return [study for study in studies if study.runs and not study.report.draft]
    found = [study for study in studies if study.report.id == report and study.runs]
    if not found:
        raise BadInput(_unknown("report", report, [study.report.id for study in studies]))
    return found


def _release(study: "Study", wanted: str | None) -> list[str]:
    """Return the release that is asked for, or the last one that was measured."""
    measured = {run.bundle.run.release for run in study.runs}
    ordered = [release.id for release in study.report.releases if release.id in measured]
    if wanted is None:
        return ordered[-1:]
    if wanted not in ordered:
        raise BadInput(_unknown("release", wanted, ordered))
    return [wanted]


def _is_asked_for(record: "VerdictRecord", report: "Report", against: str) -> bool:
    previous = report.previous(record.release)
    return {
        "base": record.is_against_base,
        "previous": previous is not None and record.against == previous.id,
        "both": True,
    }[against]


def _unknown(kind: str, wanted: str, known: Sequence[str]) -> Problem:
    near = nearest(wanted, known)
    return Problem(
        path=f"--{kind}",
        found=f"no results of the {kind} {shown_value(wanted)}",
        expected=", ".join(map(shown_value, known)) or "results",
        do=f"did you mean {shown_value(near)}?" if near else "correct the name",
    )


def _no_directory(path: Path, expected: str, option: str) -> Problem:
    return Problem(
        path=str(path),
        found="no such directory",
        expected=expected,
        do=f"check {option}",
    )


def text_of(records: "Sequence[VerdictRecord]") -> str:
    """Return a table for each pair of releases: the change of throughput, the verdict, evidence."""
    if not records:
        return "no release to compare with another one\n"
    tables: dict[str, list[tuple[str, ...]]] = {}
    for record in records:
        head = f"{record.report} > {record.release} against {record.against}, @{record.variant}"
        row = (record.step, _change(record), _words(record), record.why)
        tables.setdefault(head, []).append(row)
    lines: list[str] = []
    for head, rows in tables.items():
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines += ["", head]
        lines += (
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in rows
        )
    return "".join(f"{printable(line.rstrip())}\n" for line in lines[1:])


def _change(record: "VerdictRecord") -> str:
    return "" if record.ratio is None else percent_change(record.ratio)


def _words(record: "VerdictRecord") -> str:
    if record.accepted:
        return f"{record.verdict} (accepted)"
    if record.verdict == "no change seen" and record.could_miss is not None:
        return f"{record.verdict} (could miss ±{100 * record.could_miss:.2g} %)"
    return record.verdict


def json_of(records: "Sequence[VerdictRecord]") -> str:
    """Return what `/api/verdicts.json` holds of them."""
    from pipeline.site_data.verdict_records import verdict_file

    return verdict_file(records).decode()


def junit_of(records: "Sequence[VerdictRecord]") -> str:
    """Return JUnit's XML: a suite a report and release, a case a step; slower steps fail.

    What nobody can tell is skipped, so that it is neither a pass nor a failure.
    """
    root = ElementTree.Element("testsuites")
    suites: dict[str, ElementTree.Element] = {}
    for record in records:
        named = f"{record.report} {record.release} against {record.against}"
        suite = suites.get(named)
        if suite is None:
            suite = suites[named] = ElementTree.SubElement(root, "testsuite", name=printable(named))
        case = ElementTree.SubElement(
            suite, "testcase", classname=printable(record.variant), name=printable(record.step)
        )
        if record.verdict in ("slower", "failed") and not record.accepted:
            ElementTree.SubElement(
                case, "failure", message=printable(_words(record)), type=record.verdict
            ).text = printable(record.why)
        elif record.verdict in ("missing", "cannot tell", "noisy"):
            ElementTree.SubElement(
                case, "skipped", message=printable(f"{_words(record)}: {record.why}")
            )
        else:
            ElementTree.SubElement(case, "system-out").text = printable(
                f"{_words(record)}: {record.why}"
            )
    for suite in suites.values():
        suite.set("tests", str(len(suite.findall("testcase"))))
        suite.set("failures", str(len(suite.findall("testcase/failure"))))
        suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


FORMATS: "dict[str, Callable[[Sequence[VerdictRecord]], str]]" = {
    "text": text_of,
    "json": json_of,
    "junit": junit_of,
}
