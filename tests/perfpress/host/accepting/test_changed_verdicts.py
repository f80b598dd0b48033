"""What a job summary and a comment say of verdicts, whoever wrote them."""

import json
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from perfpress.host.accepting import changed_verdicts
from perfpress.host.accepting.changed_verdicts import main

Captured = pytest.CaptureFixture[str]


LINE = "10.0 % slower than 17 (one run); p95 of response times ×1.20."


def verdict(step: str, state: str, **more: object) -> dict[str, object]:
    facts = {"report": "r", "release": "18", "variant": "lab1", "step": step, "against": "17"}
    return {
        **facts,
        "verdict": state,
        "headline": LINE,
        "url": "reports/r/18/s/",
        "new_key": 1,
        **more,
    }


def file(path: Path, *verdicts: dict[str, object]) -> Path:
    path.write_text(json.dumps({"version": 1, "verdicts": verdicts}))
    return path


def digest(release: str, digest: str) -> dict[str, str]:
    url = f"reports/r/{release}/verdicts.json"
    return {"report": "r", "release": release, "url": url, "digest": digest}


def file_of_newest(
    path: Path, releases: Sequence[dict[str, str]], *verdicts: dict[str, object]
) -> Path:
    path.write_text(json.dumps({"version": 1, "verdicts": verdicts, "releases": releases}))
    return path


def shown(capsys: Captured, *words: str | Path) -> str:
    assert main([str(word) for word in words]) == 0
    return re.sub(r"&#(\d+);", lambda match: chr(int(match[1])), capsys.readouterr().out)


def test_only_what_changed_is_reported(tmp_path: Path, capsys: Captured) -> None:
    same = verdict("same", "no change seen")
    old = file(tmp_path / "old", same, verdict("a", "faster"), verdict("gone", "slower"))
    new = file(tmp_path / "new", same, verdict("a", "slower"), verdict("b", "noisy", headline=""))
    rows = shown(capsys, old, new).splitlines()[4:]
    assert [[cell.strip() for cell in row.split("|")[4:8]] for row in rows] == [
        [
            "<code>a @lab1</code>",
            "<code>faster</code>",
            "<code>slower</code>",
            f"<code>{LINE}</code>",
        ],
        ["<code>b @lab1</code>", "–", "<code>noisy</code>", "–"],
        ["<code>gone @lab1</code>", "<code>slower</code>", "–", "–"],
    ]


def test_pages_are_linked_where_the_address_is_known(tmp_path: Path, capsys: Captured) -> None:
    new = file(tmp_path / "new", verdict("a", "slower"))
    output = shown(capsys, tmp_path / "no-site-yet", new, "https://example.org/perf/")
    assert '<a href="https://example.org/perf/reports/r/18/s/"><code>a @lab1</code></a>' in output


def test_the_address_of_the_site_ends_no_attribute(tmp_path: Path, capsys: Captured) -> None:
    new = file(tmp_path / "new", verdict("a", "slower"))
    assert main([str(tmp_path / "old"), str(new), 'https://example.org/?a&b"><b>']) == 0
    assert '<a href="https://example.org/?a&amp;b&quot;&gt;&lt;b&gt;/' in capsys.readouterr().out


def test_older_releases_whose_verdicts_changed_are_named(tmp_path: Path, capsys: Captured) -> None:
    old = file_of_newest(
        tmp_path / "old",
        [digest("15", "a"), digest("16", "a"), digest("17", "a")],
        verdict("leaves the file", "slower", release="17"),
    )
    new = file_of_newest(
        tmp_path / "new",
        [digest("15", "a"), digest("16", "b"), digest("17", "c"), digest("18", "a")],
        verdict("new", "slower"),
    )
    output = shown(capsys, old, new, "https://example.org/")
    assert "leaves the file" not in output
    assert "<code>new @lab1</code>" in output
    said = output.splitlines()[-1]
    assert said.startswith("Verdicts changed on 2 releases more: ")
    assert '<a href="https://example.org/reports/r/16/verdicts.json"><code>r > 16</code>' in said
    assert "r > 17" in said
    assert "r > 15" not in said


def test_a_release_that_comes_back_into_the_file_is_compared_by_digest(
    tmp_path: Path, capsys: Captured
) -> None:
    digests = [digest("17", "a"), digest("18", "a")]
    old = file_of_newest(tmp_path / "old", digests, verdict("a", "slower"))
    back = verdict("b", "slower", release="17")
    new = file_of_newest(tmp_path / "new", digests, verdict("a", "slower"), back)
    assert "None." in shown(capsys, old, new)


