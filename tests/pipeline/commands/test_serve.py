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

import pytest

from pipeline.build.cache import ROOT

TEXT = '+++\ntitle = "{title}"\n+++\n'
PATIENCE = 60.0


def fetch(url: str) -> tuple[int, str]:
    """Return the status and the text of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


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
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "pipeline", "serve", "--port", str(port), "--base-url", url),
            *("--results", tmp_path / "results", "--content", content, "--out", tmp_path / "out"),
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield url, content
    finally:
        process.terminate()
        process.wait()


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
