"""All mistakes in a TOML file are reported at once, each with its line."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from perfpress.base.toml import lines as toml_lines
from perfpress.base.toml import read as toml_read
from perfpress.base.toml.lines import line_of, lines_by_key
from perfpress.base.toml.read import (
    LARGEST_FILE,
    Input,
    convert,
    convert_parts,
    parse_toml,
    read_text,
    read_toml,
)
from perfpress.input.bundles.schema import Run

GOOD = """\
schema = 1
report = "r"
release = "18"
benchmark = "pgbench"
host = "h"

[[step]]
name = "select"
operation = "transaction"
"""


def read(text: str) -> Input[Run]:
    document, problems = parse_toml(text, "run.toml")
    assert document is not None, problems
    return convert(document, Run)


def messages(text: str) -> list[str]:
    return [str(problem) for problem in read(text).problems]


def test_a_good_file_is_read() -> None:
    run = read(GOOD).value
    assert run is not None
    assert run.steps[0].name == "select"
    assert run.steps[0].work == "timed"


RUN_KEY = ('host = "h"\n', 'host = "h"\n{}\n')
STEP_KEY = ('operation = "transaction"\n', 'operation = "transaction"\n{}\n')


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ("clientz = 4", "6: unknown key `clientz`; did you mean `clients`?"),
        ("qqqq = 4", "6: unknown key `qqqq`; expected one of schema, report, release, "),
        ("clients = 0", "6: `clients` is 0; expected a whole number >= 1"),
        ("clients = true", "6: `clients` is true; expected a whole number"),
        ("clients = 2.5", "6: `clients` is 2.5; expected a whole number"),
        ("started = 2023-09-01T10:00:00", "6: `started` is 2023-09-01 10:00:00; expected a date"),
        ("started = 2023-09-01", "6: `started` is 2023-09-01; expected a date and time with its"),
        ('attachments = "my.cnf"', "6: `attachments` is 'my.cnf'; expected a list in [ ]"),
        ("axes = { size = 480 }", "6: `axes.size` is 480; expected text in quotes"),
        ("tools = { perf = 6.1 }", "6: `tools.perf` is 6.1; expected text in quotes"),
        ("machine = { cpus = [1] }", "6: `machine.cpus` is [1]; expected true or false or a"),
    ],
)
def test_a_wrong_key_of_the_run_is_reported_with_its_line(added: str, message: str) -> None:
    before, after = RUN_KEY
    (problem,) = messages(GOOD.replace(before, after.format(added)))
    assert problem.startswith(f"run.toml:{message}")


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ('commnd = "x"', "10: unknown key `step[0].commnd`; did you mean `command`?"),
        (
            'capture = { evnt = "x" }',
            "10: unknown key `step[0].capture.evnt`; did you mean `event`?",
        ),
        (
            '[step.metrics.size]\nunit = "B"\nvalue = 1\nbeter = "lower"',
            "13: unknown key `step[0].metrics.size.beter`; did you mean `better`?",
        ),
        (
            '[step.metrics.size]\nunit = "B"',
            "10: `step[0].metrics.size` lacks the key `value`; add value = …",
        ),
        ('work = "tined"', "10: `step[0].work` is 'tined'; expected timed or fixed; did you mean"),
        ("seconds = -1", "10: `step[0].seconds` is -1; expected a number >= 1e-09"),
        ("operations = 0", "10: `step[0].operations` is 0; expected a whole number >= 1"),
        (
            'logs = [\n  "a",\n  3,\n]',
            "12: `step[0].logs[1]` is 3; expected text in quotes",
        ),
        ("capture.lost = -1", "10: `step[0].capture.lost` is -1; expected a whole number >= 0"),
        (
            'capture.scope = "procces"',
            "10: `step[0].capture.scope` is 'procces'; expected process or host; did you mean",
        ),
    ],
)
def test_a_wrong_key_of_a_step_is_reported_with_its_line(added: str, message: str) -> None:
    before, after = STEP_KEY
    (problem,) = messages(GOOD.replace(before, after.format(added)))
    assert problem.startswith(f"run.toml:{message}")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("schema = 1", "schema = 2", "run.toml:1: `schema` is 2; expected 1"),
        ('"18"', "18", "run.toml:3: `release` is 18; expected text in quotes"),
        ('"18"', '""', "run.toml:3: `release` is ''; expected text in quotes that is not empty"),
        ('report = "r"\n', "", "run.toml: the file lacks the key `report`; add report = …"),
        (
            'operation = "transaction"\n',
            "",
            "run.toml:7: `step[0]` lacks the key `operation`; add operation = …",
        ),
        (
            '[[step]]\nname = "select"\noperation = "transaction"\n',
            "",
            "run.toml: the file lacks the key `step`; add [[step]]",
        ),
        (
            '[[step]]\nname = "select"\noperation = "transaction"\n',
            "step = []\n",
            "run.toml:7: `step` is []; expected a list in [ ] that is not empty",
        ),
    ],
)
def test_a_wrong_value_or_a_missing_key_is_reported(before: str, after: str, message: str) -> None:
    assert messages(GOOD.replace(before, after)) == [message]


def test_all_that_is_wrong_is_reported_at_once() -> None:
    text = GOOD.replace('"18"', "18").replace('host = "h"', "hots = 1") + "[[step]]\nname = 3\n"
    lines = [problem.line for problem in read(text).problems]
    assert sorted(lines) == [3, 5, 10, 11], messages(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("a = 1\na = 2", 2),
        ("a = [\n1,\n", 3),
        ('a = "x\n', 1),
        ("[a\nb = 1\n", 1),
        ("a = 1\r\nb = ?\r\n", 2),
    ],
)
def test_what_is_no_toml_is_reported_with_its_line(text: str, line: int) -> None:
    document, (problem,) = parse_toml(text, "run.toml", first_line=10)
    assert document is None
    assert problem.line == line + 9
    assert problem.expected == "TOML"


def test_deep_nesting_is_no_crash() -> None:
    document, problems = parse_toml("a = " + "[" * 100_000, "run.toml")
    assert document is None
    assert len(problems) == 1


def test_only_the_wrong_parts_are_left_out_where_parts_stand_alone() -> None:
    class Parts(msgspec.Struct, forbid_unknown_fields=True):
        good: int = 0
        bad: int = 0

    document, _ = parse_toml('good = 3\nbad = "x"\ntheirs = 1\nunknown = 1\n', "f")
    assert document is not None
    read = convert_parts(document, Parts, {"theirs"})
    assert read.value == Parts(good=3)
    assert [problem.line for problem in read.problems] == [4, 2]


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "latin1").write_bytes(b"a = '\xe9'")
    (tmp_path / "large").write_bytes(b"#" * (LARGEST_FILE + 1))
    for name, found in {
        "missing": "cannot be read (No such file or directory)",
        ".": "cannot be read (Is a directory)",
        "latin1": "byte 5 is no UTF-8",
        "large": "1000001 bytes",
    }.items():
        read = read_toml(tmp_path / name, name, Run)
        assert read.value is None
        assert [problem.found for problem in read.problems] == [found]


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert read_text(tmp_path / "run.toml", "run.toml") == (GOOD, [])


def test_hostile_keys_and_values_do_not_fill_the_screen() -> None:
    text = GOOD + f'"{"k" * 5000}" = "{"v" * 5000}"\n"\\u001b[31m" = 1\nwork = "{"x" * 5000}"\n'
    problems = messages(text)
    assert len(problems) == 3
    assert all(len(line) < 500 and line.isprintable() for line in problems)


def test_lines_of_keys_are_found() -> None:
    text = """\
