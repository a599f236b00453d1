"""The default embedder: meaning, sameness, and hostile texts."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.models.protocols import Embedder

STAIR = "A private stair may have a pitch of at most 42 degrees."

# Cosines of the float32 weights, as sentence-transformers gives them (all-MiniLM-L6-v2).
CANONICAL = [
    ("How steep can a private stair be?", STAIR, 0.704),
    ("What size of air vent does an open flued boiler need?", STAIR, 0.116),
    ("Snow load on a roof with a parapet", "Drifting of snow behind obstructions on roofs", 0.606),
    ("The partial factor for permanent actions is 1.35.", "gamma_G = 1.35 for self-weight", 0.379),
]


@pytest.mark.parametrize(("question", "passage", "cosine"), CANONICAL)
def test_canonical_cosines(embedder: Embedder, question: str, passage: str, cosine: float) -> None:
    found = embedder.encode_query(question).pooled @ embedder.encode_passages([passage])[0].pooled
    assert found == pytest.approx(cosine, abs=0.04)


def test_vectors_have_the_promised_shapes_and_lengths(embedder: Embedder) -> None:
    query = embedder.encode_query("roof pitch")
    passage = embedder.encode_passages([STAIR])[0]
    assert query.pooled.shape == passage.pooled.shape == (embedder.dimension,)
    assert query.tokens.shape == (2, embedder.token_dimension)
    assert passage.tokens.dtype == np.int8
    assert passage.tokens.shape == (12, embedder.token_dimension // 4), "the full stop is left out"
    for rows in (query.pooled, query.tokens, passage.pooled):
        assert np.linalg.norm(rows, axis=-1) == pytest.approx(1, abs=1e-5)


def test_a_text_has_the_same_vectors_in_any_company(embedder: Embedder) -> None:
    texts = [STAIR, "x", "Table 3.1 " * 60, "", "γG,sup ≤ 1,35 · Gk"]
    together = embedder.encode_passages(texts)
    alone = [embedder.encode_passages([text])[0] for text in texts]
    backwards = embedder.encode_passages(texts[::-1])[::-1]
    for one, two, three in zip(together, alone, backwards, strict=True):
        assert np.array_equal(one.pooled, two.pooled)
        assert np.array_equal(one.pooled, three.pooled)
        assert np.array_equal(one.tokens, two.tokens)


@pytest.mark.parametrize("text", ["", " \n\t ", "!!! ... ???", "\x00\ufffd\u202e", "漢字の質問", "🏠" * 50])
def test_text_that_says_little_is_still_a_finite_vector(embedder: Embedder, text: str) -> None:
    passage = embedder.encode_passages([text])[0]
    query = embedder.encode_query(text)
    assert np.isfinite(passage.pooled).all()
    assert np.isfinite(query.tokens).all()
    assert passage.pooled @ query.pooled == pytest.approx(1, abs=1e-5)


def test_a_passage_of_no_words_has_no_tokens(embedder: Embedder) -> None:
    assert embedder.encode_passages(["... --- !"])[0].tokens.shape[0] == 0


def test_the_tail_of_a_long_text_is_read(embedder: Embedder) -> None:
    long = "Annex C > Table C.2\n" + "The value follows from the height of the wall. " * 80
    tail = "Lightning conductors are tested every eleven months."
    question = embedder.encode_query("How often are lightning conductors tested?")
    without, with_tail = embedder.encode_passages([long, long + tail])
    assert len(with_tail.tokens) > len(without.tokens) > 700
    assert with_tail.pooled @ question.pooled > without.pooled @ question.pooled


def test_no_passages_at_all(embedder: Embedder) -> None:
    assert embedder.encode_passages([]) == []


def test_a_question_asked_again_is_remembered_and_cannot_be_spoilt(embedder: Embedder) -> None:
    first = embedder.encode_query("wind on a hoarding")
    assert embedder.encode_query("wind on a hoarding") is first
    with pytest.raises(ValueError, match="read-only"):
        first.pooled[0] = 2
