"""The files of a bundle, in few bytes."""

import tracemalloc
from collections.abc import Callable
from hashlib import sha256

from perfpress.input.bundles.content_hash import FileFact
from perfpress.input.bundles.packed_files import PackedFiles


def files_of(run: int) -> tuple[FileFact, ...]:
    return tuple(
        FileFact(f"step {step}.txt", 1000 * run + step, sha256(b"%d %d" % (run, step)).hexdigest())
        for step in range(20)
    )


def test_packed_files_are_the_same() -> None:
    files = files_of(7)
    packed = PackedFiles(files)
    assert packed == files
    assert packed == PackedFiles(files)
    assert packed != PackedFiles(files[1:])
    assert hash(packed) == hash(files)
    assert packed[-1] == files[-1]
    assert packed[3:5] == files[3:5]
    assert len(packed) == 20
    assert not PackedFiles(())


def test_bundles_share_the_names_of_their_files() -> None:
    def memory_of(make: Callable[[int], object]) -> int:
        tracemalloc.start()
        made = [make(run) for run in range(100)]
        size, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert made
        return size

    assert memory_of(lambda run: PackedFiles(files_of(run))) < memory_of(files_of) / 3
