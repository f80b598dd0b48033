"""How long a call of `accept` waits for others: first for everybody a little, then for who is slow.

What comes from strangers may take any time, and nothing lands before a call has read and judged. So
a quick call ends within a minute, whatever anybody does, and leaves out what takes longer. Where it
left something out a patient call follows, for which nobody else waits: all others have landed.
"""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import NamedTuple, TypeVar

from perfpress.host.pushing.git import OverBudget

Result = TypeVar("Result")


class Patience(NamedTuple):
    """Seconds that a call gives to others."""

    reading: float
    """To a source, with all that its server takes to answer. Sources are read at the same time."""
    together: float
    """To all commits of a repository, to be fetched together."""
    first: float
    """To the commit that is the first in turn, to be fetched alone, and as many to be compared."""
    each: float
    """To any other commit; several are fetched at once."""
    judging: float
    """To all runs: none is begun later."""
    run: tuple[float, ...]
    """To one run, to be copied and judged: who needs longer waits for all others, and gets more."""
    is_last: bool
    """No call follows that waits longer."""

    @property
    def longest(self) -> float:
        """Return after how long a call has read and judged."""
        return self.reading + self.judging + self.run[-1]


QUICK = Patience(reading=22, together=5, first=4, each=3, judging=18, run=(2, 5, 15), is_last=False)
PATIENT = Patience(
    reading=240, together=40, first=100, each=10, judging=480, run=(15, 60, 240), is_last=True
)
"""Less than 20 minutes: a workflow that is ended for taking too long lands nothing at all."""


def within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what a call returns.

    Raises:
        OverBudget: it takes longer. It is left to itself, and ends with this process at the latest.
    """
    answer: Future[Result] = Future()

    def answered() -> None:
        try:
            answer.set_result(call())
        except BaseException as failure:  # raised again where somebody waits for it
            answer.set_exception(failure)

    Thread(target=answered, daemon=True).start()
    wait([answer], timeout=seconds)
    if not answer.done():
        raise OverBudget(f"error: it took more than {seconds:.0f} s")
    return answer.result()
