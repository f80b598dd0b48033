"""Writes what capture measured as a bundle, with secrets redacted."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from perfpress.base.problems import BadInput, bad_input
from perfpress.base.secrets.redact import redact_bytes
from perfpress.base.slugs import slug
from perfpress.base.toml.words import shown_value
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import files_in, read_bundle
from perfpress.input.bundles.safety import unfit_name
from perfpress.input.bundles.schema import FILE_NAME, Run
from perfpress.input.bundles.write import write_run

PARTIAL_NAME = f"{FILE_NAME}.partial"
"""What `run.toml` is called while a step is measured: a bundle that is not whole has none."""

REDACTED = ".redacted"
"""Ends the name of a copy without secrets, until it takes the place of the file."""


def redact_file(path: Path) -> None:
    """Take secrets out of a text file; benchmarks print their command lines, settings hold keys.

    On a full disk the file stays as it was, and an `OSError` is raised.
    """
    redacted, found = redact_bytes(path.read_bytes())
    if found:
        copy = path.with_name(f"{path.name}{REDACTED}")
        try:
            copy.write_bytes(redacted)
            copy.replace(path)
        finally:
            copy.unlink(missing_ok=True)


def attach(files: Iterable[Path], directory: Path) -> tuple[str, ...]:
    """Copy text files into a bundle, without their secrets; return their names there.

    Raises:
        BadInput: a file cannot be read, or not be called so in a bundle.
    """
    names: list[str] = []
    for file in files:
        check_names([file], [*names, FILE_NAME], "--attach")
        names.append(_copied(file, directory, "correct --attach").name)
    return tuple(sorted(names))


def keep_log(file: Path, directory: Path) -> Path:
    """Copy a log that something else has written into a step's directory, without its secrets.

    Raises:
        BadInput: it cannot be read.
    """
    return _copied(file, directory, "see where it was written, and correct --log")


def _copied(file: Path, directory: Path, do: str) -> Path:
    copy = directory / file.name
    try:
        shutil.copyfile(file, copy)
    except OSError as error:
        copy.unlink(missing_ok=True)
        found = f"cannot be copied ({error.strerror})"
        raise bad_input(path=str(file), found=found, expected="a file", do=do) from error
    redact_file(copy)
    return copy


def check_names(files: Iterable[Path], taken: Iterable[str], option: str) -> None:
    """Check that names of files are valid and free in a bundle.

    Raises:
        BadInput: one cannot.
    """
    names = set(taken)
    for file in files:
        found = unfit_name(file.name)
        if file.name in names:
            found = f"a second file called {file.name}"
        if found:
            expected, do = "a plain name of its own", f"give {option} a copy of another name"
            raise bad_input(path=str(file), found=found, expected=expected, do=do)
        names.add(file.name)


def earlier_run(directory: Path) -> Run | None:
    """Return the run that a directory holds already, `None` where it holds none.

    Where an earlier call was killed, it is the run without the step that was then measured.

    Raises:
        BadInput: it holds what makes no good bundle, or is not a directory.
    """
    if not directory.exists():
        return None
    if directory.is_dir() and not (directory / FILE_NAME).exists():
        _remove_unfinished_files(directory)
    if not directory.is_dir():
        expected, do = "a directory to write the bundle into", "correct --out"
        raise bad_input(path=str(directory), found="a file", expected=expected, do=do)
    names, problems = files_in(directory, str(directory))
    if problems:
        raise BadInput(*problems)
    if FILE_NAME not in names:
        if PARTIAL_NAME not in names:
            return None
        (directory / PARTIAL_NAME).rename(directory / FILE_NAME)
    bundle, problems = read_bundle(directory, str(directory))
    if bundle is None:
        raise BadInput(*problems)
    return bundle.run


def _remove_unfinished_files(directory: Path) -> None:
    """Remove copies that a call was writing when it was killed."""
    for pattern in (f".{FILE_NAME}.*", f"*{REDACTED}", f"*/*{REDACTED}"):
        for path in directory.glob(pattern):
            path.unlink()


def with_earlier_steps(run: Run, earlier: Run | None) -> Run:
    """Return one run with the steps of both.

    Raises:
        BadInput: they are runs of different things.
    """
    if earlier is None:
        return run
    for field in ("report", "release", "benchmark", "host", "config", "clients", "axes"):
        before, now = getattr(earlier, field), getattr(run, field)
        if before != now:
            raise bad_input(
                path=FILE_NAME,
                found=f"{field} is {_in_words(before)} in the bundle and {_in_words(now)} here",
                expected="one bundle a run",
                do="write into another directory: --out DIR",
            )
    return msgspec.structs.replace(
        run,
        started=earlier.started,
        attachments=tuple(sorted({*earlier.attachments, *run.attachments})),
        tools={**earlier.tools, **run.tools},
        steps=(*earlier.steps, *run.steps),
    )


def _in_words(value: object) -> str:
    """Return a value of run.toml; `None` and an empty table are not written there."""
    return shown_value(value) if value else "not given"


def without_step(step: str, run: Run) -> Run:
    """Return a run without an earlier, unfinished try of a step.

    A step of that name may have become one for each benchmark; their files are in its directory.

    Raises:
        BadInput: the run has that step already, and whole.
    """
    own = slug(step)
    same = [
        other
        for other in run.steps
        if own == slug(other.name) or any(log.startswith(f"{own}/") for log in other.logs)
    ]
    if any(other.ended is None for other in same):
        raise bad_input(
            path=FILE_NAME,
            found=f"the bundle has a step {step!r} already",
            expected="each step once in a run",
            do="write into another directory: --out DIR",
        )
    return msgspec.structs.replace(
        run, steps=tuple(other for other in run.steps if other not in same)
    )


@contextmanager
def unfinished(directory: Path) -> Iterator[None]:
    """Remove `run.toml` while the block adds to a bundle: a bundle that has it is complete.

    It is put back where the block fails without having written another.
    """
    path, partial = directory / FILE_NAME, directory / PARTIAL_NAME
    if path.exists():
        path.rename(partial)
    try:
        yield
    except BaseException:
        if partial.exists() and not path.exists():
            partial.rename(path)
        raise
    partial.unlink(missing_ok=True)


def write_bundle(run: Run, directory: Path) -> Path:
    """Write the `run.toml` of a bundle whose files are there; return its path."""
    path = directory / FILE_NAME
    write_run(run, path)
    return path


def place_bundle(directory: Path, results: Path) -> Path:
    """Move a bundle to where it belongs below the results directory; return its new place.

    Raises:
        BadInput: it is not a good bundle.
    """
    bundle, problems = read_bundle(directory, directory.name)
    if bundle is None:
        raise BadInput(*problems)
    place = results.joinpath(*place_of(bundle))
    place.parent.mkdir(parents=True, exist_ok=True)
    return directory.rename(place)
