"""Lines that no reader takes are refused before they are sent; a build publishes the rest."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from bundle_samples import good_bundle, pgbench_log, write_files
from perfpress.__main__ import main
from perfpress.analysis.study.checked import without_refused
from perfpress.base.cache import Cache
from perfpress.base.checkout import ROOT
from perfpress.base.limits import LIMITS
from perfpress.base.problems import Problem
from perfpress.input.bundles.checking import long_lines

Captured = pytest.CaptureFixture[str]

LONG = b"x" * (LIMITS.line_bytes + 1)
BEFORE = b"one\ntwo\n"


def problems_with(tmp_path: Path, content: bytes, key: str = "captures") -> list[Problem]:
    """Return what is wrong with a file that a step names."""
    step = {"name": "s", "operation": "o", "seconds": 1.0, key: ["file"]}
    return list(long_lines(good_bundle(tmp_path, {"step": [step]}, {"file": content})))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("key", ["logs", "captures"])
@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        (LONG, 1, "a line of 1,048,577 bytes"),
        (BEFORE + LONG + b"\nend\n", 3, "a line of 1,048,577 bytes"),
        (BEFORE * 100_000 + LONG + b"\nend", 200_001, "a line of 1,048,577 bytes"),
        (BEFORE + 3 * LONG, 3, "a line of 3,145,731 bytes"),
        (BEFORE + LONG + b"\n" + BEFORE + LONG, 3, "a line of 1,048,577 bytes (and 1 more)"),
    ],
)
def test_a_line_that_is_too_long_is_refused_with_its_number(
    tmp_path: Path, pack: Any, key: str, content: bytes, line: int, found: str
) -> None:
    (problem,) = problems_with(tmp_path, pack(content), key)
    assert (problem.path, problem.line, problem.found) == ("bundle/file", line, found)
    assert problem.severity == "error"
    assert problem.expected == "at most 1,048,576: longer ones are not read"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        LONG[1:],
        BEFORE + LONG[1:] + b"\n" + LONG[1:] + b"\nend",
        b"short\n" * 500_000,
    ],
)
def test_lines_up_to_the_limit_are_good(tmp_path: Path, content: bytes) -> None:
    assert problems_with(tmp_path, content) == []


@pytest.mark.parametrize(
    "document",
    [
        b'{"$schema": "',
        b' \n{ "profiles": "',
        b"\xef\xbb\xbf<svg>",
        b"<?xml?><svg>",
        b"\n\0\4\x12",
        b"\n\4\x08\1\x10\2\x12\x07\n\1\1\x12\2\x64\x65",  # pprof whose strings come last
    ],
)
def test_captures_of_one_line_by_nature_are_good(tmp_path: Path, document: bytes) -> None:
    assert problems_with(tmp_path, document + LONG) == []


@pytest.mark.parametrize("begin", [b'{"benchmarks": "', b'{\n"context": "', b'[\n  {"Plan": "'])
def test_a_log_of_json_may_be_one_line(tmp_path: Path, begin: bytes) -> None:
    assert problems_with(tmp_path, begin + LONG, "logs") == []


def test_a_log_of_json_may_not_be_larger_than_what_is_read_as_a_whole(tmp_path: Path) -> None:
    content = b'{"benchmarks": "' + b"x" * LIMITS.document_bytes
    (problem,) = problems_with(tmp_path, gzip.compress(content, 1), "logs")
    assert problem.expected == "at most 67,108,864: longer ones are not read"


def test_lines_of_sysbench_in_brackets_are_no_json(tmp_path: Path) -> None:
    content = b"[ 10s ] thds: 8 tps: 5\n[ 20s ] " + LONG
    assert [problem.line for problem in problems_with(tmp_path, content, "logs")] == [2]


def test_a_stack_of_main_in_braces_is_no_json(tmp_path: Path) -> None:
    assert [problem.line for problem in problems_with(tmp_path, b"{main};f 1\n{main};" + LONG)] == [
        2
    ]


def test_lines_of_attachments_may_be_as_long_as_they_like(tmp_path: Path) -> None:
    changes = {"attachments": ["file"]}
    bundle = good_bundle(tmp_path, changes, {"select.txt": pgbench_log(1), "file": LONG})
    assert list(long_lines(bundle)) == []


LOG = f"{pgbench_log(1000)}{LONG.decode()}\n"


def test_check_add_and_push_refuse_it(tmp_path: Path, capsys: Captured) -> None:
    directory = write_files(tmp_path / "a", None, {"select.txt": LOG})
    results = tmp_path / "results"
    for words in (
        ["check", str(directory)],
        ["add", str(directory), "--results", str(results)],
        ["push", str(directory), "--to", f"file://{tmp_path / 'store'}"],
    ):
        assert main(words) == 1
        assert f"{directory}/select.txt:11: a line of 1,048,577 bytes; " in capsys.readouterr().err
    assert not results.exists()
    assert not (tmp_path / "store").exists()


def test_a_build_takes_the_bundle_all_the_same(tmp_path: Path) -> None:
    bundle = good_bundle(tmp_path / "a", None, {"select.txt": LOG})
    kept, problems = without_refused([bundle], Cache(tmp_path / "cache"))
    assert (kept, problems) == ((bundle,), [])


def test_the_limit_is_that_of_the_readers_of_captures() -> None:
    text = (ROOT / "pipeline" / "profile" / "read" / "input" / "lines.js").read_text()
    match = re.search(r"LONGEST_LINE = 2 \*\* (\d+);", text)
    assert match
    assert 2 ** int(match[1]) == LIMITS.line_bytes
