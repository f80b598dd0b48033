"""Changes the unit of a number by a power of ten, without the error of a multiplication."""

from decimal import Decimal


def scaled(value: float, digits: int) -> float:
    """Return the value with its decimal point moved: seconds to nanoseconds are 9 digits.

    The result is the number that the log would hold had it been written in that unit; 0.00341
    times 1000 would be 3.4100000000000006.
    """
    return float(Decimal(repr(float(value))).scaleb(digits))
