"""What a short question is about and no statement speaks of, on a small code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from appliance.answer.silent import silence

from appliance.core.evidence import Evidence
from appliance.store.read import Store
from tests.answer.builders import finding, query
from tests.factories import clause, document
from tests.store.libraries import chunked, opened

TEXT = "A monopitch roof drains to one side. The pitch of a hat is steep."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = chunked(document(clauses=(clause("1.1", TEXT),)))
    with opened(Path(tmp_path_factory.mktemp("silent")) / "a", made) as opened_store:
        yield opened_store


@pytest.mark.parametrize(
    ("asked", "terms", "said", "sentence"),
    [
        ("mono pitch roof", ("mono", "pitch", "roof"), TEXT, ""),  # printed in one
        (
            "mono pitch roof",
            ("mono", "pitch", "roof"),
            "Hats.",
            "No statement speaks of \u201cmono\u201d, \u201croof\u201d together.",
        ),  # not where it is stated
        (
            "stereo pitch roof",
            ("stereo", "pitch", "roof"),
            TEXT,
            "No document loaded speaks of \u201cstereo\u201d.",
        ),
        ("monopitch roof", ("monopitch", "roof"), TEXT, ""),
        ("turnstile", ("turnstil",), TEXT, "No document loaded speaks of \u201cturnstile\u201d."),
        ("", (), TEXT, ""),
    ],
)
def test_a_word_printed_in_one_with_its_neighbour_is_spoken_of(
    store: Store, asked: str, terms: tuple[str, ...], said: str, sentence: str
) -> None:
    evidence = Evidence(replace(query(asked), terms=terms), (), (), (), (), 0.9, {})
    told, _ = silence(store, evidence, [finding(said, 0.9)])
    assert told == sentence
