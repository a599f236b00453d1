"""Settings: a file of limits where nothing unknown is ignored."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from appliance.core.errors import BadSettings
from appliance.core.settings import Settings, load

DOCUMENTED = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")


def test_no_file_means_defaults() -> None:
    assert load(None) == Settings()


def test_a_file_changes_only_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text('[serve]\nport = 9000\n[models]\nfolder = "/srv/models"\n', encoding="utf-8")
    settings = load(file)
    assert settings.serve.port == 9000
    assert settings.serve.host == Settings().serve.host
    assert settings.models.folder == Path("/srv/models")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[sevre]\nport = 1", "unknown table [sevre]"),
        ("[serve]\nprot = 1", "unknown key serve.prot"),
        ('[serve]\nport = "80"', "serve.port must be of type int"),
        ("[serve]\nport = true", "serve.port must be of type int"),
        ("[serve]\nport = ", "not valid TOML"),
        ("[serve]\nthreads = 0", "serve.threads must be at least"),
        ("[serve]\nport = 70000", "serve.port must be between 0 and 65535"),
        ("[search]\nlimit = -5", "search.limit must be at least 1,"),
        ("[search]\nlexical_candidates = 0", "search.lexical_candidates must be at least 1,"),
        ("[site]\ngaps = 0", "site.gaps must be of type bool"),
        ("[search]\ndense_candidates = 101", "search.dense_candidates must be between 1 and 100"),
        ("[search]\nquery_seconds = nan", "search.query_seconds must be at least"),
        ("[answer]\nnot_found_below = 1.5", "answer.not_found_below must be between 0 and 1"),
        ("serve = 3", "serve must be a table"),
        ("\udcff", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "box.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadSettings, match=words.replace("[", r"\[").replace("]", r"\]")):
        load(file)


def test_zero_is_taken_where_it_means_something(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(
        "[serve]\nport = 0\n[models]\nthreads = 0\n[search]\nclosure_limit = 0\n", encoding="utf-8"
    )
    assert load(file).serve.port == 0


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="no settings file"):
        load(tmp_path / "none.toml")


def test_whole_numbers_are_taken_for_fractions(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text("[search]\nquery_seconds = 3\n", encoding="utf-8")
    assert load(file).search.query_seconds == 3


def test_every_setting_is_documented() -> None:
    names = [
        f"{table.name}.{key.name}"
        for table in fields(Settings)
        for key in fields(getattr(Settings(), table.name))
    ]
    assert [name for name in names if f"`{name}`" not in DOCUMENTED] == []


@pytest.mark.parametrize("line", ["[answer]\nmargin = 0.4\n", "[search]\nby_words = false\n"])
def test_a_setting_that_was_removed_says_what_does_its_work(tmp_path: Path, line: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(BadSettings, match=r" is no setting any more: .* Take the line out"):
        load(file)
