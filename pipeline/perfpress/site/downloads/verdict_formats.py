"""Verdicts as text for a terminal, as JSON, and as JUnit's XML for a CI."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from perfpress.base.console import printable

if TYPE_CHECKING:  # imports pandas, which is not installed on every host that asks for --help
    from perfpress.site.downloads.verdict_records import VerdictRecord


def text_of(records: "Sequence[VerdictRecord]") -> str:
    """Return for each pair of releases the steps, and below each what its verdict rests on."""
    if not records:
        return "no release to compare with another one\n"
    tables: dict[str, list[tuple[str, str]]] = {}
    for record in records:
        head = f"{record.report} > {record.release} against {record.against}, @{record.variant}"
        tables.setdefault(head, []).extend(
            ((record.step, record.headline), ("", f"{record.why[:1].upper()}{record.why[1:]}."))
        )
    lines: list[str] = []
    for head, rows in tables.items():
        width = max(len(step) for step, _ in rows)
        lines += ["", head, *(f"  {step:{width}}  {words}" for step, words in rows)]
    return "".join(f"{printable(line.rstrip())}\n" for line in lines[1:])


def _name(record: "VerdictRecord") -> str:
    return record.step if record.metric == "throughput" else f"{record.step}: {record.metric}"


def json_of(records: "Sequence[VerdictRecord]") -> str:
    """Return what `/api/verdicts.json` holds of them."""
    from perfpress.site.downloads.verdict_records import verdict_file

    return verdict_file(records).decode()


def junit_of(records: "Sequence[VerdictRecord]") -> str:
    """Return JUnit's XML: a suite a report and release, a case a step; slower steps fail.

    Steps without a verdict are skipped: neither a pass nor a failure.
    """
    root = ElementTree.Element("testsuites")
    suites: dict[str, ElementTree.Element] = {}
    for record in records:
        named = f"{record.report} {record.release} against {record.against}"
        suite = suites.get(named)
        if suite is None:
            suite = suites[named] = ElementTree.SubElement(root, "testsuite", name=printable(named))
        case = ElementTree.SubElement(
            suite, "testcase", classname=printable(record.variant), name=printable(_name(record))
        )
        if record.verdict.row.gate == "fail" and not record.accepted:
            ElementTree.SubElement(
                case, "failure", message=printable(record.headline), type=record.verdict
            ).text = printable(record.why)
        elif record.verdict.row.gate == "skip":
            ElementTree.SubElement(case, "skipped", message=printable(record.headline))
        else:
            ElementTree.SubElement(case, "system-out").text = printable(record.headline)
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
