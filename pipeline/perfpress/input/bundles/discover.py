"""Finds all bundles below the results directory."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from perfpress.base.defects import attempt
from perfpress.base.problems import Problem
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.input.bundles.read import Bundle, read_bundle
from perfpress.input.bundles.safety import shown_name
from perfpress.input.bundles.schema import FILE_NAME

LEVELS = ("report", "release", "variant", "run")
"""What the directories below the results directory are named by, from the outside in."""

ADDING = ".adding-"
"""Begins the name of a copy that `perfpress add` has not finished."""


Reader = Callable[[Path, str], tuple[Bundle | None, list[Problem]]]


def discover(
    results: Path, shown_as: str, read: Reader = read_bundle
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Return all bundles in order of their places, and what is wrong with the others.

    A bundle that is refused leaves the rest as it is.

    Args:
        results: the directory of all.
        shown_as: its name in messages.
        read: reads one bundle, or knows it.
    """
    problems: list[Problem] = []
    places = list(_places(results, shown_as, problems))
    bundles, found = _read_all(results, shown_as, places, read)
    return bundles, problems + found


def discover_report(
    results: Path, shown_as: str, report: str
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    """Like `discover`, for one report by its slug; empty if it has no bundles yet."""
    if not (results / report).is_dir():
        return (), []
    problems: list[Problem] = []
    places = list(_places(results / report, f"{shown_as}/{report}", problems, (report,)))
    bundles, found = _read_all(results, shown_as, places)
    return bundles, problems + found


def bundles_below(directory: Path) -> list[Path]:
    """Return the directories of the bundles that a directory holds, no deeper than results do.

    One that is a bundle, or holds none, is returned itself.
    """
    if (directory / FILE_NAME).exists():
        return [directory]
    patterns = ["/".join(["*"] * depth) for depth in range(1, len(LEVELS) + 1)]
    files = [file for pattern in patterns for file in directory.glob(f"{pattern}/{FILE_NAME}")]
    return sorted(file.parent for file in files) or [directory]


def place_of(bundle: Bundle) -> tuple[str, str, str, str]:
    """Return the directories, from the results directory on, that the bundle belongs in."""
    run = bundle.run
    return slug(run.report), slug(run.release), bundle.variant.slug, bundle.run_id


class Spelling(NamedTuple):
    """How a name is spelled, and the bundle that spells it so."""

    name: str
    holder: str


Spellings = dict[tuple[str, ...], Spelling]
"""By address: report; report and release; report, release and variant."""


def spellings(bundle: Bundle) -> Spellings:
    """Return how a bundle spells its report, release and variant."""
    names = (bundle.run.report, bundle.run.release, bundle.variant.label)
    return spellings_at(place_of(bundle), names, bundle.shown_as)


def spellings_at(place: tuple[str, ...], names: Iterable[str], holder: str) -> Spellings:
    """Return how the bundle of a place spells its report, release and variant."""
    return {place[:depth]: Spelling(name, holder) for depth, name in enumerate(names, start=1)}


def accepted_spellings(results: Path, place: tuple[str, ...]) -> Spellings:
    """Return how accepted bundles spell the names that have addresses of a place.

    Accepted bundles spell a name alike, so that one of each address is enough.
    """
    spelled: Spellings = {}
    for depth in range(len(LEVELS) - 1, 0, -1):
        below = "/".join("*" * (len(LEVELS) - depth))
        for directory in results.joinpath(*place[:depth]).glob(below):
            shown_as = f"data/results/{directory.relative_to(results).as_posix()}"
            bundle, _ = read_bundle(directory, shown_as)
            if bundle is not None and directory == results.joinpath(*place_of(bundle)):
                # A problem of a deeper level holds: it is about the address of the place itself.
                spelled = spellings(bundle) | spelled
                break
        if place[:depth] in spelled:
            break
    return spelled


def spelling_problems(shown_as: str, names: Spellings, spelled: Spellings) -> list[Problem]:
    """Return where a bundle's names use an address that is another name's.

    Two names of one address (`C` and `C++`) would be taken for one release.
    """
    return [
        Problem(
            path=f"{shown_as}/{FILE_NAME}",
            found=f"{shown_value(name)} has the same address as {shown_value(there.name)}, "
            f"which {there.holder} holds",
            expected="one spelling of a name in all bundles",
            do="spell both alike, or choose names that differ in more than case and punctuation; "
            "where the other is the mistake, a maintainer gives the address back: "
            f"git rm -r data/results/{'/'.join(address)}",
        )
        for address, (name, _) in names.items()
        if (there := spelled.get(address)) is not None and there.name != name
    ]


def _read_all(
    results: Path,
    shown_as: str,
    places: Iterable[tuple[str, ...]],
    read: Reader = read_bundle,
) -> tuple[tuple[Bundle, ...], list[Problem]]:
    bundles: list[Bundle] = []
    problems: list[Problem] = []
    for place in places:
        directory = results.joinpath(*place)
        shown = "/".join((shown_as, *map(shown_name, place)))
        made = attempt(partial(read, directory, shown), shown, "the site lacks the run", problems)
        bundle, found = made or (None, [])
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
    """Yield the paths of all directories at the level of runs; report what else is there."""
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
    for level, actual, expected in zip(LEVELS, place, place_of(bundle), strict=True):
        if actual != expected:
            is_run = level == "run"
            yield Problem(
                path=bundle.shown_as,
                found=f"the {level} directory is called {shown_value(actual)}",
                expected=f"{expected}, from {'its contents' if is_run else 'its run.toml'}",
                do="a bundle is never changed: restore it, or move it away and use perfpress add",
            )


def _without_clashes(bundles: Iterable[Bundle]) -> tuple[list[Bundle], list[Problem]]:
    """Leave out bundles that spell a name otherwise than an earlier one of the same address."""
    spelled: Spellings = {}
    kept: list[Bundle] = []
    problems: list[Problem] = []
    for bundle in bundles:
        clashes = spelling_problems(bundle.shown_as, spellings(bundle), spelled)
        problems += clashes
        if not clashes:
            kept.append(bundle)
            spelled |= spellings(bundle)
    return kept, problems
