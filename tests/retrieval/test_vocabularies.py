"""A fault of a vocabulary is said with its line; what ships is without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.retrieval.query.lexicon import load_lexicon, load_tags
from appliance.retrieval.query.question import grouped
from appliance.text.vocabularies import read_vocabulary, vocabulary_files


def test_what_ships_has_no_fault() -> None:
    assert all(map(read_vocabulary, vocabulary_files()))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("groups = [\n  ['a b', 'c d'],\n", 3, "is no TOML"),
        ("\ngroops = []\n", 2, "unknown field `groops`"),
        ("groups = [['widget', 3]]", 1, "Expected a text, got a number"),
        ("\ngroups = [[], ['widget']]", 2, "groups"),
        ("groups = 'widget'", 1, "Expected a list, got a text"),
        ("\nbroader = 3", 2, "Expected a table, got a number"),
        ("[tags]\nmaterial = ['x']", 1, "Expected a table, got a list"),
        ("stop = '''\nconditions\n'''\n[conditions]\nuse = 5", 4, "Expected a table"),
        ("[words]\ntwo = 2", 1, "Expected a list, got a number"),
        ("[broader]\n'widget' = 'timber'", 1, "Expected a list, got a text"),
        ("\n[tags.colour]\nred = ['scarlet']", 2, "colour"),
        ("\n[[intent]]\nname = 'value'\npatterns = ['(']", 2, "is no pattern"),
        ("[[intent]]\nname = 'wish'\npatterns = []", 1, "wish"),
    ],
)  # fmt: skip
def test_a_fault_is_said_with_the_line_of_its_key(tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "ours.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadSettings, match=rf"ours.toml.* line {line} .*{re.escape(words)}"):
        read_vocabulary(tmp_path / "ours.toml")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    for read in (vocabulary_files, load_lexicon, load_tags):
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
