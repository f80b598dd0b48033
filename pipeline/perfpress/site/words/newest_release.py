"""What the newest release of a variant shows: the sentence of reports, hosts and the home page."""

from collections.abc import Mapping

from perfpress.base.node.messages.findings import Findings
from perfpress.site.report_figures import DiffKey, Figures
from perfpress.site.shapes.blocks import Phrase, Sentence
from perfpress.site.words.author_rates import release_cost_sentences
from perfpress.site.words.decay import decay_sentences
from perfpress.site.words.function_changes import largest_share_changes, release_cost_change
from perfpress.site.words.measured import variant_has_rates
from perfpress.site.words.verdict_sentences import headline, newest_release


def newest_release_sentences(
    figures: Figures,
    variant: str,
    findings: Mapping[DiffKey, Findings],
    *,
    names_steps: bool = True,
) -> tuple[Sentence, ...]:
    """Return what the newest release of a variant changed against the base, the answer first.

    A throughput that collapses within the runs comes first, because their means describe no moment
    of them. Last, where the time went. Without rates these are costs by the author's rates, and the
    largest changes in share.
    """
    newest = newest_release(figures, variant)
    if newest is not None and not variant_has_rates(figures, variant):
        costs = release_cost_sentences(figures, newest, findings)
        largest = largest_share_changes(figures, newest, variant, findings)
        found = (
            *((Phrase(text=each),) for each in costs),
            *((largest,) if largest else ()),
        )
        if found:
            return found
    line = headline(figures, variant, names_steps=names_steps)
    if newest is None:
        return (line,) if line else ()
    return (
        *decay_sentences(figures, newest, variant),
        *((line,) if line else ()),
        *release_cost_change(figures, newest, variant, findings),
    )
