"""Which parser is chosen, and what a damaged or unknown file gives."""

import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from perfpress.base.limits import LIMITS
from perfpress.input.logs.formats import FORMATS, parser_of
from perfpress.input.logs.read import read_log
from perfpress.input.logs.readings import LogReading
from perfpress.input.logs.text_lines import TextLines

SAMPLES = Path(__file__).parent / "samples"
SELECT = (SAMPLES / "pgbench-15-select.txt").read_bytes()

NAMED_ONLY = ("custom-smaller-is-better", "custom-bigger-is-better", "text")
"""Formats that no content tells apart: [step.formats] names them."""

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "xz": lzma.compress,
}


def read_bytes(folder: Path, content: bytes, hint: str | None = None) -> LogReading:
    log = folder / "log"
    log.write_bytes(content)
    return read_log(log, "a/log.txt", hint)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in NAMED_ONLY])
def test_a_capture_of_a_benchmark_is_no_log_of_it(name: str, tmp_path: Path) -> None:
    program = name.split("-", maxsplit=1)[0]
    sample = f"{program} 20878 [000]   930.293958:    1001001 cpu-clock:ppp: \n"
    stack = "\t          16d838 __memmove_avx512_unaligned_erms+0x38 (/lib/libc.so.6)\n\n"
    for capture in (10 * (sample + stack), f"{program};main;memmove 20\n" * 10):
        assert not read_bytes(tmp_path, capture.encode()).format


@pytest.mark.parametrize(
    ("end", "rate"), [("Requests/sec:  1237", None), ("Requests/sec:  12375.80\n", 12375.8)]
)
def test_a_number_at_the_very_end_of_a_file_may_be_cut_off_and_is_left_out(
    end: str, rate: float | None, tmp_path: Path
) -> None:
    head = "  1 threads and 4 connections\n  26250 requests in 2.12s, 3.18MB read\n"
    reading = read_bytes(tmp_path, (head + end).encode())
    found = {each.name: each.value for each in reading.metrics}
    assert (found["operations"], found.get("throughput")) == (26250, rate)
    assert [each.line for each in reading.problems] == ([3] if rate is None else [])


def test_a_row_of_a_csv_that_may_be_cut_off_is_left_out(tmp_path: Path) -> None:
    log = b'"test","rps","max_latency_ms"\n"SET","30864.20","30.751"\n"GET","167'
    reading = read_bytes(tmp_path, log, "redis-benchmark")
    assert [each.name for each in reading.benchmarks if each.metrics] == ["SET"]


@pytest.mark.parametrize("compression", COMPRESSORS)
def test_compression_is_recognised_by_content_and_changes_nothing(
    compression: str, tmp_path: Path
) -> None:
    packed = COMPRESSORS[compression](SELECT)
    assert read_bytes(tmp_path, packed) == read_bytes(tmp_path, SELECT)


@pytest.mark.parametrize("compression", ["gzip", "zstd", "xz"])
def test_two_streams_end_to_end_are_one_text(compression: str, tmp_path: Path) -> None:
    compress = COMPRESSORS[compression]
    packed = compress(SELECT[:200]) + compress(SELECT[200:])
    assert read_bytes(tmp_path, packed) == read_bytes(tmp_path, SELECT)


@pytest.mark.parametrize("compression", ["gzip", "zstd", "xz"])
def test_a_cut_file_gives_what_was_read_and_one_problem_for_the_cut(
    compression: str, tmp_path: Path
) -> None:
    long = SELECT.replace(
        b"progress: 4.0", b"progress: 4.0 s, 1.0 tps\n" * 20000 + b"progress: 4.0"
    )
    whole = COMPRESSORS[compression](long)
    reading = read_bytes(tmp_path, whole[: len(whole) - 20])
    assert reading.partial
    assert reading.format == "pgbench"
    assert reading.series[0].values[:2] == (22871.9, 22747.0)
    assert f"the {compression} data breaks off" in str(reading.problems[0])
    assert str(reading.problems[0]).startswith("a/log.txt: ")


