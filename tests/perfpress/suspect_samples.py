"""What the diff job answers of suspects, for tests."""

from typing import Any

from perfpress.base.node.messages.findings import (
    CallChange,
    Change,
    ChangeParts,
    Findings,
    FunctionChange,
    Noise,
    Shift,
    Shown,
    SideSummary,
)

NOTHING_CHANGED = Findings(
    basis="cost_per_operation",
    unit="CPU ns",
    shown=Shown(1e-3, "CPU µs per operation", 2),
    base=SideSummary("16", 5, 9000, samples_stated=True, whole=100_000.0),
    after=SideSummary("18", 5, 9900, samples_stated=True, whole=110_000.0),
    even=1.0,
    spread_evenly=False,
    noise=Noise(1.1, "captures", 252, 252, 0.01),
    within_noise=0,
    not_ranked=0,
    change=ChangeParts(10_000.0, 0.0, 0.0, 0.0, 10_000.0),
    additions=(),
    savings=(),
    shifts=(),
)


def function(name: str, base: float, after: float) -> FunctionChange:
    """Return a function that changed, and nothing of it moved."""
    return FunctionChange(**_facts(name, base, after))


def _facts(name: str, base: float, after: float) -> dict[str, Any]:
    words = {"function": f"user {name}", "name": name}
    return {**words, "base": base, "after": after, "net": after - base}


def change(name: str, base: float, after: float, **facts: Any) -> Change:
    """Return a change whose part is all of it."""
    usual: dict[str, Any] = {
        **_facts(name, base, after),
        "path": f"main > {name}",
        "only": None,
        "part": after - base,
        "p": 0.004,
        "noise": 500.0,
        "callers": (),
        "callees": (),
        "calls": (CallChange(f"main > {name}", after - base),),
    }
    return Change(**usual | facts)


def shift(name: str, origin: Any, **facts: Any) -> Shift:
    """Return a function that rose by 3 µs in one place and fell by as much elsewhere."""
    usual: dict[str, Any] = {
        **_facts(name, 5000.0, 5000.0),
        "path": name,
        "risen": 3000.0,
        "origin": origin,
        "family": "",
        "sources": (),
        "proposal": None,
    }
    return Shift(**usual | facts)
