"""The page of one release: all its steps and variants, environment and provenance."""

from collections.abc import Mapping

from pipeline.display import plural
from pipeline.site_data.addresses import release_address, report_address
from pipeline.site_data.course_table import course_notices
from pipeline.site_data.environment_table import environment_table
from pipeline.site_data.figures import Figures
from pipeline.site_data.page_shapes import Place, ReleasePage
from pipeline.site_data.quality_table import profiles_of_release
from pipeline.site_data.release_suspects import Told, release_suspects
from pipeline.site_data.results_tables import steps_table
from pipeline.site_data.run_archives import Archive
from pipeline.site_data.runs_table import bundles_table, commands_table, correction_notices
from pipeline.site_data.shapes import Fact, Link
from pipeline.site_data.verdict_sentences import plain, release_sentences, variant_sentences
from pipeline.study.study import Study


def release_page(
    figures: Figures,
    release: str,
    told: Told,
    archives: Mapping[str, Archive],
    downloads: tuple[Link, ...],
) -> ReleasePage:
    """Put a release's page together.

    Args:
        figures: of the report.
        release: its id.
        told: suspects of the report's diffs.
        archives: of its runs, by their ids.
        downloads: the files beside the page.
    """
    study = figures.study
    report = study.report
    own = study.runs_of(release)
    variants = [
        variant
        for variant in report.variants
        if any(run.bundle.variant.slug == variant for run in own)
    ]
    return ReleasePage(
        place=_place(figures, release),
        opening=release_sentences(figures, release),
        facts=_facts(study, release, len(own)),
        steps=tuple(steps_table(figures, release, variant) for variant in variants),
        suspects=release_suspects(figures, release, told),
        environment=environment_table(study, release, report.base, variants[0]),
        runs=bundles_table(study, release, archives),
        commands=commands_table(study, release),
        profiles=profiles_of_release(figures, release),
        notices=(*correction_notices(own), *course_notices(figures, release)),
        downloads=downloads,
    )


def _facts(study: Study, release_id: str, runs: int) -> tuple[Fact, ...]:
    release = study.report.release(release_id)
    facts = [Fact(label="Runs", value=plural(runs, "run"))]
    if release.version:
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
    """Return the verdicts on the default variant; of a release without any what its page holds."""
    study = figures.study
    told = plain(variant_sentences(figures, release, study.report.default_variant, named=False))
    label = study.label(release)
    return f"{label}: {told}" if told else f"All that was measured of {label}."
