"""The page of one release: all its steps and variants, environment and provenance."""

from collections.abc import Iterator

from perfpress.analysis.study.profiles import CellKey
from perfpress.analysis.study.study import Study
from perfpress.base.display import plural
from perfpress.site.addresses import release_address, report_address
from perfpress.site.downloads.metrics_files import publish_metrics
from perfpress.site.downloads.run_archives import publish_archives
from perfpress.site.downloads.verdict_records import publish_verdicts
from perfpress.site.figures.waterfall import release_waterfalls
from perfpress.site.report_figures import Figures
from perfpress.site.report_parts import ReportParts
from perfpress.site.shapes.blocks import Fact, Link, Phrase, Table
from perfpress.site.shapes.pages import Place, ReleasePage
from perfpress.site.tables.environment import environment_table
from perfpress.site.tables.quality import profiles_of_release
from perfpress.site.tables.release_suspects import release_suspects
from perfpress.site.tables.results import steps_table
from perfpress.site.tables.runs import bundles_table, commands_table, correction_notices
from perfpress.site.tables.stability import stability_notices
from perfpress.site.words.author_rates import release_cost_sentences
from perfpress.site.words.function_changes import (
    largest_share_changes,
    release_cost_change,
)
from perfpress.site.words.level_changes import release_level_sentences
from perfpress.site.words.measured import cells_have_rates, variant_has_rates
from perfpress.site.words.start_times import start_time_notices
from perfpress.site.words.unlike_repeats import unlike_repeats_notices
from perfpress.site.words.verdict_sentences import (
    plain,
    release_headline,
    release_sentences,
    variant_sentences,
    why_none_counts,
)


def release_page(parts: ReportParts, release: str) -> ReleasePage:
    """Return a release's page; publish its numbers and the archives of its runs."""
    figures, study, report = parts.figures, parts.study, parts.report
    place = _place(figures, release)
    downloads = (
        *publish_metrics(figures.rows_of(release), place.path, parts.directory),
        *publish_verdicts(figures, release, place.path, parts.directory),
    )
    archives = publish_archives(study, release, parts.directory)
    own = study.runs_of(release)
    variants = [
        variant
        for variant in report.variants
        if any(run.bundle.variant.slug == variant for run in own)
    ]
    alone = [variant for variant in variants if not variant_has_rates(figures, variant)]
    largest = [
        sentence
        for variant in alone
        if (
            sentence := largest_share_changes(
                figures, release, variant, parts.findings, named=False
            )
        )
    ]
    verdicts = release_sentences(figures, release)
    where = (
        ()
        if why_none_counts(study, release)
        else release_cost_change(figures, release, report.default_variant, parts.findings)
    )
    base = () if verdicts or largest else (release_headline(figures, release, variants[0]),)
    return ReleasePage(
        place=place,
        opening=(
            *base,
            *largest,
            # Of profiles alone they would say no more than the largest changes do.
            *(verdicts[:1] if not largest or len(alone) < len(variants) else ()),
            *where,
            *(verdicts[1:] if not largest or len(alone) < len(variants) else ()),
            *(
                (Phrase(text=each),)
                for each in release_level_sentences(figures, release, parts.common_functions)
            ),
            *(
                (Phrase(text=each),)
                for each in release_cost_sentences(figures, release, parts.findings)
            ),
        ),
        facts=_facts(study, release, len(own)),
        steps=tuple(
            table for variant in variants for table in _steps(parts, release, variant) if table
        ),
        waterfalls=release_waterfalls(figures, release, parts.findings),
        suspects=release_suspects(figures, release, parts.findings),
        environment=environment_table(study, release, study.base_of(variants[0]), variants[0]),
        runs=bundles_table(study, release, archives),
        commands=commands_table(study, release),
        profiles=profiles_of_release(figures, release),
        corrections=correction_notices(own),
        notices=(
            *unlike_repeats_notices(
                figures,
                study.cells_of_release(release),
            ),
            *start_time_notices(study.of_cell(cell) for cell in study.cells_of_release(release)),
            *stability_notices(figures, release),
        ),
        downloads=downloads,
    )


def _steps(parts: ReportParts, release: str, variant: str) -> Iterator[Table | None]:
    """Yield the steps of a release: those with rates, and the top functions of the others."""
    study = parts.study
    cells = [CellKey(release, variant, step) for step in study.steps_with(release, variant)]
    rated = [cell for cell in cells if (variant, cell.step) not in parts.top_functions]
    if why_none_counts(study, release):
        return
    if cells_have_rates(parts.figures, rated):
        yield steps_table(parts.figures, rated)
    releases = {release, *study.compared_with(release, variant)}
    yield parts.functions_table(variant, [cell.step for cell in cells], releases)


def _facts(study: Study, release_id: str, runs: int) -> tuple[Fact, ...]:
    release = study.report.release(release_id)
    facts = [Fact(label="Measured", value=plural(runs, "run"))]
    if release.version and release.version not in study.label(release_id):
        facts.append(Fact(label="Version", value=release.version))
    if release.date:
        facts.append(Fact(label="Date", value=release.date.isoformat()))
    if release.branch:
        facts.append(Fact(label="Branch", value=release.branch))
    return tuple(facts)


def _place(figures: Figures, release: str) -> Place:
    study = figures.study
    report = study.report
    label = study.label(release)
    measured = study.measured
    at = measured.index(release)

    def neighbour(index: int) -> Link | None:
        if not 0 <= index < len(measured):
            return None
        url = release_address(report, measured[index])
        return Link(label=study.label(measured[index]), url=url)

    return Place(
        path=release_address(report, release),
        title=f"{label}, {report.title}",
        heading=label,
        description=_description(figures, release),
        breadcrumbs=(
            Link(label="Reports", url="/reports/"),
            Link(label=report.title, url=report_address(report)),
        ),
        previous=neighbour(at - 1),
        next=neighbour(at + 1),
    )


def _description(figures: Figures, release: str) -> str:
    """Return the verdicts on the default variant; without any, a general description."""
    study = figures.study
    if withdrawn := why_none_counts(study, release):
        return withdrawn
    verdicts = plain(variant_sentences(figures, release, study.report.default_variant, named=False))
    label = study.label(release)
    return f"{label}: {verdicts}" if verdicts else f"All measurements of {label}."
