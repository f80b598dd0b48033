"""`perfpress push`: send bundles from a lab host to the site's repository or to an object store."""

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from perfpress.base.console import print_lines, print_problems
from perfpress.cli.arguments import add_bundles, given_bundles, refused
from perfpress.cli.arguments import address as site_address
from perfpress.cli.remotes import Remote, remote, resolved
from perfpress.host.pushing.deliver import Delivery, deliver
from perfpress.host.pushing.dispatch import dispatch
from perfpress.host.pushing.store import upload
from perfpress.input.bundles.adding import addresses
from perfpress.input.bundles.checking import checked
from perfpress.input.bundles.read import Bundle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.epilog = (
        "The bundles are checked as `perfpress check` does; where one is refused nothing is sent. "
        "A repository gets one commit on the branch `results/<host>`, which the site's workflow "
        "checks and takes over. A bundle that is there already is not sent again."
    )
    add_bundles(parser)
    parser.add_argument(
        "--to",
        type=remote,
        default=os.environ.get("PERFPRESS_PUSH_TO") or "origin",
        metavar="REMOTE",
        help="a git repository (address, path, or name of a remote of this checkout), or an object "
        "store: s3://bucket/path, file:///path (default: $PERFPRESS_PUSH_TO, or origin)",
    )
    parser.add_argument(
        "--dispatch",
        type=repository_name,
        default=os.environ.get("PERFPRESS_DISPATCH") or None,
        metavar="OWNER/NAME",
        help="repository on GitHub whose workflow starts for new bundles in an object store; the "
        "token is read from $PERFPRESS_DISPATCH_TOKEN (default: $PERFPRESS_DISPATCH, or none: the "
        "workflow looks on its schedule)",
    )
    parser.add_argument(
        "--base-url",
        type=site_address,
        default=os.environ.get("PERFPRESS_BASE_URL") or None,
        metavar="URL",
        help="address of the site, to print addresses in full (default: $PERFPRESS_BASE_URL)",
    )


def repository_name(text: str) -> str:
    """Return the name of a repository on GitHub."""
    owner, _, name = text.partition("/")
    plain = all(part and part.isascii() and _is_plain(part) for part in (owner, name))
    if not plain:
        raise refused(text, "OWNER/NAME")
    return text


def _is_plain(part: str) -> bool:
    return part.replace("-", "").replace("_", "").replace(".", "").isalnum()


def run(arguments: argparse.Namespace) -> int:
    """Send the bundles; the exit status is 1 where one is refused, or nothing could be sent."""
    bundles = _all_good(given_bundles(arguments))
    if bundles is None:
        return 1
    to: Remote = arguments.to
    address = resolved(to)
    delivered = upload(bundles, address) if to.is_store else deliver(bundles, address)
    print_lines(_lines(delivered, arguments.base_url))
    if to.is_store and any(each.is_new for each in delivered):
        print_problems(dispatch(arguments.dispatch))
    return 0


def _all_good(directories: Sequence[Path]) -> list[Bundle] | None:
    """Return all bundles, or `None` where one is refused; report what is wrong."""
    good = []
    for directory in directories:
        bundle, problems = checked(directory)
        print_problems(problems)
        if bundle is not None:
            good.append(bundle)
    return good if len(good) == len(directories) else None


def _lines(delivered: Sequence[Delivery], base_url: str | None) -> Iterator[str]:
    for each in delivered:
        state = "pushed to" if each.is_new else "there already, nothing to push to"
        yield f"{each.bundle.shown_as}: {each.bundle.run_id}: {state} {each.where}"
        for line in addresses(each.bundle):
            yield f"  {(base_url or '').rstrip('/')}{line.strip()}"
