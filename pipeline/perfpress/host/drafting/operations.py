"""What benchmarks count, in the singular, by the format of their logs: a draft's best guess."""

USUAL = "operation"

OPERATIONS = {
    "pgbench": "transaction",
    "sysbench": "transaction",
    "benchbase": "transaction",
    "hammerdb": "order",
    "fio": "I/O",
    "tsbs": "query",
    "clickhouse-benchmark": "query",
    "redis-benchmark": "command",
    "memtier": "command",
    "iperf3": "byte",
    "7z": "byte",
    "hyperfine": "run",
    "mysqlslap": "run",
    **dict.fromkeys(
        ("ab", "autocannon", "gatling", "hey", "k6", "locust", "oha", "vegeta", "wrk"), "request"
    ),
    **dict.fromkeys(
        (
            *("benchmarkdotnet", "benchmarkjs", "catch2", "criterion-estimates", "criterion-text"),
            *("go-bench", "google-benchmark", "gungraun", "jmh", "libtest", "mitata-json"),
            *("mitata-text", "nanobench", "pyperf", "pytest-benchmark", "tinybench", "vitest"),
        ),
        "call",
    ),
}


def operation_of_formats(formats: set[str]) -> str:
    """Return what logs of some formats count, if they count the same."""
    found = {OPERATIONS.get(each, USUAL) for each in formats}
    return found.pop() if len(found) == 1 else USUAL
