"""Sums numbers in two processes at once."""

from multiprocessing import Pool

NUMBERS = 3_000_000


def total(first: int) -> int:
    """Return a sum."""
    result = 0
    for number in range(first, first + NUMBERS):
        result += number
    return result


if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(total, (0, NUMBERS))
