"""The ways by which bundles come in: what each says of hostile ones, and what it leaves."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from bundle_samples import good_bundle
from hostile_bundles import Attack, write_bundle
from perfpress.base.checkout import ROOT
from perfpress.host.pushing.deliver import owner
from perfpress.host.pushing.store import Marker
from perfpress.input.bundles.content_hash import FileFact, content_hash, file_fact
from perfpress.input.bundles.discover import place_of
from perfpress.input.bundles.read import read_bundle
from repositories import branches_of, files_of, git, site_repository

MOST_MEMORY = 2_000_000_000
"""Bytes that a call may ask for."""
LONGEST = 240
"""Seconds that a call may take, for all attacks together."""
SMALL = 2_000_000
"""Bytes: larger files are not uploaded; the marker names them."""


@dataclass(frozen=True)
class Door:
    """What one call did with all hostile bundles and a good one."""

    status: int
    output: str
    """What it printed on stderr."""
    let_in: Sequence[str]
    """Names of files that got in."""
    left: Mapping[str, object]
    """What was found elsewhere afterwards, and was not there before, or not so."""
    page: str = ""
    """The page that lists problems, of a build."""


def perfpress(*words: str) -> subprocess.CompletedProcess[str]:
    """Call the command line, in little memory and for a bounded time."""

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))

    return subprocess.run(
        [sys.executable, "-m", "perfpress", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        preexec_fn=little,
        check=False,
    )


def state_of(directory: Path) -> dict[str, object]:
    """Return all that is below a directory: modes and sizes of files, targets of links."""
    found: dict[str, object] = {}
    left = [str(directory)]
    while left:
        for entry in os.scandir(left.pop()):
            status = entry.stat(follow_symlinks=False)
            shown = os.fsencode(entry.path.removeprefix(f"{directory}/")).decode("latin-1")
            if entry.is_dir(follow_symlinks=False):
                left.append(entry.path)
            found[shown] = (
                Path(entry.path).readlink()
                if entry.is_symlink()
                else (status.st_mode, status.st_size if entry.is_file() else 0)
            )
    return found


def changed(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, object]:
    """Return what is there and was not, or was otherwise; and what is gone."""
    new = {name: each for name, each in after.items() if before.get(name) != each}
    return new | {name: "gone" for name in before if name not in after}


def write_all(attacks: Sequence[Attack], directory: Path) -> list[Path]:
    """Write all hostile bundles, and a good one, below a directory."""
    good = Attack("good", lambda _: None, "")
    return [write_bundle(each, directory / each.name) for each in (*attacks, good)]


def by_command(verb: str, bundles: Sequence[Path], work: Path) -> Door:
    """Call `check` or `add` for all of them."""
    results = work / verb / "data" / "results"
    results.mkdir(parents=True)
    before = state_of(work)
    done = perfpress(verb, *map(str, bundles), "--results", str(results))
    left = changed(before, state_of(work))
    inside = f"{verb}/data/results/"
    let_in = [name.removeprefix(inside) for name in left if name.startswith(inside)]
    others = {name: each for name, each in left.items() if not name.startswith(inside)}
    return Door(done.returncode, done.stderr, let_in, others)


def by_push(bundles: Sequence[Path], work: Path) -> Door:
    """Push each by a call of its own: nothing is sent where one of several is refused."""
    site = site_repository(work / "pushed.git")
    before = state_of(work)
    output = ""
    status = 0
    # One process for all: Python takes a second to begin.
    calls = "import sys; from perfpress.__main__ import main; from pathlib import Path\n"
    calls += "sys.exit(sum([main(['push', each, '--to', sys.argv[1]]) for each in sys.argv[2:]]))"
    done = subprocess.run(
        [sys.executable, "-c", calls, str(site), *map(str, bundles)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    output, status = done.stderr, done.returncode
    left = {
        name: each
        for name, each in changed(before, state_of(work)).items()
        if not name.startswith("pushed.git/")
    }
    let_in = [name for branch in branches_of(site) for name in files_of(site, branch)]
    return Door(status, output, [f"{name}" for name in let_in if "results" in name], left)


@cache
def place_in_results(bundle: Path) -> Path:
    """Return where a bundle belongs, or where it might, if nobody can read it."""
    read, _ = read_bundle(bundle, "bundle")
    if read is not None:
        return Path(*place_of(read))
    return Path(bundle.name, "18", bundle.name, "undated-00000000")


def by_branch(attacks: Sequence[Attack], bundles: Sequence[Path], work: Path) -> Door:
    """Accept from branches that were pushed without perfpress: one of each attack's host."""
    site = site_repository(work / "accepting.git")
    names = {attack.name: attack for attack in attacks}
    for bundle in bundles:
        if bundle.name not in names or names[bundle.name].in_git is not None:
            commit = commit_of(site, bundle, "data/results" / place_in_results(bundle))
            git(site, "update-ref", f"refs/heads/results/{owner(bundle.name)}", commit)
    return accepting(site, work)