# a comment
a = 1

b = [
  "x",
  "y",
]
c.d = 2
[t]
e = '''
[[step]]
not = "a key"
'''
[[step]]
name = "1"
inline = { p = 1, q = 2 }
[step.metrics]
x = 1
[[step]]
[step.metrics]
y = 2
[t.u]
z = 3
"""
    lines = lines_by_key(text)
    expected = {
        ("a",): 2,
        ("b",): 4,
        ("c", "d"): 8,
        ("t",): 9,
        ("t", "e"): 10,
        ("step", 0): 14,
        ("step", 0, "name"): 15,
        ("step", 0, "inline", "q"): 16,
        ("step", 0, "metrics"): 17,
        ("step", 0, "metrics", "x"): 18,
        ("step", 1): 19,
        ("step", 1, "metrics"): 20,
        ("step", 1, "metrics", "y"): 21,
        ("t", "u"): 22,
        ("t", "u", "z"): 23,
    }
    assert {path: lines.get(path) for path in expected} == expected
    assert line_of(lines, ("b", 0)) == 5
    assert line_of(lines, ("b", 1)) == 6
    assert line_of(lines, ("step", 1, "name")) == 19
    assert line_of(lines, ("missing",)) == 0


values = st.recursive(
    st.integers() | st.booleans() | st.text(alphabet='ab"\n[]=#', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(alphabet="abc.[ ]", max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(alphabet="abc.", min_size=1, max_size=3), values, max_size=5))
def test_every_key_of_a_document_has_a_line(document: dict[str, object]) -> None:
    text = tomli_w.dumps(document)
    lines = lines_by_key(text)
    count = text.count("\n")
    for key in document:
        assert 1 <= line_of(lines, (key,)) <= count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb = [\n " + "1" * 5000 + "]", "f:3: a number that is too long; expected at most"),
        ("a = -" + "1_" * 5000 + "1", "f:1: a number that is too long; expected at most 4300"),
        ("a." * 5000 + "a = 1", "f:1: more than 50 tables or lists one in another; expected fewer"),
        ("a = " + "[" * 60 + "]" * 60, "f: more than 50 tables or lists one in another"),
        ("a = " + "[" * 5000 + "]" * 5000, "f: more than 50 tables or lists one in another"),
    ],
)
def test_valid_toml_that_nothing_can_be_done_with_is_reported(text: str, message: str) -> None:
    document, (problem,) = parse_toml(text, "f")
    assert document is None
    assert str(problem).startswith(message)


def test_a_number_of_many_digits_is_shown_short() -> None:
    before, after = RUN_KEY
    (problem,) = messages(GOOD.replace(before, after.format("clients = 0x" + "f" * 5000)))
    assert problem.startswith("run.toml:6: `clients` is 0xffff")
    assert len(problem) < 200


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"{}",', 21),
        ('["{}", [', 1),
        (', "{}"', 1),
        ('"{}]",', 0),
    ],
)
def test_long_statements_are_not_parsed_over_and_over(
    line: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = "]" * line.count("[") * 20
    rows = [line.format("x" * 20_000)] * 20
    text = "\n".join(["many = [", *(["1"] if line.startswith(",") else []), *rows, ends + "]"])
    parsed = 0

    def counting(source: str) -> dict[str, Any]:
        nonlocal parsed
        parsed += len(source)
        return tomllib.loads(source)

    monkeypatch.setattr(toml_lines, "loads", counting)
    monkeypatch.setattr(toml_lines, "MOST_PARSED", 3 * len(text))
    lines = lines_by_key(text + "\nlast = 1\n")
    assert parsed <= 3 * len(text)
    assert line_of(lines, ("many", 19)) == expected


def test_elements_of_an_array_are_found_however_they_are_laid_out() -> None:
    text = """\
