"""A report is what its author decided, completed from the bundles."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import good_bundle
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.problems import Problem
from perfpress.input.corrections.corrected import CorrectedRun, Exclusion
from perfpress.input.corrections.files import Rename
from perfpress.input.report.front_matter import FrontMatter, Release, with_renames
from perfpress.input.report.report import Report, read_reports
from perfpress.input.report.version_order import version_key

FRONT = """\
+++
title = "PostgreSQL 16 to 18"
summary = "Did it get slower?"
date = 2026-11-21
aliases = ["/old/"]
base = "16"
default_variant = "socket2--8clients"

[[releases]]
id = "18"
label = "PostgreSQL 18"
version = "18.1"
date = 2025-11-13
branch = "main"
order = 3

[[releases]]
id = "16"
branch = "main"
order = 1

[[releases]]
id = "17"
order = 2

[variants]
"socket2--8clients" = "8 clients"

[[step_groups]]
title = "Reads"
steps = ["select", "range"]

[thread_aliases]
checkpointer = ["checkpoint", "ckpt"]

[function_aliases]
ExecScan = ["ExecScanExtended"]

[[drilldowns]]
name = "executor"
title = "Where the executor spends its time"
steps = ["select"]
threshold = 0.5
columns = [
  { head = "scan", path = "ExecutorRun >> ExecScan" },
]

[[diffs]]
release = "18"
base = "17"
steps = ["select"]

[function_kinds]
locks = ["my_latch_*"]

[params]
anything = 1
+++
The author's text.
"""


class Study:
    """A directory of texts, and bundles of one report."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.runs: list[CorrectedRun] = []

    def measured(self, release: str, steps: tuple[str, ...] = ("select",), **run: Any) -> None:
        """Add a run."""
        step = [{"name": name, "operation": "o"} for name in steps]
        day = datetime(2023, 1, 1 + len(self.runs), tzinfo=UTC)
        changes = {"release": release, "step": step, "started": day, **run}
        place = self.directory / f"bundle{len(self.runs)}"
        self.runs.append(CorrectedRun(good_bundle(place, changes, {})))

    def excluded(self, release: str, steps: tuple[str, ...] = ("select",), **run: Any) -> None:
        """Add a run that does not count."""
        self.measured(release, steps, **run)
        exclusion = Exclusion("invalid", "noisy neighbour", None)
        self.runs[-1] = replace(self.runs[-1], exclusions=(exclusion,))

    def write(self, text: str, report: str = "postgres-releases") -> None:
        """Write the author's text."""
        path = self.directory / "content" / "reports" / report / "_index.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def read(self) -> tuple[Report, list[Problem]]:
        """Read the report."""
        reports, problems = read_reports(self.directory / "content", "content", self.runs)
        return reports["postgres-releases"], problems

    def problem_lines(self) -> list[str]:
        """Return what is wrong, without the file's name."""
        file = "content/reports/postgres-releases/_index.md:"
        return [str(problem).removeprefix(file) for problem in self.read()[1]]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


@pytest.fixture
def authored(study: Study) -> Study:
    """Return a study whose text fits its bundles."""
    for release in ("16", "17", "18"):
        study.measured(release, ("select", "insert", "range"), clients=8)
    study.write(FRONT)
    return study


def test_an_authors_decisions_are_read(authored: Study) -> None:
    report, problems = authored.read()
    assert problems == []
    assert (report.id, report.title) == ("postgres-releases", "PostgreSQL 16 to 18")
    assert report.matter.summary == "Did it get slower?"
    assert (report.base, report.default_variant) == ("16", "socket2--8clients")
    assert [release.id for release in report.releases] == ["16", "17", "18"]
    newest = report.release("18")
    assert (newest.label, newest.version) == ("PostgreSQL 18", "18.1")
    assert newest.date == date(2025, 11, 13)
    assert report.variants == {"socket2--8clients": "8 clients"}
    assert report.steps == ("select", "range", "insert")
    assert report.matter.thread_aliases == {"checkpointer": ("checkpoint", "ckpt")}
    assert report.matter.function_kinds.locks == ("my_latch_*",)
    assert report.matter.function_aliases == {"ExecScan": ("ExecScanExtended",)}
    (drilldown,) = report.matter.drilldowns
    assert drilldown.columns[0].path == "ExecutorRun >> ExecScan"
    assert drilldown.threshold == 0.5
    assert (report.matter.diffs[0].release, report.matter.diffs[0].base) == ("18", "17")
    assert not report.matter.draft
    assert report.document is not None
    assert report.document.line("drilldowns", 0, "columns", 0, "path") == 45


