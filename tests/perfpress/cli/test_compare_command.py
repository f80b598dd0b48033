"""`perfpress compare`, as it is typed."""

import io
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from perfpress.__main__ import main
from perfpress.site.downloads.comparison_record import json_schema, json_schema_text

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "static/schema/comparison.schema.json"

STACKS = "db;execute;{} 2000\ndb;execute;compare 5000\ndb;reply {}\n"


CUSTOM = '[{{"name": "sum", "unit": "ns", "value": {}}}]'
"""For github-action-benchmark."""


def bench(**times: float) -> str:
    lines = [f"Benchmark{name}-8   1000   {time} ns/op" for name, time in times.items()]
    return "\n".join([*lines, "PASS", ""])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("before.txt").write_text(bench(Parse=1_000_000))
    Path("after.txt").write_text(bench(Parse=1_250_000))
    Path("old.folded").write_text(STACKS.format("copy", 3000))
    Path("new.folded").write_text(STACKS.format("copy_all", 1000))
    return tmp_path


def runs(directory: str, times: list[float]) -> None:
    Path(directory).mkdir()
    for number, time in enumerate(times, start=1):
        Path(directory, f"bench.{number}.txt").write_text(bench(Parse=time))


def compare(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["compare", *words])
    out, err = capsys.readouterr()
    return status, out, err


def first_line(text: str) -> str:
    return text.partition("\n\n")[0].replace("\n", " ")


def test_the_first_line_is_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = compare(capsys, "before.txt", "after.txt")
    assert (status, err) == (0, "")
    assert first_line(out) == (
        "▽ after takes 25.0 % longer than before (one run each): 1.000 → 1.250 ms."
    )
    assert "time per operation" in out
    assert "×1.250" in out
    assert "slower, one run" in out
    assert "from five runs a side on a test decides" in out.replace("\n", " ")


def test_repeats_decide_by_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    runs("base", [1000.0, 1003.0, 998.0, 1001.0, 1002.0])
    runs("head", [1101.0, 1099.0, 1104.0, 1102.0, 1100.0])
    status, out, _ = compare(capsys, "base", "head", "--fail-on", "slower")
    assert status == 3
    assert first_line(out).startswith("▼ head takes 10.0 % longer than base (5 and 5 runs)")
    assert "Mann-Whitney" in out
    assert compare(capsys, "head", "base", "--fail-on", "slower")[0] == 0


def test_one_run_fails_only_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(capsys, "before.txt", "after.txt", "--fail-on", "slower")[0] == 0
    assert compare(capsys, "before.txt", "after.txt", "--fail-on", "slower-one-run")[0] == 3


