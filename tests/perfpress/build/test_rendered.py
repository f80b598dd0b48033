"""Which pages are rendered again: what the site has in common is on few."""

from msgspec.structs import replace
from perfpress.base.checkout import ROOT
from perfpress.build.inputs import Inputs
from perfpress.build.rendered import OF_THE_WHOLE_SITE, WITH_ITS_CARD, changes, made_from
from perfpress.site.directory import SiteData, Written

INPUTS = Inputs(data="d", shared="s", texts={}, states={})
DATA = SiteData(
    beside_parts=Written(
        pages={"/reports/a/": "1", "/hosts/b/": "2"}, without_card={"/hosts/b/": None}
    ),
    parts={},
    site="3",
    card="4",
    reports={},
    titles={},
    shown_everywhere="5",
)


def test_another_card_of_the_site_is_put_on_the_pages_that_have_none_of_their_own() -> None:
    before, after = (made_from(INPUTS, data) for data in (DATA, replace(DATA, card="6")))
    assert changes(before, after).pages == ("/compare-files", "/hosts/b", "/search")


def test_every_page_that_each_site_has_depends_on_what_is_of_the_whole_site() -> None:
    texts = (ROOT / "layouts/adapters").glob("*/_index.md")
    own = {f"/{path.parent.name}" for path in texts}
    assert own < {*OF_THE_WHOLE_SITE, *WITH_ITS_CARD}
