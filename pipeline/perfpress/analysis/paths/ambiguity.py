"""Warns if a name in a path matches several different functions."""

from collections.abc import Iterator

from perfpress.analysis.paths.evaluate import Evaluation
from perfpress.analysis.paths.names import means_function, without_templates
from perfpress.analysis.paths.parse import Chain, Name, Path, Self, ShareOfPath, Step, Widest
from perfpress.base.display import short_name

MOST_SHOWN = 4


def warnings_of(path: Path, found: Evaluation) -> Iterator[str]:
    """Yield reasons to look twice at what a path weighs.

    `Seek` is a function of ten classes, and `compare` may be the kernel's as well as the program's.
    What is written with `*`, in quotes or with `|` between is meant so.
    """
    if found.mixed_classes:
        yield f"matches frames of {', '.join(found.mixed_classes)}"
    for each in _last_step(path).alternatives:
        if isinstance(each, Name) and not each.literal and "*" not in each.text:
            keys = {
                without_templates(match.key)
                for match in found.names
                if match.frame_class != "thread" and means_function(each.text, match.key, match.key)
            }
            owners = {key.rpartition("::")[0] for key in keys}
            if len(owners) > 1:
                shown = ", ".join(map(short_name, sorted(keys)[:MOST_SHOWN]))
                more = f" and {len(keys) - MOST_SHOWN} more" if len(keys) > MOST_SHOWN else ""
                yield f"{short_name(each.text)} is {len(keys)} functions: {shown}{more}"


def _last_step(path: Path) -> Step:
    match path:
        case ShareOfPath(part=part):
            return _last_step(part)
        case Self(path=inner):
            return _last_step(inner)
        case Widest(chain=chain):
            return _last_step(chain)
        case Chain(steps=steps):
            return steps[-1]