def test_a_gate_without_rates_is_no_pass(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = compare(capsys, "old.folded", "new.folded", "--fail-on", "slower")
    assert status == 1
    assert "nothing was compared" in err


def counted(instructions: int, name: str = "short") -> str:
    return (
        f"lib::bench {name}\n"
        f"  Instructions:     {instructions}|N/A             (*********)\n"
        f"  Estimated Cycles:     2429|N/A             (*********)\n"
    )


def test_counts_are_judged_from_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text(counted(1733))
    Path("b.txt").write_text(counted(1767))
    status, out, _ = compare(capsys, "a.txt", "b.txt", "--fail-on", "slower")
    assert status == 3
    assert first_line(out) == (
        "▼ b against a, counted: executed instructions 1,733 → 1,767 (+2.0 %), estimated cycles "
        "2,429, as before."
    )
    assert "▼ more" in out
    assert "≈ the same" in out
    assert "Counted, not timed: one run is enough." in out
    status, out, _ = compare(capsys, "b.txt", "a.txt", "--fail-on", "slower")
    assert status == 0
    assert "▲ less" in out


def test_counts_of_several_steps_are_summed_up_by_metric(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("a.txt").write_text(counted(100) + counted(100, "long"))
    Path("b.txt").write_text(counted(150) + counted(100, "long"))
    _, out, _ = compare(capsys, "a.txt", "b.txt")
    assert first_line(out) == (
        "▼ b against a, 2 steps, counted: executed instructions more in 1, the same in 1; "
        "estimated cycles the same in 2."
    )


def test_counts_that_differ_between_runs_are_no_exact_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for side, counts in {"a": (1000, 1050), "b": (1040, 1090)}.items():
        Path(side).mkdir()
        for number, count in enumerate(counts):
            Path(side, f"bench.{number}.txt").write_text(counted(count))
    status, out, _ = compare(capsys, "a", "b", "--json", "--fail-on", "slower")
    assert status == 0
    [step] = json.loads(out)["steps"]
    verdicts = {each["metric"]: each["verdict"] for each in step["numbers"]}
    assert verdicts["executed_instructions"]["evidence"] == "the noise floor"
    assert verdicts["estimated_cycles"]["evidence"] == "an exact count"


def test_counts_stand_beside_times(capsys: pytest.CaptureFixture[str]) -> None:
    for side, size in {"a": 51200, "b": 65536}.items():
        line = f"BenchmarkParse-8  1000  1204512 ns/op  {size} B/op  812 allocs/op\nPASS\n"
        Path(f"{side}.txt").write_text(line)
    status, out, _ = compare(capsys, "a.txt", "b.txt", "--fail-on", "slower")
    assert status == 3
    assert "b: no change seen against a" in first_line(out)
    words = out.replace("\n", " ")
    assert "Counted, where one run is enough: allocated per operation 51,200 B → 65,536 B" in words
    assert "not judged" not in words


def test_steps_are_listed_what_needs_a_look_first(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text(bench(Copy=100, Parse=100, Print=100))
    Path("b.txt").write_text(bench(Copy=101, Parse=150, Print=60))
    status, out, _ = compare(capsys, "a.txt", "b.txt")
    assert status == 0
    assert first_line(out).startswith(
        "▽ b against a, 3 steps: 1 slower in one run, 1 faster in one run, 1 with no change seen."
    )
    names = [line.split()[0] for line in out.splitlines() if "×" in line and "mean" not in line]
    assert names == ["Parse", "Copy", "Print"]


def test_what_changed_is_marked_before_what_is_noisy(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text(bench(Parse=100, Print=100))
    Path("b.txt").write_text(bench(Parse=106, Print=50))
    _, out, _ = compare(capsys, "a.txt", "b.txt")
    assert "noisy" in out
    assert first_line(out).startswith("△ b against a, 2 steps: 1 faster in one run")


def test_functions_add_up_to_the_whole_change(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = compare(capsys, "old.folded", "new.folded", "--json")
    assert status == 0
    [step] = json.loads(out)["steps"]
    change = step["profile"]["changes"]["change"]
    assert change["whole"] == pytest.approx(0)
    parts = change["additions"] + change["savings"] + change["even"] + change["rest"]
    assert parts == pytest.approx(change["whole"])
    _, text, _ = compare(capsys, "old.folded", "new.folded")
    assert "More in new" in text
    assert "Less in new" in text
    assert "whole change" in text


def test_the_same_work_compares_costs(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = compare(capsys, "old.folded", "new.folded", "--same-work")
    assert first_line(out).startswith("new takes 20.0 % less samples than old")
    assert "Changes in cost: the captures are taken to cover the same work." in out.replace(
        "\n", " "
    )


@pytest.mark.parametrize("width", [40, 57, 80, 200])
@pytest.mark.parametrize("sides", [("old.folded", "new.folded"), ("before.txt", "after.txt")])
def test_no_line_is_wider_than_the_terminal(
    sides: tuple[str, str],
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = compare(capsys, *sides)
    assert max(map(len, out.splitlines())) <= width


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def reconfigure(self, errors: str) -> None:
        pass


@pytest.mark.parametrize(
    ("settings", "is_coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_colour_is_for_terminals_that_have_it(
    settings: dict[str, str], is_coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    assert main(["compare", "before.txt", "after.txt"]) == 0
    assert ("\x1b[" in terminal.getvalue()) == is_coloured
    assert "▽" in terminal.getvalue()


def test_a_low_terminal_has_the_largest_changes_and_counts_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"B{number:02}" for number in range(40)]
    Path("a.txt").write_text(bench(**dict.fromkeys(names, 100)))
    Path("b.txt").write_text(bench(**{name: 100 + at for at, name in enumerate(names)}))
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    assert main(["compare", "a.txt", "b.txt"]) == 0
    lines = terminal.getvalue().splitlines()
    assert len(lines) <= 30
    assert any(line.startswith("… ") and " more" in line for line in lines)


def test_markdown_is_for_a_comment(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a|b.txt").write_text(bench(Parse=1_250_000))
    status, out, _ = compare(capsys, "before.txt", "a|b.txt", "--markdown")
    assert status == 0
    assert out.startswith("**▽ a\\|b takes 25.0 % longer than before")
    assert "| time per operation | 1.000 | 1.250 | ms | ×1.250 |" in out


def test_json_fits_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    for sides in (("before.txt", "after.txt"), ("old.folded", "new.folded")):
        _, out, _ = compare(capsys, *sides, "--json")
        jsonschema.validate(json.loads(out), json_schema())


def test_the_published_schema_is_the_exported_one() -> None:
    if os.environ.get("PERFPRESS_BLESS"):
        PUBLISHED.write_text(json_schema_text(), encoding="utf-8")
    assert PUBLISHED.read_text(encoding="utf-8") == json_schema_text(), "make schemas"


class Addresses(HTMLParser):
    """Collects what a page asks for."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.policy = ""

    def handle_starttag(self, _: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [value or "" for name, value in attrs if name in ("src", "href")]
        if given.get("http-equiv"):
            self.policy = given["content"] or ""


def test_a_page_asks_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = compare(capsys, "old.folded", "new.folded", "--html", "page.html")
    assert status == 0
    assert first_line(out).startswith("Largest changes from old to new")
    page = Addresses()
    page.feed(Path("page.html").read_text())
    assert [address[:25] for address in page.found] == ["data:image/svg+xml;base64"]
    assert page.policy.startswith("default-src 'none'")
    assert "unsafe" not in page.policy
    assert "http" not in page.policy


def test_names_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    Path("evil.folded").write_text("db;<script>alert(1)</script> 9000\ndb;reply 1000\n")
    assert compare(capsys, "old.folded", "evil.folded", "--html", "page.html")[0] == 0
    assert "<script>" not in Path("page.html").read_text()


def test_stdin_and_pipes_are_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(Path("after.txt").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    status, out, _ = compare(capsys, "before.txt", "-")
    assert status == 0
    assert "stdin takes 25.0 % longer than before" in out


@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (("before.txt", "old.folded"), "before is a log (go-bench); old is a capture"),
        (("before.txt", "before.txt"), "the same bytes as before.txt"),
        (("before.txt", "nowhere"), "no such file"),
        (("-", "-"), "stdin on both sides"),
        (("words", "after.txt"), "no benchmark and no profiler"),
        (("runs", "./runs/"), "the same directory as runs"),
        (("custom", "after.txt"), "custom-smaller-is-better or custom-bigger-is-better: --format"),
        (("bencher", "after.txt"), "name the format, bencher, if it is: --format"),
    ],
)
def test_what_cannot_be_compared_is_explained(
    sides: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("words").write_text("nothing that a benchmark wrote\n")
    Path("custom").write_text(CUSTOM.format(1))
    Path("bencher").write_text('{"sum": {"latency": {"value": 1.5}}}')
    runs("runs", [1.0])
    status, out, err = compare(capsys, *sides)
    assert (status, out) == (1, "")
    assert words in err


@pytest.mark.parametrize(
    ("given", "sides"),
    [
        ("custom-smaller-is-better", ("a/r.json", "b/r.json")),
        ("custom-smaller-is-better", ("a", "b")),
        ("r.json=custom-smaller-is-better", ("a", "b")),
    ],
)
def test_a_format_that_is_not_recognised_can_be_named(
    given: str, sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for side, value in (("a", 100), ("b", 200)):
        Path(side).mkdir()
        Path(side, "r.json").write_text(CUSTOM.format(value))
    status, out, _ = compare(capsys, "--format", given, *sides)
    assert status == 0
    assert "b takes 100.0 % longer than a" in first_line(out)


def test_recordings_of_perf_are_folded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for perf: a recording can be read on the host alone that made it."""
    perf = tmp_path / "bin" / "perf"
    perf.parent.mkdir()
    perf.write_text('#!/bin/sh\nfor last; do :; done\ntail -n +2 "$last"\n')
    perf.chmod(0o755)
    monkeypatch.setenv("PATH", str(perf.parent), prepend=":")
    for name, samples in (("old", 300), ("new", 900)):
        sample = "app 1 1.0: 1000 cycles:\n\t1 {} (/app)\n\t2 main (/app)\n\n"
        text = sample.format("parse") * 300 + sample.format("copy") * samples
        Path(f"{name}.perf.data").write_text(f"PERFILE2\n{text}")
    status, out, err = compare(capsys, "old.perf.data", "new.perf.data")
    assert (status, err) == (0, "")
    assert "from old to new, in share of cycles: copy +25.0 points" in out


def test_a_benchmark_has_its_whole_name_or_one_that_is_marked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Sums/range/size=100", "Sums/range/size=1000")
    for side, time in (("a.txt", 100), ("b.txt", 200)):
        Path(side).write_text(bench(**dict.fromkeys(names, time)))
    assert all(f"\n{name} " in compare(capsys, "a.txt", "b.txt")[1] for name in names)
    assert f"| {names[0]} |" in compare(capsys, "--markdown", "a.txt", "b.txt")[1]
    monkeypatch.setenv("COLUMNS", "45")
    assert "\n…size=1000 " in compare(capsys, "a.txt", "b.txt")[1]


def test_numbers_stand_beside_names_that_had_to_be_shortened(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    name = f"shop::Map<{'std::string, ' * 9}int>::insert"
    Path("a.folded").write_text(f"server;{name} 1000\nserver;parse 9000\n")
    Path("b.folded").write_text(f"server;{name} 5000\nserver;parse 9000\n")
    lines = compare(capsys, "a.folded", "b.folded")[1].splitlines()
    [row] = [line for line in lines if line.startswith("shop::Map")]
    assert row.startswith("shop::Map<…>::insert  10.00 ")
    assert len(row) < 60


@pytest.mark.parametrize("sides", [("one.txt", "two.txt"), ("two.txt", "one.txt")])
def test_a_benchmark_is_found_beside_one_that_is_new(
    sides: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("one.txt").write_text(bench(Parse=100))
    Path("two.txt").write_text(bench(Parse=200, Scan=60))
    status, out, _ = compare(capsys, *sides)
    assert status == 0
    assert "\nParse " in out
    assert "Only two has 'Scan'." in out


def test_steps_of_one_side_alone_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.txt").write_text(bench(Parse=100, Print=100))
    Path("b.txt").write_text(bench(Parse=100.5, Scan=60))
    status, out, _ = compare(capsys, "a.txt", "b.txt")
    assert status == 0
    assert "Only a has 'Print'." in out
    assert "Only b has 'Scan'." in out
    assert "? cannot tell" not in out
    assert "\nPrint " in out
    assert "missing" in out
    assert "\nScan " not in out


@pytest.mark.parametrize("sides", [("before.txt", "after.txt"), ("old.folded", "new.folded")])
def test_neither_pandas_nor_hugo_is_loaded_for_two_files(sides: tuple[str, str]) -> None:
    """Most of the time of a short command is what it imports."""
    program = (
        "import sys; from perfpress.__main__ import main; "
        f"main(['compare', *{sides}]); print(sorted({{'pandas', 'hugo'}} & {{*sys.modules}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
