"""The command line of a recipe: its arguments, what it needs, how it ends."""

import argparse
import shutil
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from perfpress.base.console import print_problems
from perfpress.base.problems import BadInput, Problem


@dataclass(frozen=True)
class Options:
    """What a call of a recipe asks for."""

    out: Path
    work: Path
    host_name: str
    repeats: int
    seconds: int
    """Of each run or step."""


def run_with_options(
    package: ModuleType,
    recipe: Callable[[Options], list[Problem]],
    needed: Mapping[str, str],
    repeats: int,
    seconds: int,
) -> int:
    """Run a recipe with the options of its command line; return 0, or 1 with what is wrong.

    Args:
        package: the recipe's; its docstring is the help.
        recipe: makes the bundles.
        needed: the commands that it needs, with the Debian package of each.
        repeats: how many unless given.
        seconds: how long unless given.
    """
    parser = argument_parser(package.__name__.rpartition(".")[2], package.__doc__)
    add = parser.add_argument
    for name, metavar, default, about in (
        ("--repeats", "N", repeats, "runs of everything that is compared"),
        ("--seconds", "S", seconds, "of each run or step"),
    ):
        about = f"{about} (default: %(default)s)"
        add(name, type=int, default=default, metavar=metavar, help=about)
    given = parser.parse_args()
    options = Options(given.out, given.work.resolve(), given.host, given.repeats, given.seconds)

    def checked() -> list[Problem]:
        check_commands(needed)
        return recipe(options)

    return run_recipe(checked, given.out)


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
