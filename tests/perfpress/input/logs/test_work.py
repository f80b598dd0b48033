"""Twice the log is at most two and a half times the work, whatever its shape, for every parser."""

import re
import sys
from collections.abc import Callable
from functools import partial
from time import process_time

import pytest
from log_samples import SAMPLES
from perfpress.input.logs.formats import FORMATS, parser_of

pytestmark = pytest.mark.slow

MOST = 2.5
"""Times the work of half the input."""

SIZE = 20_000
"""Characters to begin with."""

DOUBLINGS = 4
"""Until time is compared, which is noisy where there is little of it."""


def repeated(text: str, size: int) -> str:
    return text * (size // len(text) + 1)


def empty_lines(text: str, size: int) -> str:
    return text + "\n" * (size // 8) + text  # as many lines as other shapes have


def one_long_line(text: str, size: int) -> str:
    longest = max(text.splitlines(), key=len)
    return text + repeated(longest, size) + "\n"


def long_words(text: str, size: int) -> str:
    word = max(re.findall(r"\w+", text), key=len)
    return text + text.replace(word, repeated(word, size), 1)


def distinct_names(text: str, size: int) -> str:
    copies = size // len(text) + 1
    return "".join(re.sub(r"\b[A-Za-z_]{3,}\b", rf"\g<0>{at}", text) for at in range(copies))


def distinct_values(text: str, size: int) -> str:
    copies = size // len(text) + 1
    return "".join(re.sub(r"\b\d+\b", str(at), text) for at in range(copies))


def many_columns(text: str, size: int) -> str:
    lines = text.splitlines()
    times = size // len(text) + 1
    return "\n".join(" ".join([line] * times) for line in lines)


def deep(text: str, size: int) -> str:
    return text[: len(text) // 2] + "[" * size


SHAPES = (
    repeated,
    empty_lines,
    one_long_line,
    long_words,
    distinct_names,
    distinct_values,
    many_columns,
    deep,
)


def sample_of(name: str) -> str:
    """Return the smallest sample of a format."""
    texts = (path.read_text() for path in SAMPLES.glob(f"{name}*"))
    return min(texts, key=len)


def calls_in(run: Callable[[], object]) -> int:
    """Return how many functions something calls."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def seconds_of(run: Callable[[], object]) -> float:
    begun = process_time()
    run()
    return process_time() - begun


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("name", FORMATS)
def test_work_grows_with_the_log(name: str, shape: Callable[[str, int], str]) -> None:
    parser, sample = parser_of(name), sample_of(name)

    def read(size: int) -> None:
        lines = shape(sample, size).split("\n")
        parser.recognise(lines[:2000])
        parser.parse(lines, "log")

    base = calls_in(partial(read, 1))
    once, twice = (calls_in(partial(read, size)) for size in (SIZE, 2 * SIZE))
    assert twice <= MOST * once + base
    small = min(seconds_of(partial(read, SIZE)) for _ in range(3))
    # Once is enough where that is quick enough; other work may make one time long.
    large = (seconds_of(partial(read, SIZE << DOUBLINGS)) for _ in range(3))
    assert any(seconds <= MOST**DOUBLINGS * small + 0.1 for seconds in large)
