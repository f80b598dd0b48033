"""The log formats, one module each. A new one is one more module and one more entry here.

A module has a `PARSER` of the format's name and knows no other format. It is imported when the
first log is read that no format before it recognises.
"""

from importlib import import_module

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
    "csv",
)
"""In the order in which they are asked about a log."""


def parser_of(name: str) -> Parser:
    """Return the parser of a format: `go-bench` is read by `go_bench.py`."""
    parser: Parser = import_module(f"{__name__}.{name.replace('-', '_')}").PARSER
    return parser
