"""What crosses to Node has one schema, and the types that the JavaScript has are made of it."""

import jsonschema
from generated_types import ROOT, types_in, types_of
from perfpress.base.node.messages.schema import json_schema, schema_text

SCHEMA = ROOT / "pipeline/messages.schema.json"


def test_the_schema_is_the_exported_one() -> None:
    jsonschema.Draft7Validator.check_schema(json_schema())
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(json_schema()), "run: make schemas"


def test_the_types_are_made_of_the_schema() -> None:
    types = types_of(SCHEMA.read_text(encoding="utf-8"))
    assert types_in(ROOT / "pipeline/messages.d.ts") == types, "run: make schemas"
