"""Pushes bundles to the branches of their hosts: one commit a branch, all branches or none."""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from perfpress.base.disk import temporary_directory
from perfpress.base.problems import bad_input
from perfpress.base.slugs import slug
from perfpress.host.pushing.git import GitFailed, as_bad_input, shown_address
from perfpress.host.pushing.repository import BRANCHES, NO_TREES, Repository, RunPath, message
from perfpress.input.bundles.adding import add
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import Bundle

ATTEMPTS = 12


class Delivery(NamedTuple):
    """The outcome for one bundle."""

    bundle: Bundle
    where: str
    """The branch."""
    is_new: bool
    """False where it was there already."""


def owner(host: str) -> str:
    """Return a host's name as a branch or directory of its own. git forbids `..` and `.lock`."""
    return re.sub(r"\.(?=\.|lock$)", "-", slug(host))


def branch_of(host: str) -> str:
    """Return the branch that a host pushes to."""
    return BRANCHES + owner(host)


def pause(attempt: int) -> None:
    """Wait before the next attempt: longer each time, and never as long as another host does."""
    time.sleep(random.uniform(0.3, 1.0) * min(0.2 * 2**attempt, 10))


def deliver(
    bundles: Sequence[Bundle], address: str, wait: Callable[[int], None] = pause
) -> list[Delivery]:
    """Push bundles to a git repository; return the outcome of each.

    The move of the branches is the moment when they arrive; before it the remote has nothing of
    them, after it everything.

    Raises:
        BadInput: the files changed meanwhile, or git could not do it.
    """
    with temporary_directory("perfpress-push-") as temporary:
        results = temporary / "files" / "data" / "results"
        for bundle in bundles:
            add(bundle, results)
        try:
            with Repository.beside(address, temporary / "repository") as repository:
                for attempt in range(ATTEMPTS):
                    if attempt:
                        wait(attempt)
                    delivered = _attempt(bundles, results, repository)
                    if delivered is not None:
                        return delivered
        except GitFailed as failure:
            raise as_bad_input(failure, address) from None
    found = f"other hosts were faster {ATTEMPTS} times"
    raise bad_input(path=shown_address(address), found=found, do="push again later")


def _attempt(
    bundles: Sequence[Bundle], results: Path, repository: Repository
) -> list[Delivery] | None:
    """Push once; return `None` where another host was faster."""
    main, heads = repository.branches()
    branches = sorted({branch_of(bundle.run.host) for bundle in bundles})
    tips = {name: heads[name] for name in (main, *branches) if name in heads}
    repository.fetch(tips.values(), "--depth=1", NO_TREES)
    delivered: list[Delivery] = []
    new: dict[str, list[RunPath]] = defaultdict(list)
    for bundle in bundles:
        branch, place = branch_of(bundle.run.host), place_of(bundle)
        is_there = any(
            name in tips and repository.run_at(tips[name], place) for name in (branch, main)
        )
        is_new = not is_there and place not in new[branch]
        if is_new:
            new[branch].append(place)
        delivered.append(Delivery(bundle, branch, is_new))
    commits: dict[str, str] = {}
    leased: dict[str, str] = {}
    for branch, places in new.items():
        if not places:
            continue
        host = branch.removeprefix(BRANCHES)
        tree = repository.tree_of(results, places)
        parent = tips.get(branch) or tips.get(main)
        commits[branch] = repository.commit(
            tree, parent, host, message(f"Add {{runs}} of {host}", places)
        )
        leased[branch] = tips.get(branch, "")
    if commits and not repository.push(commits, leased):
        return None
    return delivered
