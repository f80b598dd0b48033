"""What the diff job tells of suspects, for tests."""

from typing import Any

NOTHING_GREW: dict[str, Any] = {
    "basis": "cost_per_operation",
    "unit": "CPU ns",
    "shown": {"factor": 1e-3, "unit": "CPU µs per operation", "decimals": 2},
    "base": {"label": "16", "captures": 5, "whole": 100_000.0},
    "after": {"label": "18", "captures": 5, "whole": 110_000.0},
    "even": 1.0,
    "spread_evenly": False,
    "chance": {"ways": 252, "tried": 252, "level": 0.01},
    "within_chance": 0,
    "not_ranked": 0,
    "growth": {"whole": 10_000.0, "even": 0.0, "unexplained": 10_000.0},
    "suspects": [],
    "shifts": [],
}


def function(name: str, base: float, after: float) -> dict[str, Any]:
    """Return a function that grew, and nothing of it moved."""
    return {
        "function": f"user {name}",
        "name": name,
        "base": base,
        "after": after,
        "net": after - base,
    }


def suspect(name: str, base: float, after: float, **facts: Any) -> dict[str, Any]:
    """Return a suspect whose part is all that it grew by."""
    return {
        **function(name, base, after),
        "path": f"main > {name}",
        "only": None,
        "part": after - base,
        "p": 0.004,
        "base_range": [base - 1000, base + 1000],
        "after_range": [after - 1000, after + 1000],
        "callers": [],
        "callees": [],
        "calls": [{"path": f"main > {name}", "change": after - base}],
        **facts,
    }


def shift(name: str, came_from: str, **facts: Any) -> dict[str, Any]:
    """Return a function that rose by 3 µs in one place and fell by as much elsewhere."""
    return {
        **function(name, 5000.0, 5000.0),
        "path": name,
        "risen": 3000.0,
        "from": came_from,
        "class": "",
        "sources": [],
        "proposal": None,
        **facts,
    }
