"""What releases and profiles add to a site, counted in small builds."""

import gzip
import random
from collections import Counter
from operator import le
from pathlib import Path

import pytest
from bundle_samples import FILES, accepted
from copied_site import request_of
from growth import BYTES_A_CELL, STEPS
from large_site import write_bundle
from perfpress.build.stages import build
from perfpress.site.cell_pages import FEW
from small_site import contents, quiet

FILES_A_RELEASE = 7
"""Its page as HTML and as text, card, numbers as JSON and CSV, verdicts, archive of its run."""

PAGES = {
    "18/select/": (39_500, 8_800),
    "18/select/embed/": (2_900, 1_300),
    "18/select/vs/17/": (31_500, 7_000),
    "18/select/vs/17/embed/": (2_400, 1_200),
    "steps/select/": (86_500, 11_200),
}
"""Bytes that the pages of two profiles of 1,500 stacks may take, and compressed."""

PARTS = ("storage", "executor", "parser", "index", "buffer", "log", "lock", "net")


def built(work: Path) -> dict[str, bytes]:
    """Return all files of the site of some results."""
    (work / "content").mkdir(exist_ok=True)
    request = request_of(work)
    assert not build(request, quiet).defects
    return contents(request.out)


@pytest.mark.slow
def test_a_cell_without_a_profile_keeps_its_budget(tmp_path: Path) -> None:
    releases = FEW + 2  # so many that cells have no pages of their own
    for release in range(releases):
        write_bundle(tmp_path / "results", release, 0, STEPS)
    some = built(tmp_path)
    write_bundle(tmp_path / "results", releases, 0, STEPS)
    more = built(tmp_path)
    added = sum(map(len, more.values())) - sum(map(len, some.values()))
    assert added / STEPS <= BYTES_A_CELL
    # The address of a cell leads to its row.
    assert len(more) - len(some) == STEPS + FILES_A_RELEASE


def capture(slower: int) -> bytes:
    """Return stacks as deep and names as long as a database's; some functions weigh more."""
    chance = random.Random(7)
    functions = [
        f"{chance.choice(PARTS)}::{chance.choice(PARTS).title()}Manager::read_page_{at}"
        for at in range(400)
    ]
    weights: Counter[str] = Counter()
    for _ in range(1500):
        at, stack = 0, ["server", "start_thread", "handle_connection"]
        for _ in range(chance.randrange(3, 18)):
            at = (at * 7 + chance.randrange(4) + 1) % len(functions)
            stack.append(functions[at])
        grew = functions[10] in stack or functions[30] in stack
        weights[";".join(stack)] += chance.randrange(1, 40) * (slower if grew else 1)
    head = f"# perfpress-folded event=cpu-clock samples={weights.total()} lost=0\n"
    lines = "".join(f"{stack} {weight}\n" for stack, weight in sorted(weights.items()))
    return gzip.compress((head + lines).encode(), mtime=0)


@pytest.mark.slow
def test_pages_of_profiles_keep_their_budgets(tmp_path: Path) -> None:
    step = {
        "name": "select",
        "operation": "transaction",
        "logs": ["select.txt"],
        "captures": ["cpu.folded.gz"],
    }

    for release, slower in (("17", 1), ("18", 3)):
        held = FILES | {"cpu.folded.gz": capture(slower)}
        accepted(tmp_path / "results", {"release": release, "step": [step]}, held)
    files = built(tmp_path)
    for page, most in PAGES.items():
        html = files[f"reports/postgres-releases/{page}index.html"]
        taken = (len(html), len(gzip.compress(html)))
        assert all(map(le, taken, most)), f"{page} takes {taken} bytes of {most}"