def test_the_previous_release_is_of_the_same_branch(authored: Study) -> None:
    report, _ = authored.read()
    previous = report.previous("18")
    assert previous is not None
    assert previous.id == "16", "17 is of no branch"
    assert report.previous("16") is None
    assert report.previous("17") is None
    with pytest.raises(KeyError):
        report.release("19")


def test_a_fresh_release_follows_the_last_of_the_authors_branches(authored: Study) -> None:
    authored.write(FRONT.replace('id = "17"\n', 'id = "17"\nbranch = "17"\n'))
    authored.measured("19", clients=8)
    report, _ = authored.read()
    previous = report.previous("19")
    assert previous is not None
    assert previous.id == "18"
    assert report.previous("17") is None


def test_a_fresh_release_is_of_no_branch_where_one_of_the_authors_is(authored: Study) -> None:
    authored.measured("19", clients=8)
    report, _ = authored.read()
    previous = report.previous("19")
    assert previous is not None
    assert previous.id == "17"


def test_without_a_text_everything_is_shown(study: Study) -> None:
    for release in ("18", "9.6", "10", "18rc1"):
        study.measured(release, ("b", "a"))
    study.measured("10", clients=2)
    report, problems = study.read()
    assert problems == []
    assert [release.id for release in report.releases] == ["9.6", "10", "18rc1", "18"]
    assert report.base == "9.6"
    assert report.default_variant == "socket2"
    assert list(report.variants.items()) == [
        ("socket2", "socket2"),
        ("socket2--2clients", "socket2, 2 clients"),
    ]
    assert report.steps == ("a", "b", "select")
    assert report.title == "postgres-releases"


def test_the_variant_measured_first_is_the_default_whatever_comes_later(study: Study) -> None:
    study.measured("18", host="b")
    for release in ("17", "18", "19"):
        study.measured(release, host="a")
    study.measured("18", host="0", started=None)
    study.measured("17", host="c")
    study.measured("18", host="c")
    report, _ = study.read()
    assert report.default_variant == "b"
    assert list(report.variants) == ["b", "a", "c", "0"]


def test_of_variants_measured_first_at_once_the_first_by_name_is_the_default(study: Study) -> None:
    for host in ("b", "a"):
        study.measured("18", host=host, started=datetime(2023, 1, 1, tzinfo=UTC))
    assert study.read()[0].default_variant == "a"


def test_a_run_that_does_not_count_decides_nothing_and_is_shown(study: Study) -> None:
    study.excluded("17", ("insert",), host="a")
    study.measured("18", host="b")
    report, _ = study.read()
    assert (report.base, report.default_variant, report.steps) == ("18", "b", ("select",))
    assert [release.id for release in report.releases] == ["17", "18"]
    assert list(report.variants) == ["b", "a"]


def test_where_no_run_counts_all_of_them_decide(study: Study) -> None:
    study.excluded("17", host="a")
    report, _ = study.read()
    assert (report.base, report.default_variant, report.steps) == ("17", "a", ("select",))


def test_a_release_that_only_bundles_know_comes_after_the_authors(authored: Study) -> None:
    authored.measured("19", clients=8)
    authored.measured("12", clients=8)
    report, problems = authored.read()
    assert problems == []
    assert [release.id for release in report.releases] == ["16", "17", "18", "12", "19"]


def test_a_release_measured_again_follows_what_it_is_called_after(authored: Study) -> None:
    for release in ("17v3", "17_v2", "19", "19v2", "v2"):
        authored.measured(release, clients=8)
    report, _ = authored.read()
    names = [release.id for release in report.releases]
    assert names == ["16", "17", "17_v2", "17v3", "18", "v2", "19", "19v2"]
    branches = {release.id: release.branch for release in report.releases}
    assert branches["17v3"] == branches["17"]


def test_a_release_measured_again_follows_one_that_was_renamed_since(authored: Study) -> None:
    authored.measured("17v2", clients=8)
    authored.measured("17_v3", clients=8)
    rename = Rename(what="release", old="17rc1", new="17", reason="It was released.")
    authored.runs = [replace(run, renames=(rename,)) for run in authored.runs]
    authored.measured("17rc1_v2", clients=8)
    report, _ = authored.read()
    names = [release.id for release in report.releases]
    assert names == ["16", "17", "17rc1_v2", "17v2", "17_v3", "18"]


