"""What the draft of a report says before its author wrote a word."""

import tomllib
from typing import Any

import pytest
from perfpress.host.importing.report_draft import Imported, drafted
from perfpress.input.bundles.variant import Variant

STEPS = ("load", "scan", "insert")


def run(
    release: str, version: str | None, host: str = "lab1", steps: tuple[str, ...] = STEPS
) -> Imported:
    rates = {step: 100.0 for step in steps}
    return Imported("sysbench", release, version, Variant(host), steps, rates)


def draft(*runs: Imported, report: str = "lab1") -> dict[str, Any]:
    text = drafted(report, runs, lambda _: None, lambda _: 0)
    return tomllib.loads(text.strip().strip("+"))


@pytest.mark.parametrize(
    ("versions", "title"),
    [
        (("MariaDB 10.2.30", "MariaDB 12.1.1 mdev16168"), "MariaDB 10.2.30 to 12.1.1"),
        (("MariaDB 10.2.30",), "MariaDB 10.2.30"),
        (("5.6.51", "8.0.37"), "5.6.51 to 8.0.37"),
        ((None, None), "r0 to r1"),
        (("MySQL 5.6.49", "PostgreSQL 12.4"), "MySQL and PostgreSQL"),
        (("MyRocks 5.6.35 march", "MyRocks 5.6.35 may"), "MyRocks r0 to r1"),
    ],
)
def test_the_title_says_what_was_measured_with_what_and_where(
    versions: tuple[str | None, ...], title: str
) -> None:
    runs = [run(f"r{at}", version) for at, version in enumerate(versions)]
    assert draft(*runs)["title"] == f"{title}: sysbench on lab1"


def test_the_title_spans_versions_and_names_builds_without_one() -> None:
    known = [run(f"pg17{minor}", f"PostgreSQL 17.{minor}") for minor in (2, 5)]
    few = draft(*known, run("oriole", None))["title"]
    assert few == "PostgreSQL 17.2 to 17.5 and oriole: sysbench on lab1"
    many = draft(*known, *(run(each, None) for each in "abc"))["title"]
    assert many == "PostgreSQL 17.2 to 17.5 and 3 others: sysbench on lab1"


def test_the_title_names_the_report_where_that_says_more() -> None:
    runs = [run("a", None), run("b", None, "lab2")]
    assert draft(*runs, report="disk bound")["title"] == "a to b: sysbench on 2 hosts, disk bound"
    of_mariadb = run("a", "MariaDB 10.6.1")
    assert draft(of_mariadb, report="mariadb")["title"] == "MariaDB 10.6.1: sysbench on lab1"


@pytest.mark.parametrize("report", ["archive", "Results", "data", "out", "tmp"])
def test_the_title_leaves_out_what_any_directory_may_be_called(report: str) -> None:
    assert draft(run("a", None), report=report)["title"] == "a: sysbench on lab1"


def test_the_base_is_the_oldest_release_that_most_hosts_measured() -> None:
    runs = [run("1", "1.0"), run("2", "2.0"), run("2", "2.0", "lab2"), run("3", "3.0")]
    assert draft(*runs)["base"] == "2"


def test_an_order_by_names_alone_is_said_in_a_comment() -> None:
    def text(*versions: str | None) -> str:
        runs = [run(f"11{at}", version) for at, version in enumerate(versions)]
        return drafted("lab1", runs, lambda _: None, lambda _: 0)

    assert "# Ordered by name, for no version is known: 110, 112." in text(None, "1.0", None)
    assert "Ordered by name" not in text("1.0", "2.0")
    assert "Ordered by name" not in text(None)


def test_the_base_was_measured_in_most_steps() -> None:
    runs = [run("1", "1.0", steps=("load",)), run("2", "2.0", steps=STEPS[:2]), run("3", "3.0")]
    assert draft(*runs)["base"] == "2"
