"""Finds all bundles below the results directory."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipeline.bundle.read import Bundle, read_bundle
from pipeline.bundle.safety import shown_name
from pipeline.bundle.schema import FILE_NAME
from pipeline.problems import Problem
from pipeline.slug import slug
from pipeline.toml.words import shown_value

LEVELS = ("report", "release", "variant", "run")
"""What the directories below the results directory are named by, from the outside in."""

ADDING = ".adding-"
"""Begins the name of a copy that `perfpress add` has not finished."""


def discover(results: Path, shown_as: str) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return all bundles in order of their places, and what is wrong with the others.

    A bundle that is refused leaves the rest as it is.
    """
    problems: list[Problem] = []
    places = list(_places(results, shown_as, problems))
    bundles, found = _read_all(results, shown_as, places)
    return bundles, problems + found


def discover_report(
    results: Path, shown_as: str, report: str
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Like `discover`, for one report, by its slug; none of it may be there yet."""
    if not (results / report).is_dir():
        return (), []
    problems: list[Problem] = []
    places = list(_places(results / report, f"{shown_as}/{report}", problems, (report,)))
    bundles, found = _read_all(results, shown_as, places)
    return bundles, problems + found


def place_of(bundle: Bundle) -> tuple[str, str, str, str]:
    """Return the directories, from the results directory on, that the bundle belongs in."""
    run = bundle.run
    return slug(run.report), slug(run.release), bundle.variant.slug, bundle.run_id


def spellings(bundle: Bundle) -> dict[tuple[str, ...], str]:
    """Return how a bundle spells its report, release and variant, by their addresses."""
    report, release, variant, _ = place_of(bundle)
    return {
        (report,): bundle.run.report,
        (report, release): bundle.run.release,
        (report, release, variant): bundle.variant.label,
    }


def accepted_spellings(results: Path, place: tuple[str, ...]) -> dict[tuple[str, ...], str]:
    """Return how accepted bundles spell the names that have addresses of a place.

    Accepted bundles spell a name alike, so that one of each address tells, however many there are.
    """
    spelled: dict[tuple[str, ...], str] = {}
    for depth in range(len(LEVELS) - 1, 0, -1):
        below = "/".join("*" * (len(LEVELS) - depth))
        for directory in results.joinpath(*place[:depth]).glob(below):
            bundle, _ = read_bundle(directory, str(directory))
            if bundle is not None and directory == results.joinpath(*place_of(bundle)):
                # What a deeper level told holds: it is of an address of the place itself.
                spelled = spellings(bundle) | spelled
                break
        if place[:depth] in spelled:
            break
    return spelled


def spelling_problems(bundle: Bundle, spelled: Mapping[tuple[str, ...], str]) -> list[Problem]:
    """Return where a bundle uses an address that is another name's.

    Two names of one address (`C` and `C++`) would be taken for one release.
    """
    return [
        Problem(
            path=f"{bundle.shown_as}/{FILE_NAME}",
            found=f"{shown_value(name)} has the same address as {shown_value(spelled[address])}",
            expected="one spelling of a name in all bundles",
            do="spell both alike, or choose names that differ in more than case and punctuation",
        )
        for address, name in spellings(bundle).items()
        if spelled.get(address, name) != name
    ]


def _read_all(
    results: Path, shown_as: str, places: Iterable[tuple[str, ...]]
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    bundles: list[Bundle] = []
    problems: list[Problem] = []
    for place in places:
        directory = results.joinpath(*place)
        shown = "/".join((shown_as, *map(shown_name, place)))
        bundle, found = read_bundle(directory, shown)
        problems += found
        if bundle is not None:
            misplaced = list(_misplaced(bundle, place))
            problems += misplaced
            if not misplaced:
                bundles.append(bundle)
    bundles, clashes = _without_clashes(bundles)
    return tuple(bundles), problems + clashes


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


def _without_clashes(bundles: Iterable[Bundle]) -> tuple[list[Bundle], list[Problem]]:
    """Leave out bundles that spell a name otherwise than an earlier one of the same address."""
    spelled: dict[tuple[str, ...], str] = {}
    kept: list[Bundle] = []
    problems: list[Problem] = []
    for bundle in bundles:
        clashes = spelling_problems(bundle, spelled)
        problems += clashes
        if not clashes:
            kept.append(bundle)
            spelled |= spellings(bundle)
    return kept, problems
