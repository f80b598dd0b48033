"""Changes of level in words: for the sentences of a step's page, and for its charts."""

from pipeline.analysis.level_changes import LevelChange
from pipeline.display import decimals_for, fixed, percent_change, plural, plural_of
from pipeline.site_data.figures import Figures


def level_sentences(figures: Figures, variant: str, step: str) -> tuple[str, ...]:
    """Return what a series of ten releases or more says of a step; none of a shorter one."""
    levels = figures.levels.get((variant, step))
    if levels is None:
        return ()
    study = figures.study
    if not levels.changes:
        return (f"Its level is the same in all {len(levels.releases)} releases of the series.",)
    unit = f"{plural_of(study.operation(step))} per second"
    return tuple(_sentence(study.label(each.release), each, unit) for each in levels.changes)


def mark(change: LevelChange) -> str:
    """Return what a chart says beside the release: `level −7.2 % from here on`."""
    return f"level {percent_change(change.ratio)} from here on"


def _sentence(label: str, change: LevelChange, unit: str) -> str:
    direction = "falls" if change.ratio < 1 else "rises"
    decimals = decimals_for([change.before, change.after])
    return (
        f"Along the series the level {direction} with {label}: from "
        f"{fixed(change.before, decimals)} to {fixed(change.after, decimals)} {unit} "
        f"({percent_change(change.ratio)}; means of "
        f"{plural(change.releases_before, 'release')} before and "
        f"{change.releases_after} from there on, p {_p(change.p)})."
    )


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"
