"""The JSON Schema of the files that scripts of pages fetch.

`python -m perfpress.site.downloads.script_data` prints it; the types in `assets/js/data.d.ts` are
made of it.
"""

import sys
from typing import Any

import msgspec

from perfpress.base.node.messages.schema import schema_of_object, schema_text
from perfpress.site.downloads.search_index import SearchIndex
from perfpress.site.shapes.compare import CompareCells, CompareChoices
from perfpress.site.shapes.matrix import MatrixData
from perfpress.site.shapes.pages import RowsOfPages

FILES = {
    "compare": CompareChoices,
    "compareCells": CompareCells,
    "matrix": MatrixData,
    "search": SearchIndex,
    "tablePages": RowsOfPages,
}


def json_schema() -> dict[str, Any]:
    """Return the schema: an object with the shape of each file."""
    shapes, components = msgspec.json.schema_components(
        FILES.values(), ref_template="#/$defs/{name}"
    )
    files = dict(zip(FILES, shapes, strict=True))
    return schema_of_object(
        "ScriptData", "The files that scripts of pages fetch.", files, _without_null(components)
    )


def _without_null(components: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of what is written, which leaves out a property where it is null."""
    for each in components.values():
        for shape in each.get("properties", {}).values():
            if "default" in shape and shape["default"] is None:
                [known] = [one for one in shape.pop("anyOf") if one != {"type": "null"}]
                del shape["default"]
                shape.update(known)
    return components


if __name__ == "__main__":
    sys.stdout.write(schema_text(json_schema()))