def test_a_label_that_is_the_old_name_goes_with_a_rename() -> None:
    releases = (Release(id="17", label="17"), Release(id="18", label="PostgreSQL 18"))
    renames = [Rename(what="release", old=old, new=f"pg{old}", reason="x") for old in ("17", "18")]
    found = with_renames(FrontMatter(releases=releases), renames).releases
    assert [(each.id, each.label) for each in found] == [("pg17", None), ("pg18", "PostgreSQL 18")]


def test_a_release_without_runs_is_no_default_base(study: Study) -> None:
    study.measured("18")
    study.write('+++\n[[releases]]\nid = "17"\n[[releases]]\nid = "18"\n+++\n')
    report, problems = study.read()
    assert report.base == "18"
    (problem,) = problems
    assert (problem.line, problem.severity) == (3, "warning")
    assert problem.found == "no run of the release '17'"


def test_a_report_without_runs_is_listed(study: Study) -> None:
    study.write(FRONT)
    report, problems = study.read()
    assert [problem.expected for problem in problems] == ["results for every text"]
    assert report.default_variant == ""


def test_no_texts_at_all_are_fine(tmp_path: Path) -> None:
    assert read_reports(tmp_path / "none", "content", []) == ({}, [])


SAME = '+++\nsame_config = [["x10a", "x10b"]]\n'


def test_configurations_declared_the_same_are_one_variant(study: Study) -> None:
    study.measured("17", config="x10a", clients=8)
    study.measured("18", config="x10b", clients=8)
    study.measured("18", config="x10b", clients=1)
    study.measured("18", config="x9", clients=8)
    study.write(
        SAME
        + 'default_variant = "socket2--x10b--8clients"\n'
        + 'twin_variants = [["socket2--x10b--8clients", "socket2--x9--8clients"]]\n+++\n'
    )
    report, problems = study.read()
    assert problems == []
    assert report.variants == {
        "socket2--x10a--8clients": "socket2, x10a = x10b, 8 clients",
        # Of what was never measured as x10a the name stays.
        "socket2--x10b--1client": "socket2, x10b, 1 client",
        "socket2--x9--8clients": "socket2, x9, 8 clients",
    }
    assert report.default_variant == "socket2--x10a--8clients"
    assert report.twin_variants == (("socket2--x10a--8clients", "socket2--x9--8clients"),)
    runs = [report.with_variant(run).bundle for run in study.runs]
    assert [each.variant.config for each in runs] == ["x10a", "x10a", "x10b", "x9"]
    assert [each.run.config for each in runs] == ["x10a", "x10b", "x10b", "x9"]


def test_a_name_under_a_former_variant_stays(study: Study) -> None:
    study.measured("17", config="x10a")
    study.measured("18", config="x10b")
    study.write(SAME + '[variants]\n"socket2--x10b" = "Ten"\n+++\n')
    report, problems = study.read()
    assert (problems, report.variants) == ([], {"socket2--x10a": "Ten"})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'same_config = [["x10a", "x1b"]]',
            "no run of the configuration 'x1b'; expected one of",
        ),
        ('same_config = [["x10a"]]', "`same_config` is [['x10a']]; expected a list in [ ] of"),
        (
            'same_config = [["x10a", "x10b"], ["x10b", "x9"]]',
            "the configuration 'x10b' 2 times; expected each configuration once",
        ),
        ("prior = 2", "`prior` is 2; expected a number"),
        ("prior = 0", "`prior` is 0; expected a number"),
        ("piror = 0.02", "unknown key `piror`; did you mean `prior`?"),
        ("rates = 0.57", "`rates` is 0.57; expected a table"),
        ('rates = { "17" = 0 }', "`rates.17` is 0; expected a number > 0"),
        ('rates = { "17" = -0.5 }', "`rates.17` is -0.5; expected a number > 0"),
        ('rates = { "17" = inf }', "`rates.17` is inf; expected a number <= 1"),
        ('rates = { "17" = "82 %" }', "`rates.17` is '82 %'; expected a number or a table"),
        ("rates = { select = { 17 = 0 } }", "`rates.select.17` is 0; expected a number > 0"),
        ('rates = { "1" = 0.5 }', "no run of the release '1'; expected one of '17'"),
        ("rates = { select = { 18 = 1 } }", "no run of the release '18'; expected one of"),
        ("rates = { scan = { 17 = 1 } }", "no run of the step or variant 'scan'; expected"),
    ],
)
def test_what_is_declared_wrong_is_reported(study: Study, line: str, message: str) -> None:
    for config in ("x10a", "x10b", "x9"):
        study.measured("17", config=config)
    study.write(f"+++\n{line}\n+++\n")
    (problem,) = study.problem_lines()
    assert problem.startswith(f"2: {message}"), problem


