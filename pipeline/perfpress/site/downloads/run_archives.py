"""Publishes each run as an archive: run.toml, logs and attachments.

Captures are not in it: their stacks are published with the graphs, and an SVG that somebody
submitted never is.
"""

import gzip
import io
import tarfile
from collections.abc import Mapping, Sequence

from perfpress.analysis.study.study import Study
from perfpress.base.display import byte_size
from perfpress.input.bundles.content_hash import FileFact
from perfpress.input.bundles.read import Bundle
from perfpress.input.bundles.schema import FILE_NAME
from perfpress.site.addresses import release_address
from perfpress.site.directory import SiteDirectory
from perfpress.site.tables.runs import Archive

MOST_BYTES = 4_000_000
"""Of the files of a run that are published."""
DRAWINGS = (".svg", ".svg.gz", ".svg.zst", ".svg.xz", ".html", ".htm")
"""Never published: they can carry scripts."""


def publish_archives(study: Study, release: str, directory: SiteDirectory) -> Mapping[str, Archive]:
    """Publish the archives of a release's runs; return them by the run's id."""
    found = {}
    for run in study.runs_of(release):
        bundle = run.bundle
        files = archived_files(bundle)
        size = sum(file.size for file in files)
        if size > MOST_BYTES:
            text = f"{byte_size(size)}, more than the {byte_size(MOST_BYTES)} that are published"
            found[bundle.run_id] = Archive("", text)
            continue
        address = f"{release_address(study.report, release)}runs/{bundle.run_id}.tar.gz"
        link = directory.write_download(address, archive_of(bundle, files), "Run, tar.gz")
        found[bundle.run_id] = Archive(link.url, link.note)
    return found


def archived_files(bundle: Bundle) -> list[FileFact]:
    """Return run.toml, the logs and the attachments of a run."""
    captures = {name for step in bundle.steps for name in step.captures}
    named = {
        FILE_NAME,
        *bundle.run.attachments,
        *(log for step in bundle.steps for log in step.logs),
    }
    return [
        file
        for file in bundle.files
        if file.name in named
        and file.name not in captures
        and not file.name.lower().endswith(DRAWINGS)
    ]


def archive_of(bundle: Bundle, files: Sequence[FileFact]) -> bytes:
    """Return the same bytes for the same files: no owner, no time, in order of the names.

    Names were checked when the bundle was read: none leads out of the directory of the run.
    """
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for file in files:
            content = (bundle.directory / file.name).read_bytes()
            member = tarfile.TarInfo(f"{bundle.run_id}/{file.name}")
            member.size = len(content)
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()
