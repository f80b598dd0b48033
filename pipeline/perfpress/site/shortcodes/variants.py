"""Makes what a text shows of another variant than the default say so."""

from typing import TypeVar

import msgspec

from perfpress.input.report.report import Report
from perfpress.site.shapes.blocks import CallTree, Cell, Chart, Drilldown, Graph, Table
from perfpress.site.shapes.pages import ShortcodeContent

replace = msgspec.structs.replace
Block = TypeVar("Block", Table, Chart, Graph)


def in_variant(
    report: Report, variant: str, item: ShortcodeContent | str
) -> ShortcodeContent | str:
    """Return what a text shows of a variant, or why nothing, with the variant's name.

    Those of the default variant stay as they are. Others get ids of their own, as one text may show
    the same of several variants.
    """
    if variant == report.default_variant:
        return item
    name = report.variants[variant]
    match item:
        case str():
            return f"{item}; {name}"
        case Cell():
            return replace(item, note=f"{name}: {item.note}" if item.note else name)
        case Table():
            return _captioned(item, variant, name)
        case Chart():
            table = _captioned(item.table, variant, name) if item.table else None
            return replace(_captioned(item, variant, name), table=table)
        case Graph():
            return _captioned(item, variant, name)
        case Drilldown():
            return replace(
                item,
                id=_id(item.id, variant),
                title=f"{item.title}; {name}",
                along_path=_captioned(item.along_path, variant, name),
                whole_id=_id(item.whole_id, variant),
                whole_profile=_captioned(item.whole_profile, variant, name)
                if item.whole_profile
                else None,
            )
        case CallTree():
            return replace(
                item,
                id=_id(item.id, variant),
                title=f"{item.title}; {name}",
                table=_captioned(item.table, variant, name),
            )


def _captioned(block: Block, variant: str, name: str) -> Block:
    """Return a block with the variant in its caption; those of a whole variant have it."""
    if block.id.endswith(f"-{variant}"):
        return block
    return replace(block, id=_id(block.id, variant), caption=f"{block.caption}; {name}")


def _id(own: str, variant: str) -> str:
    return f"{own}-{variant}"
