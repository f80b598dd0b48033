"""Finds the site, report, release and run that a directory belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.slugs import slug
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import Bundle

RESULTS = Path("data") / "results"
TEXTS = Path("content") / "reports"


@dataclass(frozen=True)
class DirectoryScope:
    """The report, release and run that a directory belongs to; None where it has none."""

    report: str | None = None
    """Its slug."""
    release: str | None = None
    """As its bundles spell it, where the directory is that of the release."""
    run: str | None = None
    """Its id, where the directory is the run's or inside it."""


def results_above(directory: Path) -> Path | None:
    """Return the `data/results` of the site that a directory is in, if it is in one."""
    resolved = directory.resolve()
    sites = (each / RESULTS for each in (resolved, *resolved.parents))
    return next((each for each in sites if each.is_dir()), None)


def place_in(results: Path, bundles: Sequence[Bundle], directory: Path) -> DirectoryScope:
    """Return the report, release and run that a directory is of.

    Args:
        results: the directory of all accepted bundles.
        bundles: all of them.
        directory: one in it, beside it in the corrections, or in the texts of the site.
    """
    results, directory = results.resolve(), directory.resolve()
    data = results.parent
    for above in (results, data / "corrections", data.parent / TEXTS):
        if directory.is_relative_to(above):
            parts = directory.relative_to(above).parts[: 4 if above == results else 1]
            inside = [each for each in bundles if place_of(each)[: len(parts)] == parts]
            if parts and inside:
                return _place(inside[0], len(parts))
    return DirectoryScope()


def _place(bundle: Bundle, depth: int) -> DirectoryScope:
    """Return what a bundle's directory is, or one of the three above it."""
    return DirectoryScope(
        report=slug(bundle.run.report),
        release=bundle.run.release if depth == 2 else None,
        run=bundle.run_id if depth == 4 else None,
    )
