"""Prints the JSON Schema of all messages between Python and Node."""

import sys
from typing import Any

import msgspec

from perfpress.base.node.messages import charts, graphs, profiles
from perfpress.base.node.messages.message import Answer, Request

REQUESTS: tuple[type[Request[Any]], ...] = (
    profiles.FoldRequest,
    profiles.MergeRequest,
    profiles.FoldedRequest,
    profiles.RecogniseRequest,
    profiles.CapturesRequest,
    graphs.FlamegraphRequest,
    graphs.DiffRequest,
    graphs.DiffGraphRequest,
    charts.OverTimeRequest,
    charts.PercentilesRequest,
    charts.RelativeRequest,
    charts.ReleasesRequest,
    charts.TableCardRequest,
    charts.TimelineRequest,
)

FILES = {"Artifact": "Path of a file to read.", "Output": "Path of what is written."}
"""Types of files in Python; Node gets their paths."""


def json_schema() -> dict[str, Any]:
    """Return the schema: an object with the request and the answer of each job."""
    answers: list[type[Answer]] = [request.answer() for request in REQUESTS]
    references, components = msgspec.json.schema_components(
        (*REQUESTS, *answers),
        schema_hook=lambda _: {"type": "string"},
        ref_template="#/$defs/{name}",
    )
    paths = {name: {"type": "string", "description": text} for name, text in FILES.items()}
    for request in REQUESTS:
        # `Jobs` has it: handlers do not ask for it again.
        del components[request.__name__]["properties"]["job"]
        components[request.__name__]["required"].remove("job")
    messages = list(references)
    jobs = {
        request.job(): {
            "type": "object",
            "properties": {"request": asked, "answer": answer},
            "required": ["request", "answer"],
        }
        for request, asked, answer in zip(
            REQUESTS, messages[: len(REQUESTS)], messages[len(REQUESTS) :], strict=True
        )
    }
    return schema_of_object(
        "Jobs", "The jobs of the Node packages, by name.", jobs, components | paths
    )


def schema_of_object(
    title: str, description: str, properties: dict[str, Any], components: dict[str, Any]
) -> dict[str, Any]:
    """Return the schema, of draft 7, of an object that has all of its properties."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": title,
        "description": description,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "$defs": _with_tuples(components),
    }


def _with_tuples(schema: Any) -> Any:
    """Return a schema whose tuples are those of draft 7, which the generator of types reads."""
    if isinstance(schema, list):
        return [_with_tuples(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: _with_tuples(value) for key, value in schema.items()}
    return inner | {"items": inner.pop("prefixItems")} if "prefixItems" in inner else inner


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=1).decode() + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text(json_schema()))
