"""Target rates of rate-limited benchmarks: met or missed, never a result to compare."""

from dataclasses import dataclass

from perfpress.analysis.study.study import StepRun
from perfpress.base.display import number
from perfpress.input.logs.insert_benchmark_steps import MET

TARGETS = ("insert_rate", "insert_rate_target", "insert_rate_target_per_client")
"""Metrics of the rate asked for and the rate reached. They are not results."""


@dataclass(frozen=True)
class RateTarget:
    """Rate of inserts during the measured queries, and its target."""

    rate: float
    """Inserts a second."""
    target: float | None
    """None where it is known by client, and not how many clients there were."""

    @property
    def is_met(self) -> bool | None:
        """Whether 95 % of the target were reached; None where that is not known."""
        return None if self.target is None else self.rate >= MET * self.target

    @property
    def text(self) -> str:
        """The rate reached, in words with the numbers."""
        if self.target is None:
            return f"{number(self.rate)} inserts/s; the number of clients is not stated"
        word = "met" if self.is_met else "missed"
        return f"insert rate {word}: {number(self.rate)} of {number(self.target)} inserts/s"


def rate_target(step_run: StepRun) -> RateTarget | None:
    """Return the rate that a step was held to; None where it was held to none.

    The number of clients is that of run.toml where the log does not state it.
    """
    measured = step_run.measured
    rate = measured.get("insert_rate")
    if rate is None:
        return None
    if target := measured.get("insert_rate_target"):
        return RateTarget(rate.value, target.value)
    per_client = measured.get("insert_rate_target_per_client")
    clients = step_run.bundle.run.clients
    if per_client is None or clients is None:
        return RateTarget(rate.value, None)
    return RateTarget(rate.value, per_client.value * clients)
