"""`perfpress build`: results and texts in, the published site out."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from perfpress.base.checkout import ROOT
from perfpress.base.console import print_grouped, print_problems
from perfpress.base.problems import bad_input
from perfpress.cli.arguments import add_inputs, address, given_path, positive

if TYPE_CHECKING:
    from perfpress.build.request import BuildRequest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_inputs(parser, "the texts that people write")
    parser.add_argument(
        "--out",
        type=given_path,
        default=ROOT / "public",
        metavar="DIR",
        help="where the site goes; replaced as a whole when the build is good (default: public)",
    )
    parser.add_argument(
        "--base-url",
        type=address,
        default=os.environ.get("PERFPRESS_BASE_URL") or None,
        metavar="URL",
        help="address of the site, path included; `file:` for one to be read from disk "
        "(default: $PERFPRESS_BASE_URL, or hugo.toml)",
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes to use (default: one a CPU)",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="scheduler of a Dask cluster that folds, merges and draws: tcp://host:8786; takes a "
        "--cache that its workers reach, too (default: processes of this machine)",
    )
    parser.add_argument("--drafts", action="store_true", help="publish drafts too")


def request_of(arguments: argparse.Namespace) -> "BuildRequest":
    """Return what the arguments ask for, with absolute paths."""
    from perfpress.build.hugo import configured_base_url
    from perfpress.build.request import BuildRequest

    if arguments.dask and not arguments.cache:
        raise bad_input(
            path="--dask",
            found="no --cache",
            expected="the address at which workers find what they read, and leave what they make",
            do="name a cache that all machines reach: --cache s3://bucket/path",
        )
    return BuildRequest(
        results=arguments.results.resolve(),
        content=arguments.content.resolve(),
        out=arguments.out.resolve(),
        base_url=arguments.base_url or configured_base_url(),
        processes=arguments.jobs,
        drafts=arguments.drafts,
        shared_cache=arguments.cache,
        dask=arguments.dask,
    )


def run(arguments: argparse.Namespace) -> int:
    """Build; print where the site is and what could not be read.

    The exit status is 0 whenever a site came out: one input, or what a defect of ours makes of it,
    never keeps the others from being published. A defect is repeated in the last line, as nobody
    looks for it in a list of bad input.
    """
    from perfpress.base.display import plural
    from perfpress.build.progress import Progress
    from perfpress.build.sizes import size_lines
    from perfpress.build.stages import build

    progress = Progress()
    request = request_of(arguments)
    try:
        built = build(request, progress.show)
    finally:
        progress.end()
    print_problems(problem for problem in built.problems if problem.severity == "error")
    warnings = (problem for problem in built.problems if problem.severity == "warning")
    print_grouped(warnings, "the page Problems of the site lists all")
    print(f"{request.out}: {built.summary}")
    print(*size_lines(built.sizes), sep="\n")
    if built.defects:
        defects = plural(built.defects, "defect")
        lacking = "the site lacks what they stopped; report them, with the files"
        print(f"{defects} of Perfpress: {lacking}", file=sys.stderr)
    return 0
