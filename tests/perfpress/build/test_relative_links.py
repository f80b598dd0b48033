"""A site is readable from a directory: links lead to files, and browsers get what they take."""

from pathlib import Path

from perfpress.build.relative_links import BUILT_FOR, make_readable, readable


def test_links_are_relative_and_name_their_page() -> None:
    html = (
        '<a href="/">Home</a><a href="/reports/a/#now">A</a>'
        f'<a rel="next" href="{BUILT_FOR}docs/paths/">Paths</a>'
        '<img src="/images/step.png"><a href="/reports/a/@lab--1/metrics.csv?x#y">CSV</a>'
    )

    assert readable(html, "reports/a") == (
        '<a href="../../index.html">Home</a><a href="index.html#now">A</a>'
        '<a rel="next" href="../../docs/paths/index.html">Paths</a>'
        '<img src="../../images/step.png"><a href="@lab--1/metrics.csv?x#y">CSV</a>'
    )


def test_fragments_and_other_sites_stay() -> None:
    html = '<a href="#now">Now</a><a href="https://a.example/b/">B</a><a href="//a.example/">C</a>'

    assert readable(html, ".") == html


def test_a_page_at_the_root_leads_down() -> None:
    assert readable('<a href="/docs/">Docs</a>', ".") == '<a href="docs/index.html">Docs</a>'


def test_what_browsers_refuse_from_files_goes() -> None:
    html = (
        '<link rel="stylesheet" href="/css/main.css" integrity="sha256-x">'
        '<link rel="preload" href="/a.woff2" as="font" crossorigin>'
        f'<link rel="canonical" href="{BUILT_FOR}a/">'
        '<script type="module" src="/js/main.js" integrity="sha256-y"></script>'
        '<template data-near="flame-graph"><script type="module" src="/v.js"></script></template>'
    )

    assert readable(html, "a") == '<link rel="stylesheet" href="../css/main.css">'


def test_what_only_a_page_from_disk_says_is_shown_there() -> None:
    html = (
        '<template data-disk><p>See <a href="/docs/">the docs</a>.</p></template>'
        '<file-comparison data-worker="/w.js"><input type="file"></file-comparison>\n'
        "<noscript><p>Needs JavaScript.</p></noscript><p>After</p>"
    )

    assert readable(html, ".") == '<p>See <a href="docs/index.html">the docs</a>.</p><p>After</p>'


def test_text_is_not_taken_for_a_link() -> None:
    html = '<p>href=&quot;/x/&quot; and  href="/y/" in words</p>'

    assert readable(html, "a") == html


def test_every_page_of_a_site_is_rewritten(tmp_path: Path) -> None:
    page = tmp_path / "reports" / "é" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text('<a href="/">ü</a>', encoding="utf-8")

    make_readable(tmp_path)

    assert page.read_text(encoding="utf-8") == '<a href="../../index.html">ü</a>'
