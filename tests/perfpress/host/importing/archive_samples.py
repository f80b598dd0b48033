"""Archives of results made up for tests: the layouts of real ones, our own names and numbers."""

from pathlib import Path

SYSBENCH = """\
/opt/sysbench/bin/sysbench --db-driver=mysql --threads={clients} --time=60 \
/opt/sysbench/share/oltp_{test}.lua run --mysql-user=bench --mysql-password=hunter2
48 CPUs
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: {clients}

SQL statistics:
    queries performed:
        read:                            {events}
        write:                           0
        other:                           0
        total:                           {events}
    transactions:                        {events} ({rate:.2f} per sec.)
    queries:                             {events} ({rate:.2f} per sec.)
    ignored errors:                      0      (0.00 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          60.0000s
    total number of events:              {events}

Latency (ms):
         min:                                    0.10
         avg:                                    0.40
         max:                                   12.00
         95th percentile:                        0.60
         sum:                               120000.00

Threads fairness:
    events (avg/stddev):           {events}.0000/10.00
    execution time (avg/stddev):   59.9000/0.01
"""

VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 100000  20000 500000    0    0     1    10  100  {changes} 40 10 50  0  0
"""

FOLDED = "# perfpress-folded event=cycles samples=2 lost=0\nserver;parse {weight}\n"

SUMMARY = (
    "ips\tqps\trps\trmbps\twps\twmbps\trpq\trkbpq\twpi\twkbpi\tcsps\tcpups\tcspq\tcpupq\tdbgb1\t"
    "dbgb2\trss\tmaxop\tp50\tp99\ttag\n"
)
SUMMARY_ROW = (
    "{ips}\t{qps}\t1.0\t0.1\t2.0\t0.2\t0.001\t0.1\t0.002\t0.2\t1000\t40.0\t0.1\t20\t1.5\t2.5\t3.0\t"
    "0.100\t{ips}\t90\t{tag}\n"
)
"""One line a step."""

ERROR_SVG = (
    '<?xml version="1.0" standalone="no"?>\n<svg xmlns="http://www.w3.org/2000/svg">\n'
    '<text x="600" y="24">ERROR: No valid input provided to flamegraph.pl.</text>\n</svg>\n'
)

TESTS = (("point-query", 100), ("point-query.pre", 100), ("read-only", 10), ("read-only", 1000))
"""Tests with their ranges."""


def write(directory: Path, name: str, text: str) -> Path:
    """Write a file and the directories above it."""
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def sysbench_log(test: str, clients: int, rate: float) -> str:
    """Return what sysbench prints at that rate, with a password in its first line."""
    return SYSBENCH.format(test=test, clients=clients, rate=rate, events=round(rate * 60))


def sysbench_directory(
    archive: Path,
    build: str = "my8045_rel_o2nofp",
    config: str = "small",
    tests: tuple[tuple[str, int], ...] = TESTS,
    rate: float = 1000.0,
) -> Path:
    """Write a directory of results: each test with four clients, and a warm-up with one."""
    directory = archive / f"x.{build}.{config}.pk1"
    for number, (test, rows) in enumerate(tests):
        end = f"{test}.range{rows}.pk1.dop4"
        write(directory, f"sb.o.{end}", sysbench_log(test, 4, rate + number))
        write(directory, f"sb.vm.{end}", VMSTAT.format(changes=round(rate) + number))
    warm = sysbench_log("point-query", 1, rate + 9)
    write(directory, "sb.o.point-query.warm.range100.pk1.dop1", warm)
    return directory


def summary(tag: str, factor: float = 1.0) -> str:
    """Return a summary of the steps l.i0, l.x, l.i1, q100, q500 and q1000."""
    loads = [(round(1000 * factor), 0), (round(900 * factor), 0), (round(300 * factor), 0)]
    queries = [(rate, round(5000 * factor)) for rate in (100, 500, 1000)]
    rows = (SUMMARY_ROW.format(ips=ips, qps=qps, tag=tag) for ips, qps in (*loads, *queries))
    return SUMMARY + "".join(rows)