def test_a_draft_is_a_draft_even_where_the_rest_is_wrong(authored: Study) -> None:
    authored.write(FRONT.replace('base = "16"', "base = 16\ndraft = true"))
    report, problems = authored.read()
    assert report.matter.draft
    assert report.title == "PostgreSQL 16 to 18"
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('base = "16"', 'bse = "16"', "6: unknown key `bse`; did you mean `base`?"),
        ('base = "16"', "base = 16", "6: `base` is 16; expected text in quotes"),
        ('base = "16"', 'base = "15"', "6: no run of the release '15'; expected one of '16'"),
        ("socket2--8", "socket2--9", "7: no run of the variant 'socket2--9clients'; expected"),
        (
            "locks = [",
            "lock = [",
            "54: unknown key `function_kinds.lock`; did you mean `locks`?",
        ),
        ('label = "P', 'lable = "P', "11: unknown key `releases[0].lable`; did you mean `label`?"),
        ("order = 3", 'order = "3"', "15: `releases[0].order` is '3'; expected a whole number"),
        ("date = 2025-11-13", 'date = "2025"', "13: `releases[0].date` is '2025'; expected a date"),
        ('id = "17"', 'id = "18"', "22: 2 releases have the address 18; expected one"),
        ('id = "17"', 'id = "steps"', "23: a release may not be called 'steps'"),
        ('["select", "range"]', '["selct"]', "31: no run of the step 'selct'; expected one of"),
        ("threshold = 0.5", "threshold = 101", "43: `drilldowns[0].threshold` is 101; expected a"),
        ('head = "scan", ', "", "45: `drilldowns[0].columns[0]` lacks the key `head`"),
        ('base = "17"', 'base = "1"', "50: no run of the release '1'; expected one of "),
        ('base = "16"', "base = ", "6: Invalid value; expected TOML"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line(
    authored: Study, before: str, after: str, message: str
) -> None:
    authored.write(FRONT.replace(before, after, 1))
    assert any(line.startswith(message) for line in authored.problem_lines()), (
        authored.problem_lines()
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("---\ntitle: x\n---\n", "1: front matter in YAML; expected TOML between +++ lines"),
        ('{"title": "x"}\n', "1: front matter in JSON; expected TOML between +++ lines"),
        ('+++\ntitle = "x"\n', "1: front matter that does not end; expected a second line +++"),
    ],
)
def test_other_front_matter_is_refused(study: Study, text: str, message: str) -> None:
    study.measured("18")
    study.write(text)
    (line,) = study.problem_lines()
    assert line.startswith(message)


@pytest.mark.parametrize("text", ["", "Only a text.\n", '\ufeff+++\r\ntitle = "x"\r\n+++\r\nText'])
def test_little_front_matter_is_enough(study: Study, text: str) -> None:
    study.measured("18")
    study.write(text)
    report, problems = study.read()
    assert problems == []
    assert report.title == ("x" if "x" in text and "+++" in text else "postgres-releases")


def test_a_directory_that_no_bundle_can_name_is_reported(study: Study) -> None:
    study.measured("18")
    study.write('+++\ntitle = "x"\n+++\n', report="Postgres Releases")
    reports, problems = read_reports(study.directory / "content", "content", study.runs)
    assert sorted(reports) == ["Postgres Releases", "postgres-releases"]
    expected = [problem.expected for problem in problems]
    assert expected == ["postgres-releases", "results for every text"]


@pytest.mark.parametrize(
    "ordered",
    [
        ["9.6", "10", "18beta1", "18beta2", "18rc1", "18", "18.1"],
        ["5.6.51", "5.7.44", "8.0.28", "8.0.37", "8.4.0"],
        ["2022-03-07", "2022-10-01", "2023-05-29"],
        ["v1.9", "v1.10", "2.0"],
        ["1.0-alpha", "1.0-alpha2", "1.0-rc.1", "1.0", "1.0-lto", "1.0.1"],
        ["10.2.44", "10.11.2"],
        ["main", "12"],
        ["1.0", "1.00"],
    ],
)
def test_versions_are_ordered_as_people_do(ordered: list[str]) -> None:
    shuffled = random.Random(1).sample(ordered, len(ordered))
    assert sorted(shuffled, key=version_key) == ordered


@given(st.text(max_size=30), st.text(max_size=30))
def test_different_names_never_tie(first: str, second: str) -> None:
    assert (version_key(first) == version_key(second)) == (first == second)
