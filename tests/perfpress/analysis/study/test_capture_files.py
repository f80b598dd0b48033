"""The captures of a step, with their checksums."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bundle_samples import FILES, folded, good_bundle
from perfpress.analysis.study.study import captures_of
from perfpress.input.bundles.content_hash import FileFact

COMMON = {"operation": "transaction", "logs": ["select.txt"]}
STEPS = [
    {"name": "select", "captures": ["cpu.folded.gz"], **COMMON},
    {"name": "update", **COMMON},
]


class Counted(tuple[FileFact, ...]):
    """Files that know how often they were asked for."""

    asked = 0

    def __iter__(self) -> Iterator[FileFact]:
        self.asked += 1
        return super().__iter__()


def test_only_a_step_with_captures_asks_for_the_files_of_its_bundle(tmp_path: Path) -> None:
    bundle = good_bundle(tmp_path, {"step": STEPS}, FILES | {"cpu.folded.gz": folded()})
    files = Counted(bundle.files)
    bundle = replace(bundle, files=files)
    of_step = {step.name: captures_of(bundle, step) for step in bundle.steps}
    ((capture,),) = (found for found in of_step.values() if found)
    assert (capture.cell.step, capture.path.name) == ("select", "cpu.folded.gz")
    assert files.asked == 1
