"""The table of what differs between two releases' environments."""

from pathlib import Path
from typing import Any

from perfpress.analysis.study.study import StepRun
from perfpress.base.display import LONGEST_NAME
from perfpress.input.corrections.corrected import Exclusion
from perfpress.site.shapes.blocks import Table
from perfpress.site.tables.environment import environment_table
from perfpress.site.words.plans import plan_sentences
from step_run_samples import step_run
from study_samples import study_of


def run_of(directory: Path, release: str, machine: dict[str, Any], **arguments: Any) -> StepRun:
    changes = {"release": release, "machine": machine}
    return step_run(directory / release, changes=changes, **arguments)


def rows_of(table: Table) -> dict[str, list[str]]:
    assert all(len(row.cells) == len(table.columns) for row in table.rows)
    return {row.label: [cell.text for cell in row.cells] for row in table.rows}


def test_what_differs_is_a_table_and_what_is_the_same_a_line(tmp_path: Path) -> None:
    study = study_of(
        [
            run_of(tmp_path, "17", {"cpus": 8, "kernel": "6.1"}),
            run_of(tmp_path, "18", {"cpus": 8, "kernel": "6.8"}),
        ]
    )
    table = environment_table(study, "18", "17", "socket2")
    assert rows_of(table) == {"machine kernel": ["6.1", "6.8"]}
    assert table.rows[0].note == "differs"
    assert table.notes == ("1 of 2 facts differ.", "The same in both: machine cpus 8.")


def test_a_base_without_runs_that_count_is_not_compared(tmp_path: Path) -> None:
    invalid = Exclusion("invalid", "disk was full", None)
    study = study_of(
        [
            run_of(tmp_path, "17", {"cpus": 8}, exclusion=invalid),
            run_of(tmp_path, "18", {"cpus": 8}),
        ]
    )
    table = environment_table(study, "18", "17", "socket2")
    assert rows_of(table) == {"machine cpus": ["8"]}
    assert table.notes == ("No comparison: 17 has no run of this variant that counts.",)
    assert environment_table(study, "17", "18", "socket2").notes == table.notes


def test_what_some_runs_of_both_sides_state_alike_is_the_same(tmp_path: Path) -> None:
    study = study_of(
        [
            run_of(tmp_path / name, release, {"cpus": 8, **own})
            for release in ("17", "18")
            for name, own in {"rates": {}, "profiles": {"kernel": "6.1"}}.items()
        ]
    )
    table = environment_table(study, "18", "17", "socket2")
    assert table.rows == ()
    assert table.notes == (
        "0 of 2 facts differ.",
        "The same in both: machine cpus 8; machine kernel 6.1.",
    )


def test_the_base_itself_is_compared_with_nothing(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, release, {"cpus": 8}) for release in ("17", "18")]
    table = environment_table(study_of(runs), "17", "17", "socket2")
    assert rows_of(table) == {"machine cpus": ["8"]}
    assert table.notes == ("The other releases are compared with it.",)
    alone = environment_table(study_of(runs[:1]), "17", "17", "socket2")
    assert (rows_of(alone), alone.notes) == ({"machine cpus": ["8"]}, ())


def test_changed_lines_are_listed_up_to_a_few(tmp_path: Path) -> None:
    def config(value: int) -> str:
        return "".join(f"setting{at} = {value}\n" for at in range(20))

    study = study_of(
        [
            step_run(
                tmp_path / release,
                changes={"release": release, "attachments": ["my.cnf"]},
                files={"my.cnf": config(at)},
            )
            for at, release in enumerate(("17", "18"))
        ]
    )
    (row,) = environment_table(study, "18", "17", "socket2").rows
    assert row.label == "attachment my.cnf"
    assert row.note.startswith("differs: -setting0 = 0; -setting1 = 0")
    assert row.note.endswith("and 32 more lines")


def test_long_values_are_cut(tmp_path: Path) -> None:
    def facts(release: str) -> dict[str, Any]:
        return {"cpus": 8, "flags": release + "x" * 5000, "same": "y" * 5000}

    study = study_of([run_of(tmp_path, each, facts(each)) for each in ("17", "18")])
    table = environment_table(study, "18", "17", "socket2")
    assert {len(cell.text) for row in table.rows for cell in row.cells} == {24}
    assert max(map(len, table.notes)) < 100
    assert {len(cell.note) for row in table.rows for cell in row.cells} == {LONGEST_NAME}


def test_a_checksum_lacks_its_middle_and_is_whole_on_request(tmp_path: Path) -> None:
    artifact = f"server-18.6.jar sha256 {'0123456789abcdef' * 4}"
    study = study_of(
        [step_run(tmp_path / "17", changes={"release": "17", "tools": {"build": artifact}})]
    )
    ((cell,),) = (row.cells for row in environment_table(study, "17", "17", "socket2").rows)
    assert cell.text == "server-18.6.jar sha256 0123456789a…456789abcdef"
    assert cell.note == artifact


def explained(query: str, rows: int) -> str:
    return (
        f"sysbench 1.0.20\ntable 1 : explain {query}\n"
        f"\t1\tSIMPLE\tsbtest1\trange\tk_1\tk_1\t4\tnull\t{rows}\n\n"
        "    transactions:  1000 (100.00 per sec.)\n"
    )


def test_a_plan_that_differs_is_below_what_differs(
    tmp_path: Path,
) -> None:
    query = "SELECT c FROM sbtest1 WHERE k IN (1, 2)"
    study = study_of(
        [
            run_of(
                tmp_path,
                release,
                {"cpus": 8, "kernel": release},
                files={"select.txt": explained(query, rows) + explained("SELECT 1", 1)},
            )
            for release, rows in (("17", 100), ("18", 9700))
        ]
    )
    for step in (None, "select"):
        table = environment_table(study, "18", "17", "socket2", step)
        shown = "plan select: SELECT c FROM sbtestN WHERE k IN (?, …)"
        assert list(rows_of(table)) == ["machine kernel", shown]
        assert table.caption.startswith("Plans, machine, tools")
        assert rows_of(table)[shown] == ["rows 100", "rows 9,700"]
        assert table.rows[1].note == (
            "differs: rows 100 → rows 9,700 in: SELECT c FROM sbtestN WHERE k IN (?, …)"
        )
        assert table.notes == (
            "1 of 2 facts differ.",
            "The same in both: machine cpus 8.",
            "Plan or estimate differs in 1 of 2 statements that both releases explained.",
        )
    other = environment_table(study, "18", "17", "socket2", "insert")
    assert list(rows_of(other)) == ["machine kernel"]


def test_a_plan_that_differs_has_a_sentence_beside_the_rates(tmp_path: Path) -> None:
    runs = [
        run_of(tmp_path, release, {}, files={"select.txt": explained("SELECT 1", rows)})
        for release, rows in (("17", 100), ("18", 9700))
    ]
    study = study_of(runs)
    assert plan_sentences(study, runs[1].cell) == [
        "EXPLAIN differs from 17: rows 100 → rows 9,700 in: SELECT ?"
    ]
    assert plan_sentences(study, runs[0].cell) == []


def test_a_plan_of_a_log_that_breaks_off_is_not_compared(tmp_path: Path) -> None:
    query = "SELECT c FROM sbtest1 WHERE k IN (1, 2)"
    logs = {"17": explained(query, 100), "18": explained(query, 9700).partition("    tr")[0]}
    study = study_of(
        [
            run_of(tmp_path, release, {"cpus": 8}, files={"select.txt": log})
            for release, log in logs.items()
        ]
    )
    assert rows_of(environment_table(study, "18", "17", "socket2")) == {}
