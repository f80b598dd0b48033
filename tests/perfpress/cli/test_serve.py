"""`perfpress serve`: a site below its base path that follows its inputs."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from perfpress.base.checkout import ROOT

TEXT = '+++\ntitle = "{title}"\n+++\n'
PATIENCE = 60.0


def fetch(url: str) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait_for(url: str, text: str) -> None:
    """Return as soon as a page has the text."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if text in fetch(url)[1]:
                return
        except (urllib.error.URLError, ConnectionError):
            pass
        time.sleep(0.2)
    pytest.fail(f"{url} never had {text!r}")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Return the address of a site that is being served, and where its texts are."""
    (tmp_path / "results").mkdir()
    content = tmp_path / "content"
    content.mkdir()
    (content / "_index.md").write_text(TEXT.format(title="First words"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://localhost:{port}/perf/"
    process = started(url, tmp_path)
    try:
        yield url, content
    finally:
        process.terminate()
        process.wait()


def started(url: str, work: Path) -> subprocess.Popen[bytes]:
    """Serve a directory at an address."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "perfpress", "serve", "--port", str(urlsplit(url).port)),
            *("--base-url", url, "--results", work / "results"),
            *("--content", work / "content", "--out", work / "out"),
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_a_build_beside_a_server_never_shows_half_a_page(served: tuple[str, Path]) -> None:
    url, content = served
    wait_for(url, "First words")
    words = [*("build", "--base-url", url), *("--results", str(content.parent / "results"))]
    words += ["--content", str(content), "--out", str(content.parent / "out")]
    (content / "_index.md").write_text(TEXT.format(title="Second words"))
    with subprocess.Popen(
        [sys.executable, "-m", "perfpress", *words], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as built:
        while built.poll() is None:
            status, page = fetch(url)
            # Between the two renames there is no site for some microseconds.
            assert status == 404 or page.rstrip().endswith("</html>")
            time.sleep(0.01)
    assert built.returncode == 0
    wait_for(url, "Second words")


def test_a_server_that_is_killed_at_any_moment_starts_again(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "content").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://localhost:{free.getsockname()[1]}/perf/"
    for count, seconds in enumerate((0.4, 0.8, 1.6)):
        (tmp_path / "content" / "_index.md").write_text(TEXT.format(title=f"Words {count}"))
        process = started(url, tmp_path)
        time.sleep(seconds)
        process.kill()
        process.wait()
    process = started(url, tmp_path)
    try:
        wait_for(url, "Words 2")
    finally:
        process.terminate()
        process.wait()
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".out")]


def test_the_site_follows_its_texts_and_survives_a_slip(served: tuple[str, Path]) -> None:
    url, content = served
    wait_for(url, "First words")
    (content / "_index.md").write_text(TEXT.format(title="x") + "{{< nonsense >}}\n")
    time.sleep(3)
    assert "First words" in fetch(url)[1]
    (content / "_index.md").write_text(TEXT.format(title="Second words"))
    wait_for(url, "Second words")
    shutil.rmtree(content)
    time.sleep(3)
    assert "Second words" in fetch(url)[1]


def test_nothing_is_served_outside_the_base_path(served: tuple[str, Path]) -> None:
    url, _ = served
    wait_for(url, "First words")
    origin = url.removesuffix("perf/")
    for path in ("", "index.html", "perf/../../content/_index.md", "perf/%2e%2e/%2e%2e/content/"):
        assert fetch(origin + path)[0] == 404, path


def test_where_there_is_nothing_the_site_answers_with_its_own_page(
    served: tuple[str, Path],
) -> None:
    url, _ = served
    wait_for(url, "First words")
    status, page = fetch(f"{url}reports/none/")
    assert status == 404
    assert "No such page" in page


def test_open_pages_load_again_after_a_build_and_not_before(served: tuple[str, Path]) -> None:
    url, content = served
    wait_for(url, "First words")
    base = urlsplit(url).path
    assert (
        f'<script type="module" src="{base}perfpress-serve/reload.js"></script></body>'
        in (fetch(url)[1])
    )
    script = fetch(f"{url}perfpress-serve/reload.js")[1]
    assert "../perfpress-serve/builds" in script
    builds = f"{url}perfpress-serve/builds"
    assert fetch(f"{builds}?known=") == (200, "0")
    (content / "_index.md").write_text(TEXT.format(title="x") + "{{< nonsense >}}\n")
    with pytest.raises(TimeoutError):
        fetch(f"{builds}?known=0")
    (content / "_index.md").write_text(TEXT.format(title="Second words"))
    wait_for(builds, "1")
    assert "Second words" in fetch(url)[1]
