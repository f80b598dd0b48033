"""Says what a file is that no parser takes, where that can be seen, and what to do instead."""

import re
from collections.abc import Sequence
from typing import NamedTuple


class OtherLog(NamedTuple):
    """Output of a tool that is not read, or not in this form."""

    pattern: re.Pattern[str]
    """Of the beginning of the file."""
    found: str
    do: str


LONGEST_BEGINNING = 1 << 16
"""Characters that are looked at."""

CAPTURE = "list it under captures: it is a profile, and no log"


def _other(pattern: str, found: str, do: str) -> OtherLog:
    return OtherLog(re.compile(pattern, re.MULTILINE), found, do)


OTHERS = (
    _other(
        r"\Aresponse-time,DNS\+dialup,DNS,Request-write,",
        "the CSV of hey, with a line a request",
        "keep what hey prints without -o csv",
    ),
    _other(
        r"^Running \d+(?:s| requests) test @ \S+\n\d+ connections",
        "the tables that autocannon prints",
        "write JSON: autocannon --json",
    ),
    _other(
        r"^ +name +hz +min +max +mean +p75 ",
        "the tables that vitest prints",
        "write JSON: vitest bench --outputJson FILE",
    ),
    _other(
        r"^\| benchmark +\| +avg +\| +min +\|",
        "the Markdown of mitata",
        "write JSON: run({ format: 'json' })",
    ),
    _other(
        r"^\| Command +\| Mean \[\w+\]",
        "the Markdown of hyperfine, without its single runs",
        "write JSON: hyperfine --export-json FILE",
    ),
    _other(
        r"^\d+ loops?, best of \d+: [\d.]+ \w+ per loop$",
        "what Python's timeit prints, the best time only",
        "use pyperf: python3 -m pyperf timeit -o FILE",
    ),
    _other(
        r"^(?:Mean \+- std dev|\w[^:\n]{0,200}: Mean \+- std dev): ",
        "what pyperf prints",
        "write JSON: -o FILE",
    ),
    _other(
        r"^ *Benchmarks, repeat=\d+, number=\d+ *$",
        "the table of richbench, whose times have three decimals of a second",
        "use pytest-benchmark: pytest --benchmark-json FILE",
    ),
    _other(
        r"\ATimestamp,User Count,Type,Name,Requests/s,",
        "locust's history, with a line a second",
        "list the file ..._stats.csv beside it",
    ),
    _other(
        r"^-+ benchmark(?: '.{1,200}?')?: \d+ tests? -+$",
        "the table that pytest-benchmark prints",
        "write JSON: pytest --benchmark-json FILE",
    ),
    _other(
        r"^# JMH version: ",
        "what JMH prints",
        "write JSON: -rf json -rff FILE",
    ),
    _other(
        r"^ *Time \((?:mean ± σ|abs ≡)\):",
        "what hyperfine prints",
        "write JSON: hyperfine --export-json FILE",
    ),
    _other(
        r"^Benchmark {2,}Time {2,}CPU {2,}Iterations",
        "the table that Google Benchmark prints",
        "write JSON: --benchmark_out=FILE",
    ),
    _other(
        r"^\| *Method .*\| *Mean .*\|",
        "the table that BenchmarkDotNet prints",
        "write JSON: --exporters json",
    ),
    _other(
        r'\A"Benchmark"[,;]"Mode"[,;]"Threads"[,;]"Samples"[,;]"Score"',
        "JMH's CSV, without its single forks",
        "write JSON: -rf json -rff FILE",
    ),
    _other(
        r"\Ametric_name,timestamp,metric_value,",
        "every single value that k6 measured",
        "write a summary: k6 run --summary-export FILE",
    ),
    _other(
        r"^Requests +\[total, rate, throughput\]|^Bucket +# +% +Histogram"
        r'|\AValue\(ms\) +Percentile +TotalCount|\A\{"attack":',
        "what vegeta prints, or encodes of its results",
        "write JSON: vegeta report -type=json",
    ),
    _other(
        r"\Astarttime\tseconds\tctime\t|\APercentage served,Time in ms",
        "a table of ab -g or ab -e, without the rate",
        "keep what ab prints",
    ),
    _other(
        r"^Type +Name +# reqs +# fails \|",
        "the tables that locust prints",
        "write CSV: locust --csv PREFIX, and list the file PREFIX_stats.csv",
    ),
    _other(
        r'\A\[\s*\{(?=[^{}]{0,400}"num_none_requests")|\AMethod,Name,Error,Occurrences',
        "what locust writes beside its statistics, without rates",
        "write CSV: locust --csv PREFIX, and list the file PREFIX_stats.csv",
    ),
    _other(
        r"^┃ +Benchmark ┃ Time \(best\)",
        "the table that pytest-codspeed prints, the best time only",
        "use pytest-benchmark: pytest --benchmark-json FILE",
    ),
    _other(
        r"^(?: +│ .+\n)? +│ +(?:sec|B|allocs)/(?:op|s) +│|^,[^,\n]{1,2000},\n,sec/op,CI",
        "what benchstat prints, without the single runs",
        "keep what go test -bench printed",
    ),
    _other(
        r"^\| +(?:relative \| +)?\w+/\w+ \| +\w+/s \| +(?:err%|MdAPE) \|",
        "the table that nanobench prints",
        "write JSON: bench.render(ankerl::nanobench::templates::json(), file)",
    ),
    _other(
        r"^Running \".{1,200}\" suite\.\.\.$",
        "what benny prints",
        "write JSON: b.save({ file: 'FILE' })",
    ),
    _other(
        r'\A\{"(?:type":"Metric"|metric":"[^"]{1,200}","type":"(?:Metric|Point)")',
        "every single value that k6 measured",
        "write a summary: k6 run --summary-export FILE",
    ),
    _other(
        r"^ *(?:http_reqs|http_req_duration|iteration_duration)\.{3,}:",
        "the summary that k6 prints",
        "write JSON: k6 run --summary-export FILE",
    ),
    _other(
        r": rps=[\d.]+ \(overall: ",
        "what redis-benchmark prints",
        "write CSV: redis-benchmark --csv",
    ),
    _other(
        r"^\[ ID\] Interval +Transfer +Bitrate",
        "the table that iperf3 prints",
        "write JSON: iperf3 --json",
    ),
    _other(
        r"\A\d;fio-\d",
        "fio's terse output",
        "write JSON: fio --output-format=json",
    ),
    _other(
        r"\Acommand,mean,stddev,median,user,system,min,max$",
        "the CSV of hyperfine, without its single runs",
        "write JSON: hyperfine --export-json FILE",
    ),
    _other(
        r"^ +stress-ng-version: ",
        "the YAML of stress-ng",
        "keep what stress-ng --metrics prints",
    ),
    _other(
        r"\A# hostname;interval;timestamp;",
        "the table of sadf -d",
        "write JSON: sadf -j",
    ),
    _other(
        r'\A\s*\[\s*\{(?=[^{}]{0,1000}"name"\s*:)(?=[^{}]{0,1000}"unit"\s*:)[^{}]{0,1000}"value"\s*:',
        "results for github-action-benchmark, which do not say which way is better",
        "name the format, custom-smaller-is-better or custom-bigger-is-better: --format, or "
        "[step.formats]",
    ),
    _other(
        r'\A\s*\{\s*"[^"]{1,300}"\s*:\s*\{\s*"[^"]{1,300}"\s*:\s*\{\s*"(?:lower_|upper_)?value"\s*:',
        "what may be results in Bencher's format",
        "name the format, bencher, if it is: --format, or [step.formats]",
    ),
    _other(
        r"\APERFILE2",
        "a perf.data file",
        "fold it on the host that recorded it: perfpress fold perf.data -o perf.folded.gz",
    ),
    _other(
        r'\A\s*\{[\s\S]{0,400}?"\$schema"\s*:\s*"https://www\.speedscope\.app/',
        "a profile in speedscope's format",
        CAPTURE,
    ),
    _other(
        r'\A\s*\{\s*"nodes"\s*:\s*\[\s*\{\s*"id"\s*:\s*\d+\s*,\s*"callFrame"',
        "a CPU profile of V8",
        CAPTURE,
    ),
    _other(r"\A[^;\n]{1,2000}(?:;[^;\n]{1,2000})+ \d+$", "folded stacks", CAPTURE),
    _other(r"^creator: callgrind", "a profile of callgrind", CAPTURE),
    _other(r"\Adesc: [^\n]{1,2000}\n(?:desc|cmd): ", "a profile of cachegrind or massif", CAPTURE),
    _other(r'\A\{"dhatFileVersion"', "a profile of DHAT", CAPTURE),
    _other(r'^\{"type": "attached_probes"', "what bpftrace prints as JSON", CAPTURE),
    _other(r"\A\s*jdk\.\w{1,200} \{", "what jfr print prints", CAPTURE),
)


def is_capture(other: OtherLog) -> bool:
    """Return whether it is one that a reader of captures may know."""
    return other.do == CAPTURE


def other_log(head: Sequence[str]) -> OtherLog | None:
    """Return what a file is by its first lines; None where that cannot be seen."""
    beginning = "\n".join(head)[:LONGEST_BEGINNING]
    return next((each for each in OTHERS if each.pattern.search(beginning)), None)