a = [ 1, # one
  2, 3,

  # four
  [ 4,
    4 ], { d = 1 },
  \"\"\"
  five ]
  \"\"\"
  , 6
  , 7
  ,
  8
]
b = 1
"""
    lines = lines_by_key(text)
    found = [lines["a", index] for index in range(9)]
    assert found == [1, 2, 2, 6, 6, 9, 10, 11, 13]
    assert lines["a", 4, "d"] == 6
    assert lines[("b",)] == 15


def test_lines_that_are_not_found_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def nothing(text: str) -> dict[tuple[str | int, ...], int]:
        asked.append(text)
        return {}

    monkeypatch.setattr(toml_read, "lines_by_key", nothing)
    document, _ = parse_toml("a = 1\nb = 2\n", "f", first_line=4)
    assert document is not None
    assert [document.line("a"), document.line("b")] == [4, 4]
    assert len(asked) == 1


def test_a_secret_in_a_refused_value_is_not_printed() -> None:
    document, _ = parse_toml('schema = "--password=hunter2"\n', "f")
    assert document is not None
    text = "\n".join(map(str, convert(document, Run).problems))
    assert "[redacted password]" in text
    assert "hunter2" not in text


def test_a_file_that_is_too_large_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("#" * 1_000_001)
    text, [problem] = read_text(path, "f")
    assert text is None
    assert str(problem).startswith("f: 1000001 bytes; expected at most 1000000; ")


def test_of_many_mistakes_the_first_are_reported_and_the_others_counted() -> None:
    document, _ = parse_toml("".join(f"k{number} = 1\n" for number in range(1000)), "f")
    assert document is not None
    *problems, last = convert(document, Run).problems
    assert len(problems) == 20
    # run.toml lacks six keys too
    assert last.found == f"{1000 - 20 + 6} more problems"
