"""The commands of the page on all tools, with what each of its tools wrote."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from docs_pages import DOCS
from perfpress.__main__ import main
from perfpress.base.checkout import ROOT

SAMPLES = ROOT / "tests/perfpress/input/logs/samples"

HARNESSES = {
    "JMH": ("jmh-1.37.json", "Sums.sum (size=100)", "call"),
    "Criterion": ("criterion-text-0.5.txt", "sum/100", "call"),
    "Gungraun": (
        "gungraun.txt",
        "test_lib_bench_readme_example_fibonacci::bench_fibonacci_group::bench_fibonacci short:10",
        "call",
    ),
    "Go": ("go-bench-json.txt", "Sort/size=10", "call"),
    "Google Benchmark": ("google-benchmark-1.7-repetitions.json", "", "call"),
    "pytest-benchmark": ("pytest-benchmark-5.3.json", "test_sum[10]", "call"),
    "pyperf": ("pyperf-2.json", "sum 100", "call"),
    "vitest": ("vitest-3.json", "vt/sums.bench.js > sum > 100", "call"),
    "hyperfine": ("hyperfine-1.15.json", "sleep 0.01", "run"),
    "k6": ("k6-export.json", "k6-export", "request"),
    "fio": ("fio-3.33.json", "", "I/O"),
}
"""The sample of a harness, the name of a step that it gives, and what is counted."""


@pytest.mark.parametrize(
    ("page", "head", "part"),
    [
        ("harnesses.md", "| Tool |", "Benchmarks, tool by tool"),
        ("profilers.md", "| Profiler |", "Profilers, tool by tool"),
    ],
)
def test_the_page_names_the_pages_of_all_tools(page: str, head: str, part: str) -> None:
    pages = {each.stem for each in DOCS.glob("*.md") if f'  part = "{part}"' in each.read_text()}
    table = (DOCS / page).read_text().partition(head)[2].partition("\n\n")[0]
    linked = set(re.findall(r"\(/docs/([\w-]+)/(?:#[\w-]+)?\)", table))
    assert linked == pages - {Path(page).stem}


def test_a_single_benchmark_names_its_step(tmp_path: Path) -> None:
    shown = '{"results": [{"command": "./b", "mean": 1, "median": 1, "min": 1, "max": 1}]}'
    (tmp_path / "hyperfine.json").write_text(shown)
    assert main(["init", str(tmp_path), "--report", "r", "--release", "1", "--host", "h"]) == 0
    assert [
        step["name"] for step in tomllib.loads((tmp_path / "run.toml").read_text())["step"]
    ] == ["./b"]


@pytest.mark.parametrize("harness", HARNESSES)
def test_a_harness_s_results_are_a_bundle_in_three_commands(
    harness: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample, step, operation = HARNESSES[harness]
    results = tmp_path / "results"
    results.mkdir()
    shutil.copy(SAMPLES / sample, results)
    facts = ("--report", "sums", "--release", "1.4", "--host", "lab1", "--benchmark", "b")
    assert main(["init", str(results), *facts]) == 0
    steps = tomllib.loads((results / "run.toml").read_text())["step"]
    assert {each["operation"] for each in steps} == {operation}
    assert not step or step in [each["name"] for each in steps]
    assert main(["check", str(results)]) == 0
    assert main(["add", str(results), "--results", str(tmp_path / "accepted")]) == 0
    assert list((tmp_path / "accepted/sums/1.4").iterdir())
    assert "error" not in capsys.readouterr().err
