"""Finds all bundles below the results directory."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.bundle.read import Bundle, read_bundle
from pipeline.bundle.safety import shown_name
from pipeline.bundle.schema import FILE_NAME, Run
from pipeline.bundle.variant import variant_of
from pipeline.problems import Problem
from pipeline.slug import slug
from pipeline.toml_input import shown_value

LEVELS = ("report", "release", "variant", "run")
"""What the directories below the results directory are named by, from the outside in."""

ADDING = ".adding-"
"""Begins the name of a copy that `perfpress add` has not finished."""


def discover(results: Path, shown_as: str) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return all bundles in order of their places, and what is wrong with the others.

    A bundle that is refused leaves the rest as it is.
    """
    bundles: list[Bundle] = []
    problems: list[Problem] = []
    for place in _places(results, shown_as, problems):
        directory = results.joinpath(*place)
        shown = "/".join((shown_as, *map(shown_name, place)))
        bundle, found = read_bundle(directory, shown)
        problems += found
        if bundle is not None:
            misplaced = list(_misplaced(bundle, place))
            problems += misplaced
            if not misplaced:
                bundles.append(bundle)
    bundles, same_names = _without_same_names(bundles)
    return tuple(bundles), problems + same_names


def place_of(bundle: Bundle) -> tuple[str, str, str, str]:
    """Return the directories, from the results directory on, that the bundle belongs in."""
    run = bundle.run
    return slug(run.report), slug(run.release), bundle.variant.slug, bundle.run_id


def _places(
    directory: Path, shown_as: str, problems: list[Problem], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of all directories at the level of runs; tell of what else stands there."""
    try:
        entries = sorted(directory.iterdir())
    except OSError as error:
        found = f"cannot be read ({error.strerror})"
        problems.append(Problem(path=shown_as, found=found, expected="a directory of results"))
        return
    for entry in entries:
        shown = f"{shown_as}/{shown_name(entry.name)}"
        if entry.is_symlink() or not entry.is_dir():
            if above or entry.name not in {".gitkeep", "README.md"}:
                problems.append(_stray(shown, len(above)))
        elif entry.name.startswith(ADDING):
            problems.append(_unfinished(shown))
        elif len(above) == len(LEVELS) - 1:
            yield (*above, entry.name)
        else:
            yield from _places(entry, shown, problems, (*above, entry.name))


def _stray(shown: str, depth: int) -> Problem:
    found, expected = "no directory", f"the directory of a {LEVELS[depth]}"
    do = "add bundles with: perfpress add DIR"
    if shown.endswith(f"/{FILE_NAME}"):
        expected = "a bundle at <report>/<release>/<variant>/<run>/"
    return Problem(path=shown, found=found, expected=expected, do=do)


def _unfinished(shown: str) -> Problem:
    found, do = "a copy that was not finished", "remove it, and add the bundle again"
    return Problem(path=shown, found=found, do=do, severity="warning")


def _misplaced(bundle: Bundle, place: tuple[str, ...]) -> Iterator[Problem]:
    for level, stands, belongs in zip(LEVELS, place, place_of(bundle), strict=True):
        if stands != belongs:
            is_run = level == "run"
            yield Problem(
                path=bundle.shown_as,
                found=f"the {level} directory is called {shown_value(stands)}",
                expected=f"{belongs}, from {'its contents' if is_run else 'its run.toml'}",
                do="a bundle is never changed: restore it, or move it away and use perfpress add",
            )


def _without_same_names(bundles: list[Bundle]) -> tuple[list[Bundle], list[Problem]]:
    """Leave out bundles whose names are written otherwise than in earlier ones of that address."""
    spelled: dict[tuple[str, ...], tuple[str, ...]] = {}
    kept: list[Bundle] = []
    problems: list[Problem] = []
    for bundle in bundles:
        report, release, variant, _ = place_of(bundle)
        names = _names(bundle.run)
        keys = ((report,), (report, release), (report, release, variant))
        clashes = [
            (spelled[key], name)
            for key, name in zip(keys, names, strict=True)
            if spelled.setdefault(key, name) != name
        ]
        if clashes:
            problems += [_same_address(bundle, *clash) for clash in clashes]
        else:
            kept.append(bundle)
    return kept, problems


def _names(run: Run) -> tuple[tuple[str, ...], ...]:
    return (run.report,), (run.release,), (variant_of(run).label,)


def _same_address(bundle: Bundle, first: tuple[str, ...], second: tuple[str, ...]) -> Problem:
    return Problem(
        path=f"{bundle.shown_as}/{FILE_NAME}",
        found=f"{shown_value(second[0])} has the same address as {shown_value(first[0])}",
        expected="one spelling of a name in all bundles",
        do="spell both alike, or choose names that differ in more than case and punctuation",
    )
