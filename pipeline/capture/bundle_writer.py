"""Writes what capture measured as a bundle, without the secrets that it met."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from pipeline.bundle.discover import place_of
from pipeline.bundle.read import files_in, read_bundle
from pipeline.bundle.safety import unfit_name
from pipeline.bundle.schema import FILE_NAME, Run
from pipeline.bundle.secrets import redact
from pipeline.bundle.write import write_run
from pipeline.problems import BadInput, Problem
from pipeline.slug import slug
from pipeline.toml.read import shown_value

PARTIAL_NAME = f"{FILE_NAME}.partial"
"""What `run.toml` is called while a step of it is not whole: nothing reads it by mistake."""


def redact_file(path: Path) -> None:
    """Take secrets out of a text file; benchmarks print their command lines, settings hold keys."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    path.write_bytes(redact(text)[0].encode("utf-8", "surrogateescape"))


def attach(files: Iterable[Path], directory: Path) -> tuple[str, ...]:
    """Copy text files into a bundle, without their secrets; return their names there.

    Raises:
        BadInput: a file cannot be read, or not be called so in a bundle.
    """
    names: list[str] = []
    for file in files:
        _check_attachment(file, names)
        copy = directory / file.name
        try:
            shutil.copyfile(file, copy)
        except OSError as error:
            raise BadInput(
                Problem(
                    path=str(file),
                    found=f"cannot be read ({error.strerror})",
                    expected="a file to attach",
                    do="correct --attach",
                )
            ) from error
        redact_file(copy)
        names.append(copy.name)
    return tuple(sorted(names))


def _check_attachment(file: Path, taken: Sequence[str]) -> None:
    found = unfit_name(file.name)
    if file.name in (*taken, FILE_NAME):
        found = f"a second file called {file.name}"
    if found:
        expected, do = "a plain name of its own", "attach a copy of another name"
        raise BadInput(Problem(path=str(file), found=found, expected=expected, do=do))


def earlier_run(directory: Path) -> Run | None:
    """Return the run that a directory holds already, `None` where it holds none.

    Raises:
        BadInput: it holds what makes no good bundle, or is no directory.
    """
    if not directory.exists():
        return None
    if not directory.is_dir():
        expected, do = "a directory to write the bundle into", "correct --out"
        raise BadInput(Problem(path=str(directory), found="a file", expected=expected, do=do))
    names, problems = files_in(directory, str(directory))
    if problems:
        raise BadInput(*problems)
    if FILE_NAME not in names:
        return None
    bundle, problems = read_bundle(directory, str(directory))
    if bundle is None:
        raise BadInput(*problems)
    return bundle.run


def joined(run: Run, earlier: Run | None) -> Run:
    """Return one run with the steps of both.

    Raises:
        BadInput: they are runs of different things.
    """
    if earlier is None:
        return run
    for field in ("report", "release", "benchmark", "host", "config", "clients", "axes"):
        before, now = getattr(earlier, field), getattr(run, field)
        if before != now:
            raise BadInput(
                Problem(
                    path=FILE_NAME,
                    found=f"{field} is {_in_words(before)} in the bundle and {_in_words(now)} here",
                    expected="one bundle a run",
                    do="write into another directory: --out DIR",
                )
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


def check_new(step: str, run: Run) -> None:
    """Check that a run has no step of that name yet.

    Raises:
        BadInput: it has.
    """
    if any(slug(step) == slug(other.name) for other in run.steps):
        raise BadInput(
            Problem(
                path=FILE_NAME,
                found=f"the bundle has a step {step!r} already",
                expected="each step once in a run",
                do="write into another directory: --out DIR",
            )
        )


def write_bundle(run: Run, directory: Path, complete: bool = True) -> Path:
    """Write the `run.toml` of a bundle whose files are there; return its path.

    Where the run is not complete the file is called `PARTIAL_NAME`.
    """
    path = directory / (FILE_NAME if complete else PARTIAL_NAME)
    write_run(run, path)
    if complete:
        (directory / PARTIAL_NAME).unlink(missing_ok=True)
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