def commit_of(repository: Path, bundle: Path, place: Path) -> str:
    """Store a directory as git sees it: links as links; return the commit."""
    index = repository / f"index-{bundle.name}"
    settings = os.environ | {"GIT_INDEX_FILE": str(index), "GIT_DIR": str(repository)}

    def call(*words: str, given: bytes = b"") -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words],
            env=settings,
            input=given,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    call("read-tree", "refs/heads/main")
    stored: dict[bytes, str] = {}
    entries = []
    for path in sorted(bundle.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
        if content not in stored:
            stored[content] = call("hash-object", "-w", "--stdin", given=content)
        mode = "120000" if path.is_symlink() else "100644"
        name = os.fsencode(place / path.relative_to(bundle))
        entries.append(f"{mode} {stored[content]}\t".encode() + name + b"\0")
    call("update-index", "-z", "--add", "--index-info", given=b"".join(entries))
    return call("commit-tree", call("write-tree"), "-p", "refs/heads/main", "-m", "x")


def by_store(attacks: Sequence[Attack], bundles: Sequence[Path], work: Path) -> Door:
    """Accept from an object store that was written without perfpress."""
    site = site_repository(work / "storing.git")
    store = work / "store"
    store.mkdir()
    names = {attack.name: attack for attack in attacks}
    for bundle in bundles:
        if bundle.name not in names or names[bundle.name].in_store is not None:
            upload_by_hand(bundle, store, owner(bundle.name))
    return accepting(site, work, f"file://{store}")


def accepting(site: Path, work: Path, *sources: str) -> Door:
    """Call `perfpress accept`, and say what it let in and what it left outside of the site."""
    (work / "empty").mkdir(exist_ok=True)
    before = state_of(work)
    done = perfpress("accept", *sources, "--into", str(site), "--results", str(work / "empty"))
    left = {
        name: each
        for name, each in changed(before, state_of(work)).items()
        if not name.startswith(f"{site.name}/")
    }
    let_in = [name for name in files_of(site, "main") if "results" in name]
    return Door(done.returncode, done.stderr, let_in, left)


def upload_by_hand(bundle: Path, store: Path, host: str) -> None:
    """Put the files of a bundle into a store, and a marker that names them; links as links."""
    files = [path for path in bundle.rglob("*") if path.is_symlink() or path.is_file()]
    facts = []
    for path in files:
        name = path.relative_to(bundle).as_posix()
        facts.append(FileFact(name, 2, "0" * 64) if path.is_symlink() else file_fact(bundle, name))
    uploads = store / host / "uploads" / content_hash(facts)
    for path in files if len(files) < 100 else []:
        copy = uploads / path.relative_to(bundle)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            copy.symlink_to(path.readlink())
        elif path.stat().st_size < SMALL:
            shutil.copyfile(path, copy)
    marker = store / host / f"{place_in_results(bundle)}.json"
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_bytes(msgspec.json.encode(Marker(1, tuple(facts))))


def by_build(attacks: Sequence[Attack], bundles: Sequence[Path], work: Path) -> Door:
    """Build a site from results that hold them all: somebody has put them there by hand."""
    places = {bundle.name: place_in_results(bundle) for bundle in bundles}
    building = work / "building"
    results = building / "data" / "results"
    for attack in attacks:
        made = write_bundle(attack, building / "making" / attack.name)
        place = results / places[attack.name]
        place.parent.mkdir(parents=True)
        made.rename(place)
    content = building / "content"
    (content / "reports").mkdir(parents=True)
    (content / "_index.md").write_text('+++\ntitle = "Results"\n+++\n')
    good_bundle(results / ".good")
    place = results / place_in_results(results / ".good")
    place.parent.mkdir(parents=True)
    (results / ".good").rename(place)
    before = state_of(work)
    out = building / "public"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "perfpress", "build", "--results", str(results)),
            *("--content", str(content), "--out", str(out), "--base-url", "https://example.org/"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    left = {
        name: each
        for name, each in changed(before, state_of(work)).items()
        if not name.startswith("building/public")
    }
    problems = (out / "problems" / "index.html").read_text()
    pages = [path.relative_to(out).as_posix() for path in (out / "reports").rglob("index.html")]
    return Door(done.returncode, done.stderr, pages, left, problems)
