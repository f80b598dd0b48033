"""Makes the bundles of a recipe: one run after the other, whatever fails."""

import argparse
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem
from perfpress.build.progress import Progress
from perfpress.host.capture import bundle_writer, interruption
from perfpress.host.capture.step import MeasuredStep, StepRequest, measure
from perfpress.input.bundles import schema
from perfpress.input.bundles.discover import ADDING


@dataclass(frozen=True)
class Turn:
    """One run of a recipe."""

    title: str
    """Shown while it runs."""
    measure: Callable[[Path], schema.Run]
    """Measures it into a directory."""


def make_bundles(turns: Iterable[Turn], out: Path) -> list[Problem]:
    """Make runs in their order, place their bundles below `out`, return what went wrong.

    A run that failed leaves no bundle, and the others go on.
    """
    out.mkdir(parents=True, exist_ok=True)
    progress = Progress()
    problems: list[Problem] = []
    for turn in turns:
        progress.show(turn.title)
        try:
            with tempfile.TemporaryDirectory(dir=out, prefix=ADDING) as temporary:
                directory = Path(temporary) / "run"
                directory.mkdir()
                bundle_writer.write_bundle(turn.measure(directory), directory)
                print(bundle_writer.place_bundle(directory, out), flush=True)
        except BadInput as failure:
            problems += failure.problems
    progress.end()
    return problems


def measure_step(request: StepRequest, directory: Path) -> MeasuredStep:
    """Measure a step.

    Raises:
        BadInput: it failed.
    """
    with interruption.noted() as asked_to_stop:
        measured = measure(request, directory, asked_to_stop)
    if asked_to_stop.signal is not None:
        raise KeyboardInterrupt
    if any(problem.severity == "error" for problem in measured.problems):
        raise BadInput(*measured.problems)
    print_problems(measured.problems)
    return measured


def check_commands(packages: Mapping[str, str]) -> None:
    """Check that all commands are there; `packages` has the Debian package of each.

    Raises:
        BadInput: some are not installed.
    """
    missing = [name for name in packages if shutil.which(name) is None]
    if missing:
        wanted = " ".join(sorted({packages[name] for name in missing}))
        raise BadInput(
            Problem(
                path=", ".join(missing),
                found="not installed",
                expected="the load generator and its tools",
                do=f"apt-get install {wanted}",
            )
        )


def argument_parser(name: str, page: str | None) -> argparse.ArgumentParser:
    """Return a parser of the arguments that all recipes have; `page` is the recipe's docstring."""
    parser = argparse.ArgumentParser(
        prog=f"python -m recipes.{name}",
        description=page,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="where the bundles go")
    work = Path(f"/var/tmp/perfpress-{name.replace('_', '-')}")
    about = "downloads, servers and data (default: %(default)s)"
    add("--work", type=Path, default=work, metavar="DIR", help=about)
    add("--host", default=socket.gethostname(), metavar="NAME", help="what to call this machine")
    return parser


def run_recipe(recipe: Callable[[], list[Problem]], out: Path) -> int:
    """Run a recipe; return 0, or 1 with what is wrong on stderr."""
    try:
        problems = recipe()
    except BadInput as failure:
        problems = list(failure.problems)
    except KeyboardInterrupt:
        print(f"\ninterrupted; the finished runs are in {out}", file=sys.stderr)
        return 1
    print_problems(problems)
    return 1 if any(problem.severity == "error" for problem in problems) else 0
