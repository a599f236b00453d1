"""A folder of vocabularies is checked line by line; what ships is without fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.retrieval.query.lexicon import load_lexicon, load_tags
from appliance.retrieval.query.question import grouped
from appliance.retrieval.query.vocabulary_lint import Complaint, check, held_by


def found(folder: Path, text: str) -> list[Complaint]:
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    return list(check(folder))


def test_what_ships_has_no_fault() -> None:
    assert [str(item) for item in check() if item.state == "wrong"] == []


@pytest.mark.parametrize(
    ("text", "line", "state", "words"),
    [
        ("groups = [\n  ['a b', 'c d'],\n", 3, "wrong", "line 3 is no TOML"),
        ("\ngroops = []\n", 2, "wrong", "unknown key 'groops'"),
        ("groups = [['widget']]", 1, "wrong", "no second word"),
        ("groups = [\n['widget', 'gizmo'],\n['gadget', 'Gadget'],\n]", 3, "wrong", "no second word"),
        ("groups = [['widget', 'gizmo', 'widget']]", 1, "note", "stands twice"),
        ("groups = [\n['widget', 'gizmo'],\n['gizmo', 'widget'],\n]", 3, "wrong", "already said"),
        ("groups = [['loo', 'toilet']]", 1, "note", "already said (construction.toml"),
        ("groups = [['the', 'widget']]", 1, "note", "left out of questions"),
        ("groups = [['widget', 3]]", 1, "wrong", "is not a list of words"),
        ("\ngroups = [[], ['widget']]", 2, "wrong", "a group is empty"),
        ("groups = [\n[],\n['widget']]", 3, "wrong", "no second word"),
        ("groups = 'widget'", 1, "wrong", "is not a list of words"),
        ("drop = 'widget'", 1, "wrong", "drop: a list is wanted, not a text"),
        ("\nbroader = 3", 2, "wrong", "broader: a table is wanted, not a number"),
        ("[tags]\nmaterial = ['x']", 1, "wrong", "tags: a table is wanted in it, not a list"),
        ("stop = 'a'\n[conditions]\nuse = 5", 2, "wrong", "conditions: a table is wanted in it"),
        ("[words]\ntwo = 2", 1, "wrong", "words: a list is wanted in it, not a number"),
        ("intent = 'value'", 1, "wrong", "intent: a list is wanted, not a text"),
        ("[broader]\n'widget' = ['gizmo']", 2, "wrong", "a kind of 'gizmo', which no file names"),
        ("[broader]\n'widget' = 'timber'", 2, "wrong", "must be a list of words"),
        ("[broader]\na = ['b']\nb = ['c']\nc = ['a']", 2, "wrong", "in a circle: a is a kind of b is a"),
        ("[broader]\na = ['a']", 2, "wrong", "in a circle"),
        ("[tags.colour]\nred = ['scarlet']", 1, "wrong", "unknown kind of tag 'colour'"),
        ("[tags.material]\nred = 'scarlet'", 2, "wrong", "must be a list of words"),
        ("[[intent]]\nname = 'value'\npatterns = ['(']", 3, "wrong", "is no pattern"),
        ("[[intent]]\nname = 'wish'\npatterns = []", 1, "wrong", "an entry of intent has a name of"),
        (
            "groups = [['x1', 'a1'], ['x1', 'b1'], ['x1', 'c1'],\n['d1', 'x1']]", 2, "note",
            "'x1' stands in 4 groups",
        ),
    ],
)  # fmt: skip
def test_each_fault_is_said_with_its_line(
    tmp_path: Path, text: str, line: int, state: str, words: str
) -> None:
    complaints = found(tmp_path, text)
    assert [(item.line, item.state) for item in complaints if words in item.message] == [(line, state)]


def test_one_broken_file_does_not_hide_the_faults_of_another(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("groups = [")
    (tmp_path / "b.toml").write_bytes(b"\xff")
    (tmp_path / "c.toml").write_text("groups = [['widget']]")
    assert [item.path.name for item in check(tmp_path)] == ["a.toml", "b.toml", "c.toml"]


def test_words_that_no_document_says(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("groups = [['snow', 'widget'],\n['gizmo', 'gadget']]")
    held = held_by({"snow", "load"}, str)
    messages = [(item.line, item.message) for item in check(tmp_path, held)]
    assert messages == [
        (1, "no document says 'widget'."),
        (2, "no document says any word of the group of 'gizmo'."),
    ]


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
