"""Settings of all tests: neither a loaded machine nor the way they were started is a failure.

Property tests take the same values in each run, so that a commit that passed keeps passing;
`PERFPRESS_FUZZ_SEED` makes them take others.
"""

import functools
import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "perfpress",
    deadline=None,
    derandomize="PERFPRESS_FUZZ_SEED" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    # That a test notices a mutant is enough; the smallest example of it may take a minute.
    phases=set(Phase) - ({Phase.shrink} if "MUTANT_UNDER_TEST" in os.environ else set()),
)
settings.load_profile("perfpress")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest: workflows, of which one at the end would run alone."""
    items.sort(key=lambda item: "test_publish_runs.py" not in item.nodeid)


def pytest_sessionstart() -> None:
    """Forget what a process has cached in which a mutant is run: it would hide the mutant."""
    if "MUTANT_UNDER_TEST" in os.environ:
        for each in gc.get_objects():
            if isinstance(each, functools._lru_cache_wrapper):
                each.cache_clear()


# A shell's `&` and `nohup` let signals be ignored, and programs that tests start inherit that.
for number, handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)
