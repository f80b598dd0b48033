"""The keys of `run.toml`: the contract with lab hosts.

One set of Structs reads it, writes it, checks it and is exported as JSON Schema for editors and for
the documentation (`python -m perfpress.input.bundles.schema`). Unknown keys are refused.

Two things have no key of their own. Redactions are recorded in place, by the marker
`[redacted …]` of `perfpress.base.secrets`. Checksums of files are not written down: the run's id
holds a hash over all of them.
"""

import sys
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from perfpress.base.limits import LARGEST

FILE_NAME = "run.toml"

Name = Annotated[str, Meta(min_length=1, max_length=200)]
"""A name that people give: a report, a host, a step."""

MOST = 10**18
"""More than anyone counts."""
Count = Annotated[int, Meta(ge=0, le=MOST)]
PositiveCount = Annotated[int, Meta(ge=1, le=MOST)]
Finite = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
Positive = Annotated[float, Meta(ge=1e-9, le=1_000_000_000)]
"""Seconds and frequencies: from a nanosecond to thirty years."""
Instant = Annotated[datetime, Meta(tz=True)]
MachineFact = str | int | float | bool


class Capture(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How the captures of a step were taken."""

    event: Annotated[
        Name | None, Meta(description="The event sampled, such as cycles; default: as captured.")
    ] = None
    frequency: Annotated[
        Positive | None, Meta(description="Samples a second that were asked for.")
    ] = None
    seconds: Annotated[
        Positive | None,
        Meta(
            description="How long each capture lasted; the step's captured seconds are this times "
            "the number of captures.",
        ),
    ] = None
    scope: Annotated[
        Literal["process", "host"] | None,
        Meta(
            description="What was sampled: the process under test, or everything on its host, the "
            "load generator included."
        ),
    ] = None
    separate_run: Annotated[
        bool,
        Meta(
            description="True where the run was made for its profile: its rate is no repeat for "
            "throughput, yet it has the operations that the profile's cost is divided by."
        ),
    ] = False
    lost: Annotated[
        Count | None,
        Meta(description="Samples that the profiler says it lost, over all captures."),
    ] = None
    labels: Annotated[
        tuple[Name, ...],
        Meta(description="Keys of pprof's labels whose values become frames below the thread."),
    ] = ()


class Ended(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why the benchmark of a step did not run to its end."""

    how: Annotated[
        Literal["cut", "failed"],
        Meta(description="cut: somebody stopped it; failed: it ended with an error."),
    ]
    reason: Annotated[
        str, Meta(max_length=1000, description="What happened, with the error it ended with.")
    ]


class Metric(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A number that no log holds."""

    value: Finite
    unit: Annotated[str, Meta(max_length=200)]
    better: Annotated[
        Literal["higher", "lower"] | None,
        Meta(
            description="Which direction is good; without it a change is neither better nor worse."
        ),
    ] = None
    file: Annotated[
        str | None,
        Meta(description="The table that holds it, where it was computed elsewhere."),
    ] = None
    line: Annotated[PositiveCount | None, Meta(description="The line of it in that file.")] = None
    column: Annotated[
        Name | None, Meta(description="What that file calls the run: its column, or its row.")
    ] = None


class Step(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One step of the run, or with `match` a pattern for many of them."""

    name: Annotated[
        Name,
        Meta(description="The step's name; with `match`, a template for it: {test} range={range}."),
    ]
    operation: Annotated[Name, Meta(description="What is counted, in the singular: insert.")]
    match: Annotated[
        Name | None,
        Meta(
            description="A file name with {placeholders}, such as "
            "sb.o.{test}.range{range}.pk1.dop{clients}: every file it fits is the log of one step. "
            "The placeholders can be used in name, operation, logs and captures."
        ),
    ] = None
    work: Annotated[
        Literal["timed", "fixed"],
        Meta(description="fixed: the same operations are done however long they take."),
    ] = "timed"
    operations: Annotated[
        PositiveCount | None, Meta(description="Operations done; not needed where a log has them.")
    ] = None
    seconds: Annotated[
        Positive | None, Meta(description="How long the step ran; not needed where a log has it.")
    ] = None
    command: Annotated[str | None, Meta(description="What was run, secrets redacted.")] = None
    ended: Annotated[
        Ended | None,
        Meta(
            description="Where the benchmark did not run to its end: nothing that it measured "
            "counts, and its profile is shown without costs."
        ),
    ] = None
    logs: Annotated[
        tuple[str, ...], Meta(description="Files of this step, or patterns with *.")
    ] = ()
    captures: Annotated[
        tuple[str, ...], Meta(description="Profiles of this step, or patterns with *.")
    ] = ()
    capture: Capture = Capture()
    formats: Annotated[
        dict[str, str],
        Meta(
            description="By file or pattern: its format, only where recognition is wrong; or a "
            "TOML file of the bundle that describes it."
        ),
    ] = {}
    metrics: dict[Name, Metric] = {}


class Run(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """One execution of a benchmark for one release and variant."""

    schema: Annotated[Literal[1], Meta(description="The version of these keys.")]
    report: Name
    release: Name
    benchmark: Name
    host: Name
    config: Name | None = None
    clients: PositiveCount | None = None
    started: Annotated[
        Instant | None,
        Meta(description="When the run began, with its offset from UTC."),
    ] = None
    replaces: Annotated[
        Name | None,
        Meta(
            description="The id of an earlier run of the same release and variant that this one "
            "replaces, where it is not a repeat."
        ),
    ] = None
    attachments: Annotated[
        tuple[str, ...],
        Meta(description="Files that are shown, and compared with the base release's."),
    ] = ()
    axes: Annotated[
        dict[Name, Name],
        Meta(description="What else is held equal when releases are compared: size, build."),
    ] = {}
    machine: Annotated[
        dict[Name, MachineFact],
        Meta(description="cpus, memory, storage, kernel, virtual = true …"),
    ] = {}
    tools: Annotated[
        dict[Name, str], Meta(description="Version, or text, by name: perf, sysbench, compiler.")
    ] = {}
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)] = msgspec.field(name="step")


def is_description(format_name: str) -> bool:
    """Return whether a step names a file that describes a format, and no format."""
    return format_name.endswith(".toml")


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of `run.toml`."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": draft, "title": FILE_NAME} | msgspec.json.schema(Run)


def json_schema_text() -> str:
    """Return the JSON Schema of `run.toml` as it is published."""
    return msgspec.json.format(msgspec.json.encode(json_schema()), indent=2).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(json_schema_text())
