"""The verbs of the command line, in the order in which `perfpress --help` lists them."""

from typing import NamedTuple


class Verb(NamedTuple):
    """One verb."""

    help: str
    module: str = ""
    """Below `perfpress.cli`, imported when the verb is called; empty for verbs of Node packages."""


VERBS = {
    "check": Verb("validate bundles and print what they say", "check"),
    "init": Verb("draft a run.toml from the logs and captures in a directory", "init"),
    "import": Verb("make bundles of archives of results, through a map to correct", "import_"),
    "add": Verb("check bundles and copy them into data/results", "add"),
    "amend": Verb("write a correction: invalid, supersede, set, rename or accept", "amend"),
    "compare": Verb("say what differs between two captures, logs or directories", "compare"),
    "bisect": Verb("find the commit that made a benchmark slower or faster", "bisect"),
    "fold": Verb("turn captures of any format into folded stacks or a profile, merged"),
    "diff": Verb("show what changed from one profile to another"),
    "flamegraph": Verb("draw a flame graph of captures, merged"),
    "table": Verb("show what share of each profile some paths have, one row a file", "table"),
    "build": Verb("build the site from the results and the texts", "build"),
    "serve": Verb(
        "build the site, serve it on this machine, and build again on every change", "serve"
    ),
    "verdict": Verb("say whether a release is slower, for people and for CI", "verdict"),
    "capture": Verb("run a benchmark, record what it did, write a bundle", "capture"),
    "archive": Verb("move old bundles to an object store, verify them, bring them back", "archive"),
    "push": Verb("send bundles to the site's repository, or to an object store", "push"),
    "accept": Verb("check what hosts have pushed and take it into the main branch", "accept"),
}


def overview() -> str:
    """Return what `perfpress --help` prints."""
    return "\n".join(
        (
            "usage: perfpress VERB …",
            "",
            "Publishes benchmark regression reports. Each verb explains itself: perfpress VERB -h",
            "",
            *(f"  {name:<12}{verb.help}" for name, verb in VERBS.items()),
            "",
            "Exit status: 0 good, 1 bad input, 2 bad usage, 3 a verdict that was asked to fail.",
        )
    )
