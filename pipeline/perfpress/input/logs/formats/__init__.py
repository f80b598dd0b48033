"""The log formats, one file each. A new one is one more file and one more entry here.

A simple one is described by a TOML file, as `perfpress.input.logs.described` reads it. Any other is
a module which has a `PARSER` of the format's name and knows no other format. It is imported when
the first log is read that no format before it recognises.
"""

from functools import cache
from importlib import import_module
from importlib.resources import files

from perfpress.input.logs.parser import Parser

FORMATS = (
    "pgbench",
    "sysbench",
    "vmstat",
    "insert-benchmark-summary",
    "insert-benchmark-result",
    "insert-benchmark-client",
    "iostat",
    "operation-rates",
    "perf-stat",
    "time",
    "db-bench",
    "fio",
    "hammerdb",
    "go-bench",
    "google-benchmark",
    "hyperfine",
    "pytest-benchmark",
    "interval-throughput",
    "explain-trace",
    "postgres-explain",
    "vegeta",
    "autocannon",
    "redis-benchmark",
    "locust",
    "ab",
    "wrk",
    "jmh",
    "criterion-text",
    "criterion-estimates",
    "libtest",
    "divan",
    "gungraun",
    "benchmarkdotnet",
    "catch2",
    "nanobench",
    "vitest",
    "tinybench",
    "mitata-json",
    "mitata-text",
    "benchmarkjs",
    "benny",
    "scalameter",
    "pyperf",
    "asv",
    "k6",
    "oha",
    "hey",
    "bombardier-json",
    "bombardier-text",
    "siege",
    "httperf",
    "loadtest",
    "gatling",
    "ycsb",
    "memtier",
    "mysqlslap",
    "clickhouse-benchmark",
    "benchbase",
    "py-tpcc",
    "tsbs",
    "iperf3",
    "openssl-speed",
    "stress-ng",
    "perf-bench",
    "7z",
    "sysstat-json",
    "sysstat-tables",
    "turbostat",
    "bencher",
    "custom-smaller-is-better",
    "custom-bigger-is-better",
    "csv",
    "text",
)
"""In the order in which they are tried."""


@cache
def parser_of(name: str) -> Parser:
    """Return the parser of a format: `go-bench` is read by `go_bench.py`, `ab` by `ab.toml`."""
    file = name.replace("-", "_")
    if (description := files(__name__) / f"{file}.toml").is_file():
        from perfpress.input.logs.described import built_in_parser

        return built_in_parser(name, description.read_text(encoding="utf-8"))
    parser: Parser = import_module(f"{__name__}.{file}").PARSER
    return parser
