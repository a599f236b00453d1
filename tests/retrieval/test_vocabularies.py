"""A folder of vocabularies is checked line by line; what ships is without fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.retrieval.query.lexicon import load_lexicon, load_tags
from appliance.retrieval.query.question import grouped
from appliance.retrieval.query.vocabulary_lint import Complaint, check


def found(folder: Path, text: str) -> list[Complaint]:
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    return list(check(folder))


def test_what_ships_has_no_fault() -> None:
    assert check() == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("groups = [\n  ['a b', 'c d'],\n", 3, "line 3 is no TOML"),
        ("\ngroops = []\n", 2, "unknown key 'groops'"),
        ("groups = [['widget', 3]]", 1, "is not a list of words"),
        ("\ngroups = [[], ['widget']]", 2, "a group is empty"),
        ("groups = 'widget'", 1, "is not a list of words"),
        ("drop = 'widget'", 1, "drop: a list is wanted, not a text"),
        ("\nbroader = 3", 2, "broader: a table is wanted, not a number"),
        ("[tags]\nmaterial = ['x']", 1, "tags: a table is wanted in it, not a list"),
        ("stop = 'a'\n[conditions]\nuse = 5", 2, "conditions: a table is wanted in it"),
        ("[words]\ntwo = 2", 1, "words: a list is wanted in it, not a number"),
        ("intent = 'value'", 1, "intent: a list is wanted, not a text"),
        ("[broader]\n'widget' = 'timber'", 2, "must be a list of words"),
        ("[tags.colour]\nred = ['scarlet']", 1, "unknown kind of tag 'colour'"),
        ("[tags.material]\nred = 'scarlet'", 2, "must be a list of words"),
        ("[[intent]]\nname = 'value'\npatterns = ['(']", 3, "is no pattern"),
        ("[[intent]]\nname = 'wish'\npatterns = []", 1, "an entry of intent has a name of"),
    ],
)  # fmt: skip
def test_each_fault_is_said_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    complaints = found(tmp_path, text)
    assert [item.line for item in complaints if words in item.message] == [line]


def test_one_broken_file_does_not_hide_the_faults_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("groups = [")
    (tmp_path / "b.toml").write_bytes(b"\xff")
    (tmp_path / "c.toml").write_text("groups = [[]]")
    assert [item.path.name for item in check(tmp_path)] == ["a.toml", "b.toml", "c.toml"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    for read in (check, load_lexicon, load_tags):
        with pytest.raises(BadSettings, match="no folder of vocabularies"):
            read(tmp_path / "none")


def test_a_user_drops_a_word_of_what_ships_and_adds_tags(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(
        "drop = ['loo']\ngroups = [['loo', 'hut']]\n[tags.material]\ntimber = ['bamboo']\nstraw = []\n"
    )
    groups = [group for group in load_lexicon(tmp_path).aliases if ("loo",) in group]
    assert groups == [(("loo",), ("hut",))]
    tags = {(tag.kind, tag.name): tag.names for tag in load_tags(tmp_path)}
    assert tags["material", "straw"] == ("straw",)
    assert {"timber", "wood", "bamboo"} <= set(tags["material", "timber"])


def test_a_broad_word_also_searches_the_narrow_ones_but_not_the_other_way(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("[broader]\n'widget' = ['timber gizmo']\n")
    lexicon = load_lexicon(tmp_path)
    broad = {other for group in grouped(["timber", "gizmo"], lexicon, str) for other in group.others}
    assert ("widget",) in broad
    (narrow,) = grouped(["widget"], lexicon, str)
    assert narrow.others == ()


@pytest.mark.parametrize(
    ("asked", "searched"),
    [
        ("loo", "toilet"), ("rebar", "reinforcing steel"), ("ec1", "en 1991"), ("fd30", "fire door"),
        ("psi0", "combination factor"), ("gk", "permanent action"), ("dpc", "damp proof course"),
        ("soundproofing", "sound insulation"), ("skylight", "rooflight"), ("ground water", None),
        ("letter box", "letter plate"), ("eps", "expanded polystyrene"), ("dhw", "domestic hot water"),
        ("suds", "sustainable drainage"), ("hmo", "house in multiple occupation"), ("evcp", "ev charger"),
        ("ffl", "finished floor level"), ("rc", "reinforced concrete"), ("rc2", None),
        ("ev charge", "electric vehicle"),
    ],
)  # fmt: skip
def test_trade_words_acronyms_and_symbols_lead_to_the_words_of_the_codes(
    asked: str, searched: str | None
) -> None:
    others = {" ".join(o) for group in grouped(asked.split(), load_lexicon(), str) for o in group.others}
    assert searched in others if searched else not others