def test_a_site_of_an_older_program_has_lost_no_release(tmp_path: Path, capsys: Captured) -> None:
    old = file(tmp_path / "old", verdict("a", "slower"), verdict("a", "slower", release="1"))
    new = file_of_newest(
        tmp_path / "new", [digest("1", "a"), digest("18", "a")], verdict("a", "slower")
    )
    assert "None." in shown(capsys, old, new)


def test_names_of_many_older_releases_leave_room_for_the_table(
    tmp_path: Path, capsys: Captured
) -> None:
    names = [f"{at} {'<' * 500}" for at in range(300)]
    old = file_of_newest(tmp_path / "old", [digest(name, "a") for name in names])
    new = file_of_newest(tmp_path / "new", [digest(name, "b") for name in names])
    assert main([str(old), str(new), "https://example.org/"]) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert len(said) < 6000
    assert re.search(r"300 releases more: .*, and 2\d\d more\.$", said)


def test_no_change_is_said(tmp_path: Path, capsys: Captured) -> None:
    old = file(tmp_path / "old", verdict("a", "slower"))
    assert "None." in shown(capsys, old, old)


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "</code><script>",
        "[x](javascript:alert(1))",
        "@everyone #1 owner/repo#2",
        "a | b\n| c |",
        "```\n::set-output name=x::y",
        "![](https://example.org/x.png)",
        "https://example.org/",
        "x" * 10_000,
    ],
)
def test_names_cannot_become_markup(tmp_path: Path, capsys: Captured, name: str) -> None:
    hostile = verdict(name, name, report=name, release=name, against=name, variant=name, url=name)
    new = file(tmp_path / "new", hostile)
    assert main([str(tmp_path / "old"), str(new), "https://example.org/"]) == 0
    out = capsys.readouterr().out
    [row] = out.splitlines()[4:]
    rest = re.sub(r"<code>[A-Za-z0-9&#;]*</code>", "", row)
    rest = re.sub(r'<a href="https://example.org/[^"<>]*">|</a>', "", rest)
    assert re.fullmatch(r"[| –0-9.]+", rest), rest
    assert len(row) < 10_000 + 6 * 700


def test_many_changes_are_counted(tmp_path: Path, capsys: Captured) -> None:
    new = file(tmp_path / "new", *(verdict(str(at), "slower") for at in range(70)))
    output = shown(capsys, tmp_path / "old", new)
    assert "And 20 rows more: see `api/verdicts.json` of the built site." in output


@pytest.mark.parametrize("letter", ["x", "<", "\N{CJK COMPATIBILITY IDEOGRAPH-2FA1D}"])
def test_a_comment_of_the_longest_names_is_one_that_github_takes(
    tmp_path: Path, capsys: Captured, letter: str
) -> None:
    name, url = letter * 1000, "x" * 900
    long = {"report": name, "release": name, "against": name, "variant": name, "url": url}
    new = file(tmp_path / "new", *(verdict(f"{at} {name}", name, **long) for at in range(70)))
    assert main([str(tmp_path / "old"), str(new), "https://example.org/"]) == 0
    out = capsys.readouterr().out
    assert len(out) < 65_536 - 1000
    *table, _, more = out.splitlines()
    rows = table[4:]
    assert all(row.startswith("| <code>") and row.endswith("</code> |") for row in rows)
    assert more == f"And {70 - len(rows)} rows more: see `api/verdicts.json` of the built site."
    assert len(rows) > 5


def test_a_link_of_a_megabyte_is_left_out(tmp_path: Path, capsys: Captured) -> None:
    new = file(tmp_path / "new", verdict("a", "slower", url="%" * 1_000_000))
    output = shown(capsys, tmp_path / "old", new, "https://example.org/")
    assert "| <code>a @lab1</code> |" in output


def test_the_archive_of_a_pull_request_is_read(tmp_path: Path, capsys: Captured) -> None:
    with zipfile.ZipFile(tmp_path / "kept.zip", "w") as archive:
        archive.write(file(tmp_path / "new", verdict("a", "slower")), "verdicts.json")
        archive.writestr("../../climbed-out", "x")
    assert "slower" in shown(capsys, tmp_path / "old", tmp_path / "kept.zip")
    assert not list(tmp_path.parent.rglob("climbed-out"))


def test_archives_that_are_none_or_too_much_are_refused(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_verdicts, "LARGEST", 1000)
    kept = tmp_path / "kept.zip"
    no_text = {"verdicts.json": b'{"\xff": 1}'}
    for members in ({"other": b"x"}, {"verdicts.json": bytes(2000)}, no_text):
        with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        assert main([str(tmp_path / "old"), str(kept)]) == 1
        output = capsys.readouterr().err
        assert str(kept) in output
        assert ("more than 1000 bytes" in output) == (members.get("verdicts.json") == bytes(2000))
