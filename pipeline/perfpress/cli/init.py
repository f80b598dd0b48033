"""`perfpress init`: draft a run.toml from what a directory holds."""

import argparse
import socket
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.base.problems import BadInput, Problem, bad_input
from perfpress.cli.arguments import given_path, name, name_of
from perfpress.host.drafting.ci import drafted, write_workflows
from perfpress.host.drafting.draft import draft
from perfpress.input.bundles.read import files_in
from perfpress.input.bundles.schema import FILE_NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "directory",
        type=given_path,
        metavar="DIR",
        help="what a run left behind: logs and captures",
    )
    parser.add_argument(
        "--report",
        type=name_of("report"),
        metavar="NAME",
        help="the study (default: empty, to fill in)",
    )
    parser.add_argument(
        "--release",
        type=name_of("release"),
        metavar="NAME",
        help="the build under test (default: empty, to fill in)",
    )
    parser.add_argument(
        "--benchmark",
        type=name,
        metavar="NAME",
        help="the program that measured (default: from the logs)",
    )
    parser.add_argument(
        "--host",
        type=name_of("host"),
        default=socket.gethostname(),
        metavar="NAME",
        help="as it is to be published (default: this machine's own name)",
    )
    parser.add_argument(
        "--ci",
        metavar="COMMAND",
        help="instead: write workflows for GitHub into the project DIR, which measure each pull "
        "request by the benchmark COMMAND and comment on it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the draft; never over a file that is there."""
    directory: Path = arguments.directory
    if arguments.ci is not None:
        return _write_workflows(directory, arguments.ci)
    names, problems = files_in(directory, str(directory))
    if problems:
        raise BadInput(*problems)
    facts = {
        key: getattr(arguments, key) or "" for key in ("report", "release", "benchmark", "host")
    }
    drafted = draft(directory, names, facts)
    path = directory / FILE_NAME
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(drafted.text)
    except FileExistsError:
        found, do = "there already", "edit it, or remove it to have a new draft"
        raise bad_input(path=str(path), found=found, do=do) from None
    print_problems(drafted.problems)
    if not drafted.steps:
        found = "no step, for no log or capture was recognised"
        do = "add [[step]] with its name, operation and logs"
        print_problems([Problem(path=str(path), found=found, do=do, severity="warning")])
    print_problems(
        Problem(
            path=str(directory / name),
            found="in the draft of no step",
            do="name it under logs, captures, or attachments (which are published); or remove it",
            severity="warning",
        )
        for name in drafted.left_out
    )
    print_lines([str(path)])
    return 0


def _write_workflows(project: Path, command: str) -> int:
    draft = drafted(project, command)
    written, are_actions_known = write_workflows(project, draft)
    of_comment, of_benchmark = map(str, written)
    if not are_actions_known:
        found = "OWNER/perfpress, as this Perfpress is no clone of a repository on GitHub"
        do = "put your copy of Perfpress on GitHub, and its owner and a commit into both files"
        print_problems([Problem(path=of_comment, found=found, do=do, severity="warning")])
    lines = [f"{key}: {text}" for key, text in draft._asdict().items() if text]
    problem = Problem(
        path=of_benchmark,
        found="a draft" if draft.build else "a draft without a build",
        do="correct it, and commit both files to the default branch, from which GitHub runs them",
        severity="note",
        excerpt="\n".join(lines),
    )
    print_problems([problem])
    print_lines([of_comment, of_benchmark])
    return 0
