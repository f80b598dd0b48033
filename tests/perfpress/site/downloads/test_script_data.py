"""The files that scripts of pages fetch: their types in JavaScript are made of their shapes."""

import jsonschema
from generated_types import ROOT, types_in, types_of
from perfpress.base.node.messages.schema import schema_text
from perfpress.site.downloads.script_data import json_schema


def test_the_types_are_made_of_the_shapes() -> None:
    schema = json_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    assert types_in(ROOT / "assets/js/data.d.ts") == types_of(schema_text(schema)), (
        "run: make schemas"
    )
