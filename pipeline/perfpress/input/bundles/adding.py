"""Copies a checked bundle atomically to its place in the results."""

import shutil
from pathlib import Path

from perfpress.base.disk import flush, temporary_directory
from perfpress.base.problems import BadInput, Problem
from perfpress.base.slugs import slug
from perfpress.input.bundles.discover import (
    ADDING,
    accepted_spellings,
    place_of,
    spelling_problems,
    spellings,
)
from perfpress.input.bundles.read import Bundle, read_bundle


def add(bundle: Bundle, results: Path) -> list[str]:
    """Copy a bundle to its place; return the lines to print. The same bundle twice is one.

    Raises:
        BadInput: its names clash with accepted ones, or its files changed meanwhile.
    """
    place = place_of(bundle)
    target = results.joinpath(*place)
    if target.exists():
        return [f"{target}: there already", *addresses(bundle)]
    check_spelling(bundle, results)
    with temporary_directory(ADDING, target.parent) as above:
        unfinished = above / target.name
        _copy(bundle, unfinished)
        copied, problems = read_bundle(unfinished, bundle.shown_as)
        if copied is None or copied.content_hash != bundle.content_hash:
            changed = Problem(
                path=bundle.shown_as,
                found="the files changed while they were copied",
                expected="a bundle that nobody writes to",
                do="add it again when it is complete",
            )
            raise BadInput(changed, *problems)
        flush(unfinished)  # what is accepted outlives a power cut
        try:
            unfinished.rename(target)
        except OSError:
            if not target.exists():  # else another process added the same bundle
                raise
    return [str(target), *addresses(bundle)]


def _copy(bundle: Bundle, target: Path) -> None:
    for file in bundle.files:
        copy = target / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle.directory / file.name, copy, follow_symlinks=False)


def check_spelling(bundle: Bundle, results: Path) -> None:
    """Refuse names that have the addresses of other names.

    Raises:
        BadInput: an accepted bundle spells one of them otherwise.
    """
    spelled = accepted_spellings(results, place_of(bundle))
    if problems := spelling_problems(bundle.shown_as, spellings(bundle), spelled):
        raise BadInput(*problems)


def addresses(bundle: Bundle) -> list[str]:
    """Return the addresses that the run's pages will have."""
    report, release, _, _ = place_of(bundle)
    above = f"/reports/{report}/{release}/"
    return [f"  {above}", *(f"  {above}{slug(step.name)}/" for step in bundle.steps)]
