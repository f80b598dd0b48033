"""amend, as it is called."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bundle_samples import accepted
from perfpress.__main__ import main
from verb_calls import Perfpress, results


def corrections() -> dict[str, str]:
    """Return all corrections: their texts, by name without the date."""
    paths = sorted(Path("data/corrections").rglob("*.toml"))
    return {f"{path.parent.name}/{path.name[11:]}": path.read_text() for path in paths}


def test_amend_writes_a_correction_and_prints_its_path(perfpress: Perfpress) -> None:
    run_id = accepted(results()).run_id
    answer = perfpress("amend", "invalid", run_id, "--reason", "noisy neighbour")
    assert answer.status == 0
    path = Path(answer.out.strip())
    assert path.exists()
    sentence = f"Run {run_id} does not count: noisy neighbour."
    assert answer.err == f"{sentence} The next build shows it.\n"
    assert corrections() == {
        f"postgres-releases/invalid-{run_id}.toml": (
            f'kind = "invalid"\nreason = "noisy neighbour"\nrun = "{run_id}"\n'
        )
    }


def test_amend_takes_the_directory_of_a_run(perfpress: Perfpress) -> None:
    bundle = accepted(results())
    answer = perfpress("amend", "invalid", str(bundle.directory), "--reason", "r")
    assert answer.status == 0


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("set", "clients=8", "RUN"), 'key = "clients"\nvalue = 8\n'),
        (("set", "machine.kernel=6.10", "RUN"), 'key = "machine.kernel"\nvalue = "6.10"\n'),
        (("set", "machine.cpus=8", "RUN"), 'key = "machine.cpus"\nvalue = 8\n'),
        (("set", "machine.virtual=true", "RUN"), 'key = "machine.virtual"\nvalue = true\n'),
        (("set", "tools.perf=6", "RUN"), 'key = "tools.perf"\nvalue = "6"\n'),
        (("set", "config=8", "RUN"), 'key = "config"\nvalue = "8"\n'),
        (
            ("set", f"machine.serial={'1' * 5000}", "RUN"),
            f'key = "machine.serial"\nvalue = "{"1" * 5000}"\n',
        ),
        (
            ("set", "seconds=2.5", "--release", "18", "--step", "select"),
            'key = "seconds"\nvalue = 2.5\n',
        ),
        (
            ("set", "capture.separate_run=true", "--release", "18", "--step", "select"),
            'key = "capture.separate_run"\nvalue = true\n',
        ),
        (("rename", "step", "select", "point"), 'what = "step"\nfrom = "select"\nto = "point"\n'),
        (("rename", "release", "18", "18.0"), 'what = "release"\nfrom = "18"\nto = "18.0"\n'),
        (("accept", "18", "--step", "select"), 'release = "18"\nstep = "select"\n'),
        (("invalid", "--release", "18"), 'release = "18"\n'),
    ],
)
def test_amend_writes_every_kind(perfpress: Perfpress, words: tuple[str, ...], text: str) -> None:
    run_id = accepted(results()).run_id
    asked = [run_id if word == "RUN" else word for word in words]
    answer = perfpress("amend", *asked, "--reason", "r")
    assert answer.status == 0, answer.err
    (written,) = corrections().values()
    assert written.endswith(text)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("clients=0", "0 for 'clients'; expected a whole number >= 1"),
        ("clients=many", "'many' for 'clients'; expected a whole number"),
        ("clients=2.5", "2.5 for 'clients'; expected a whole number"),
        (f"clients={'1' * 5000}", "'1111"),
    ],
)
def test_amend_explains_a_wrong_number_as_a_number(
    perfpress: Perfpress, setting: str, message: str
) -> None:
    answer = perfpress("amend", "set", setting, accepted(results()).run_id, "--reason", "r")
    assert answer.status == 1
    assert message in answer.err
    assert corrections() == {}


def test_amend_applies_corrections_of_a_day_in_the_order_in_which_they_are_read(
    perfpress: Perfpress,
) -> None:
    accepted(results())
    for old, new in (("18", "18a"), ("18", "18A"), ("18A", "18c")):
        answer = perfpress("amend", "rename", "release", old, new, "--reason", "r")
        assert answer.status == 0, answer.err
        assert "is now called" in answer.err


def test_amend_supersedes_a_run(perfpress: Perfpress) -> None:
    old = accepted(results(), {"started": datetime(2023, 1, 1, tzinfo=UTC)}).run_id
    new = accepted(results(), {"started": datetime(2023, 1, 2, tzinfo=UTC)}).run_id
    assert perfpress("amend", "supersede", old, new, "--reason", "r").status == 0
    backwards = perfpress("amend", "supersede", new, old, "--reason", "r")
    assert backwards.status == 1
    assert "a run that is itself replaced by this one" in backwards.err
    other = accepted(results(), {"release": "17"}).run_id
    mixed = perfpress("amend", "supersede", new, other, "--reason", "r")
    assert mixed.status == 1
    assert "perfpress amend: a run of release '17', variant 'socket2'; expected" in mixed.err
    assert len(corrections()) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("invalid", "2023"), "data/results: no run '2023'; expected a run id; see the names"),
        (
            ("invalid", "TYPO"),
            "expected a run id; did you mean RUN?",
        ),
        (("invalid", "HASH"), "expected a run id; did you mean RUN?"),
        (("invalid",), "neither run nor release; expected one of them; name a run by its id or"),
        (("invalid", "RUN", "--step", "selct"), "no step 'selct'; expected a step of the"),
        (("set", "clients=many", "RUN"), "'many' for 'clients'; expected a whole number"),
        (("set", "cliens=8", "RUN"), "the key 'cliens'; expected one of "),
        (("rename", "step", "select", "vs"), "a step may not be called 'vs'"),
        (("accept", "19"), "no release '19'"),
        (
            ("accept", "18", "--report", "none"),
            "data/results: no report 'none'; expected one with bundles",
        ),
    ],
)
def test_amend_writes_nothing_that_does_not_fit(
    perfpress: Perfpress, words: tuple[str, ...], message: str
) -> None:
    run_id = accepted(results()).run_id
    given = {"RUN": run_id, "TYPO": f"{run_id[:-1]}x", "HASH": run_id[-8:]}
    answer = perfpress("amend", *[given.get(word, word) for word in words], "--reason", "r")
    assert answer.status == 1
    assert message.replace("RUN", run_id) in answer.err
    assert corrections() == {}


def test_amend_reports_the_arguments_not_a_file_that_is_not_written(
    perfpress: Perfpress,
) -> None:
    accepted(results())
    answer = perfpress("amend", "rename", "release", "18", "18", "--reason", "r")
    assert answer.err == "perfpress amend: the same name twice; expected two names\n"


@pytest.mark.parametrize("setting", ["clients", "=8", ""])
def test_amend_set_without_a_key_or_a_value_is_bad_usage(
    perfpress: Perfpress, setting: str
) -> None:
    answer = perfpress("amend", "set", setting, "undated-1", "--reason", "r")
    assert answer.status == 2
    assert "expected KEY=VALUE, such as clients=8" in answer.err


def test_amend_without_bundles_asks_for_them(perfpress: Perfpress) -> None:
    answer = perfpress("amend", "accept", "18", "--reason", "r")
    assert answer.status == 1
    assert answer.err.startswith("data/results: no bundles; ")


def test_amend_asks_for_the_report_where_nothing_names_it(perfpress: Perfpress) -> None:
    accepted(results())
    accepted(results(), {"report": "other"})
    asked = perfpress("amend", "accept", "18", "--reason", "r")
    assert asked.status == 1
    assert (
        "2 reports (other, postgres-releases); expected one; name the report, --report" in asked.err
    )
    assert perfpress("amend", "accept", "18", "--report", "Other", "--reason", "r").status == 0
    assert list(corrections()) == ["other/accept-18.toml"]


Amended = Callable[..., str]


@pytest.fixture
def amended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Amended:
    """Return what amend says in a directory of the site, where nothing names the results."""

    def call(directory: Path, *words: str, status: int = 0) -> str:
        monkeypatch.chdir(directory)
        assert main(["amend", *words, "--reason", "r"]) == status
        monkeypatch.chdir(tmp_path)
        return capsys.readouterr().err

    (tmp_path / "data" / "results").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return call


def test_amend_takes_run_release_and_report_from_the_directory_it_is_called_in(
    amended: Amended,
) -> None:
    run = accepted(results(), {"release": "18 beta"})
    accepted(results(), {"report": "other"})
    text = Path("content/reports/other")
    text.mkdir(parents=True)
    variant = run.directory.parent
    for directory, words, said in (
        (run.directory, ("invalid",), f"Run {run.run_id} does not count: r."),
        (variant, ("set", "clients=8", run.run_id), f"“clients” of run {run.run_id} is now 8: r."),
        (variant.parent, ("invalid",), "No run of 18 beta counts: r."),
        (variant.parent.parent, ("accept", "18 beta"), "Every regression of 18 beta is known"),
        (text, ("rename", "release", "18", "19"), "Release “18” is now called “19”: r."),
    ):
        assert said in amended(directory, *words)
    reports = [each.split("/")[0] for each in corrections()]
    assert sorted(reports) == ["other", *["postgres-releases"] * 4]


def test_amend_takes_a_run_by_its_directory_from_anywhere(amended: Amended) -> None:
    run, other = accepted(results()), accepted(results(), {"report": "other"})
    variant = run.directory.parent
    assert f"Run {run.run_id} " in amended(variant, "invalid", f"./{run.run_id}/")
    assert f"Run {other.run_id} " in amended(variant, "invalid", str(other.directory.resolve()))
    said = amended(run.directory, "invalid", ".", "--step", "select")
    assert f"Run {run.run_id} does not count for select: r." in said


def test_amend_asks_for_a_run_where_the_directory_is_that_of_a_variant(amended: Amended) -> None:
    directory = accepted(results()).directory.parent
    assert "neither run nor release" in amended(directory, "invalid", status=1)


def test_a_second_correction_of_the_same_kind_has_a_file_of_its_own(perfpress: Perfpress) -> None:
    run_id = accepted(results()).run_id
    for setting in ("clients=8", "clients=9"):
        assert perfpress("amend", "set", setting, run_id, "--reason", "r").status == 0
    assert list(corrections()) == [
        f"postgres-releases/set-{run_id}-2.toml",
        f"postgres-releases/set-{run_id}.toml",
    ]