@given(cut=st.integers(0, len(SELECT.rstrip()) - 1))
@settings(max_examples=60)
def test_wherever_a_plain_log_is_cut_its_end_is_missed(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    reading = read_bytes(tmp_path_factory.mktemp("cut"), SELECT[:cut])
    assert "throughput" not in [metric.name for metric in reading.metrics]
    assert reading.problems


@given(
    lines=st.lists(
        st.one_of(
            st.text(max_size=80),
            st.sampled_from(SELECT.decode().splitlines()),
            st.sampled_from((SAMPLES / "sysbench-0.5.txt").read_text().splitlines()),
            st.sampled_from((SAMPLES / "vmstat-t.txt").read_text().splitlines()),
            st.from_regex(r"progress: [0-9einaf.+-]{1,9} s, [0-9nai.]{1,6} tps, lat 1 ms stddev 0"),
        ),
        max_size=12,
    ),
    hint=st.sampled_from([None, "pgbench", "sysbench", "vmstat"]),
)
@settings(max_examples=150)
def test_no_text_whatever_makes_a_parser_raise(
    lines: list[str], hint: str | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    content = "\n".join(lines).encode("utf-8", errors="surrogatepass")
    reading = read_bytes(tmp_path_factory.mktemp("any"), content, hint)
    for problem in reading.problems:
        assert len(problem.found) < 400
        assert str(problem).isprintable()


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "an empty file"),
        (b"\n\n", "no text in the first 2 lines"),
        (b"\n" * 4_000_000, "no text in the first 2,000 lines"),
        (b"tpmC 12345\n", "a log of no known format"),
        (b"\x00\xff\xfe" * 1000, "a file of bytes, or text in UTF-16"),
        (b"\x1f\x8b" + b"nonsense" * 10, "the gzip data is damaged"),
    ],
)
def test_what_no_parser_knows_is_a_problem_and_nothing_else(
    content: bytes, found: str, tmp_path: Path
) -> None:
    reading = read_bytes(tmp_path, content)
    assert reading.format == ""
    assert reading.metrics == ()
    (problem,) = reading.problems
    assert found in problem.found
    assert problem.expected == f"one of the {len(FORMATS)} formats that the page on logs lists"


def test_a_hint_overrides_recognition_and_a_wrong_one_is_named(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, SELECT, "sysbench").format == "sysbench"
    (problem,) = read_bytes(tmp_path, SELECT, "pgbnch").problems
    assert "'pgbnch'" in problem.found
    assert problem.do == "did you mean pgbench?"


def test_a_log_below_other_output_is_still_recognised(tmp_path: Path) -> None:
    chatter = b"explain: for inserts :: explain INSERT INTO sbtest1\n" * 1500
    assert read_bytes(tmp_path, chatter + SELECT).format == "pgbench"
    assert read_bytes(tmp_path, chatter * 2 + SELECT).format == ""


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    (problem,) = read_log(tmp_path / "none", "none.txt").problems
    assert "cannot be read" in problem.found


@pytest.mark.parametrize("compression", COMPRESSORS)
def test_a_line_of_any_length_is_counted_and_the_others_keep_their_numbers(
    compression: str, tmp_path: Path
) -> None:
    long = b"x" * (LIMITS.line_bytes + 1)
    content = long + b"\n" + SELECT + long + b"\n" + b"y" * LIMITS.line_bytes + b"\n" + long
    reading = read_bytes(tmp_path, COMPRESSORS[compression](content))
    plain = read_bytes(tmp_path, SELECT)
    assert [metric.line - 1 for metric in reading.metrics] == [each.line for each in plain.metrics]
    (skipped,) = (each for each in reading.skipped if "longer" in each.reason)
    assert (skipped.reason, skipped.count, skipped.first_line) == ("line longer than 1 MiB", 3, 1)


def test_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, SELECT.replace(b"\n", b"\r\n")) == read_bytes(tmp_path, SELECT)


@pytest.mark.parametrize("name", FORMATS)
def test_a_parser_knows_its_own_samples_and_no_others(name: str) -> None:
    parser = parser_of(name)
    assert parser.name == name
    for sample in SAMPLES.iterdir():
        answer = parser.recognise(list(TextLines(sample)))
        is_own = sample.name.startswith(parser.name) and name not in NAMED_ONLY
        assert (answer == "yes") == is_own, sample.name


def test_a_format_is_imported_when_a_log_asks_for_it() -> None:
    script = (
        "import sys; from pathlib import Path; from perfpress.input.logs.read import read_log\n"
        "read_log(Path(sys.argv[1]), 'log')\n"
        "formats = [name for name in sys.modules if '.logs.formats.' in name]\n"
        "print(*(name.rpartition('.')[2] for name in formats))"
    )
    sample = str(SAMPLES / "pgbench-15-select.txt")
    done = subprocess.run(
        [sys.executable, "-c", script, sample], capture_output=True, text=True, check=True
    )
    assert done.stdout == "pgbench\n"
