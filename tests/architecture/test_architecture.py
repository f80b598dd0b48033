import re

import pytest
from draw_architecture import PICTURE, ROOT, drawn

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
GIVEN = re.compile(r"`([\w./-]*/[\w./-]*)`")
"""`pipeline/perfpress/input/logs/`, `layouts/_shortcodes`."""

NAMED = re.compile(r"`(\w+|[\w-]+\.\w+)`")
"""`study_pages`, `states.py`: beside a path that says where it is."""

BUILT = {"data/site"}
"""What a build makes: not in a new checkout."""


def test_the_picture_of_the_architecture_is_what_the_imports_say() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "run: make architecture"


@pytest.mark.parametrize("path", sorted(set(GIVEN.findall(PAGE)) - BUILT))
def test_every_path_that_the_architecture_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_name_that_the_architecture_gives_is_in_the_code() -> None:
    files = [path for top in ("pipeline", "assets") for path in (ROOT / top).rglob("*.[jp][sy]")]
    code = "\n".join(f"{path}\n{path.read_text(encoding='utf-8')}" for path in files)
    named = set(NAMED.findall(PAGE))
    assert [name for name in named if not re.search(rf"\b{re.escape(name)}\b", code)] == []
