"""Eight small benchmarks of CPython, on the standard library alone, for 3.8 and later.

benchmarks.py NAME --calls N        runs a benchmark so often, and prints nothing
benchmarks.py NAME --seconds S      runs it for so long, and prints its rate as a CSV
benchmarks.py -o FILE …             runs all of them by pyperf, with pyperf's options
"""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = "Perfpress compares release 3.8.18 with 3.13.0: 12 % slower? No, 12 % faster. " * 40
VERSION = re.compile(r"\b(\d+)\.(\d+)\.(\d+)\b")


def fibonacci(number: int) -> int:
    """Return a Fibonacci number, slowly."""
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def calls() -> None:
    """Calls of a Python function by itself."""
    fibonacci(21)


class Account:
    """What `attributes` reads and writes."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        self.balance = 0
        self.moves = 0

    def move(self, amount: int) -> int:
        """Change the balance; return it."""
        self.balance += amount
        self.moves += 1
        return self.balance


def attributes() -> None:
    """Methods that read and write attributes of objects."""
    accounts = [Account(owner) for owner in range(100)]
    for amount in range(400):
        for account in accounts[amount % 10 :: 2]:
            account.move(amount)


def floats() -> None:
    """Arithmetic on floating-point numbers in local variables."""
    x = y = 0.5
    vx, vy = 0.3, -0.2
    for _ in range(20_000):
        pull = -1.0 / (x * x + y * y + 0.01)
        vx += pull * x * 0.001
        vy += pull * y * 0.001
        x += vx * 0.001
        y += vy * 0.001


def _numbers(limit: int) -> Iterator[int]:
    for number in range(limit):
        if number % 3:
            yield number


def generators() -> None:
    """Values that one generator passes to another, and that to a loop."""
    total = 0
    for number in (3 * number for number in _numbers(30_000)):
        total += number


def exceptions() -> None:
    """Exceptions that are raised in a function and caught by its caller."""
    absent: dict[int, int] = {}
    for key in range(10_000):
        try:  # noqa: SIM105 - it is measured
            _value(absent, key)
        except KeyError:
            pass


def _value(values: dict[int, int], key: int) -> int:
    return values[key]


def comprehensions() -> None:
    """Short list comprehensions."""
    for start in range(5_000):
        [number * number for number in (start, 2, 3, 4, 5)]


def regex() -> None:
    """Search and replace by regular expressions, which is C code."""
    for _ in range(10):
        VERSION.sub(r"\3.\2.\1", TEXT)


BENCHMARKS = (calls, attributes, floats, generators, exceptions, comprehensions, regex)


def run_calls(benchmark: Callable[[], None], count: int) -> None:
    """Run a benchmark so often."""
    for _ in range(count):
        benchmark()


def run_seconds(benchmark: Callable[[], None], seconds: float) -> None:
    """Run a benchmark for so long; print its rate."""
    count = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        benchmark()
        count += 1
    print(f"metric,value,unit\nthroughput,{count / passed},operations/s")


def run_pyperf() -> None:
    """Run all benchmarks by pyperf, as its options say."""
    import pyperf

    runner = pyperf.Runner()
    for benchmark in BENCHMARKS:
        runner.bench_func(benchmark.__name__, benchmark)
    runner.bench_command("startup", [sys.executable, "-I", "-c", "pass"])


if __name__ == "__main__":
    chosen = [benchmark for benchmark in BENCHMARKS if benchmark.__name__ in sys.argv[1:2]]
    if not chosen:
        run_pyperf()
    elif sys.argv[2] == "--calls":
        run_calls(chosen[0], int(sys.argv[3]))
    else:
        run_seconds(chosen[0], float(sys.argv[3]))
