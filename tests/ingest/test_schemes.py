"""Schemes as data: the shipped ones hold together, a user's one is read, a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.ingest.page import OutlineEntry, Source
from appliance.ingest.structure.schemes import choose, load_schemes, read_scheme
from tests.ingest.made import column, layouts, scheme

EMPTY = Source("", "", (), ())
GOOD = """
name = "house"
[captions]
table = ["Tab."]
figure = []
[[levels]]
name = "clause"
kind = "clause"
pattern = '(?P<number>\\d+)'
label = "{number}"
rank = 1
"""


@pytest.mark.parametrize("name", ["eurocode", "approved_document", "decimal"])
def test_shipped_schemes_say_what_their_readers_need(name: str) -> None:
    one = scheme(name)
    assert {"table", "figure", "formula"} <= set(one.captions)
    assert one.definition_titles
    assert one.contents_titles
    for level in one.levels:
        assert "number" in level.pattern.groupindex
        assert level.within <= {other.name for other in one.levels}


@pytest.mark.parametrize(
    ("rows", "family"),
    [
        (["EN 1993-1-8:2005 (E)", "(1)P Joints shall be designed", "(2) The rules"], "eurocode"),
        (
            ["Approved Document L, 2021 edition", "Requirement L1: Heat", "Building Regulations 2010"],
            "approved_document",
        ),
        (["3.1 Materials", "3.1.1 Concrete", "Concrete shall be"], "decimal"),
        (["CP 318:2031", "4.1 Walls", "(1) Walls shall stand", "(2) The rules"], "decimal"),
        ([], "decimal"),
    ],
)
def test_the_family_is_told_by_what_the_pages_show(tmp_path: Path, rows: list[str], family: str) -> None:
    assert choose(load_schemes(), layouts(tmp_path, column(*rows), column(*rows)), EMPTY).name == family


def test_one_mention_of_another_family_does_not_decide(tmp_path: Path) -> None:
    own = column("Approved Document A", "Building Regulations", "Requirement A1: Loading")
    other = column("See EN 1990 and EN 1991-1-1.", "(1) Eurocode", "Approved Document A")
    assert choose(load_schemes(), layouts(tmp_path, own, own, other, own), EMPTY).name == "approved_document"


def test_a_family_that_cannot_open_the_numbers_is_only_spoken_of(tmp_path: Path) -> None:
    spoken = "See the Building Regulations and Approved Document B."
    deep = [f"1.{number}.{part} Rooms of this kind" for number in (1, 2) for part in (1, 2, 3)]
    flat = [f"1.{number} Rooms of this kind" for number in range(1, 7)]
    for rows, family in ((deep, "decimal"), (flat, "approved_document"), (deep[:3], "approved_document")):
        assert choose(load_schemes(), layouts(tmp_path, column(spoken, *rows)), EMPTY).name == family


def test_a_scheme_of_the_user_joins_and_replaces(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "eurocode.toml").write_text(GOOD.replace("house", "eurocode"), encoding="utf-8")
    found = {one.name: one for one in load_schemes(tmp_path)}
    assert found["house"].captions["table"] == ("Tab.",)
    assert len(found["eurocode"].levels) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("name =", "nome ="), "name"),
        (('kind = "clause"', 'kind = "verse"'), "verse"),
        (("(?P<number>", "(?P<number"), "house.toml"),
        (("rank = 1", "rank = 1\ndepth = 3"), "depth"),
        (("[captions]", "[captions"), "line 3"),
        (('table = ["Tab."]', 'table = "Tab."'), "captions"),
        (('table = ["Tab."]', 'table = ["Tab.", ""]'), "captions"),
        (('table = ["Tab."]\n', ""), "captions.*table"),
        (('table = ["Tab."]', 'tables = ["Tab."]'), "tables"),
        (("(?P<number>\\d+)", "\\d+"), "group `number`"),
        (("\\d+", "\\d*"), "nothing is printed"),
        (("rank = 1", 'rank = "1"'), "rank"),
        (("rank = 1", "rank = nan"), "rank"),
        (('label = "{number}"', 'label = "{nummer}"'), "nummer"),
        (('label = "{number}"', 'label = "{"'), "template"),
        (('label = "{number}"', 'label = "{number}"\ncomments = "{parent}"'), "`comments` has {parent}"),
        (('label = "{number}"', 'label = "{number}"\ncomments = true'), "comments"),
        (("rank = 1", 'rank = 1\nwithin = ["nosuch"]'), "nosuch"),
        (("rank = 1", 'rank = 1\nrestarts = "no"'), "restarts"),
        (('name = "house"', 'name = "house"\ncontent_titles = ["Contents"]'), "content_titles"),
        (('name = "house"', "name = 7"), "name"),
        (('name = "house"', 'name = ["house"]'), "name"),
        (('name = "house"', 'name = "house"\nlanguage = "../../etc"'), "language"),
        (('name = "house"', 'name = "house"\nlanguage = ["en"]'), "language"),
        (('name = "house"', f"name = {'[' * 5000}{']' * 5000}"), "nested"),
        (('name = "house"', 'name = "house"\ndetect = [{pattern = "x", weight = -inf}]'), "weight"),
        (('name = "house"', 'name = "house"\nresets = ["("]'), "resets"),
    ],
)
def test_a_wrong_scheme_names_its_file_and_fault(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    path = tmp_path / "house.toml"
    assert change[0] in GOOD
    path.write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(BadSettings, match=says) as raised:
        read_scheme(path)
    assert "house.toml" in str(raised.value)


def test_a_file_of_an_editor_that_marks_its_files_is_read(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(GOOD, encoding="utf-8-sig")
    assert read_scheme(tmp_path / "house.toml").name == "house"


def test_bookmarks_are_no_sign_of_a_family() -> None:
    source = Source("", "", (), (OutlineEntry(1, "EN 1990", 1),))
    assert choose(load_schemes(), (), source).name == "decimal"
