"""The exported JSON Schema is the one that is published."""

import os
from pathlib import Path

import jsonschema
import pytest
from perfpress.input.bundles.schema import json_schema, json_schema_text

PUBLISHED = Path(__file__).parents[4] / "static/schema/run.schema.json"


def test_the_published_schema_is_the_exported_one() -> None:
    if os.environ.get("PERFPRESS_BLESS"):
        PUBLISHED.write_text(json_schema_text(), encoding="utf-8")
    assert PUBLISHED.read_text(encoding="utf-8") == json_schema_text(), (
        "the schema changed: run the tests with PERFPRESS_BLESS=1 and commit the file"
    )


def test_the_schema_is_a_schema_and_refuses_unknown_keys() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    run = {
        "schema": 1,
        "report": "postgres-releases",
        "release": "18",
        "benchmark": "pgbench",
        "host": "socket2",
        "step": [{"name": "select", "operation": "transaction"}],
    }
    jsonschema.validate(run, schema)
    with pytest.raises(jsonschema.ValidationError, match="hots"):
        jsonschema.validate(run | {"hots": "socket2"}, schema)
