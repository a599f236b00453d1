"""Question sets of other fields: what is read of them, and broken files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from appliance.core.errors import BadInput
from appliance.models.protocols import EncodedPassage, EncodedQuery
from appliance.training.examples import Writer, read
from appliance.training.sources import add_pra, add_tatqa


class ByLetters:
    """An embedder that counts letters."""

    fingerprint, dimension, token_dimension = "letters", 26, 4

    def _vector(self, text: str) -> np.ndarray:
        counts = np.array([1.0 + text.casefold().count(chr(97 + n)) for n in range(26)], dtype=np.float32)
        return counts / np.linalg.norm(counts)

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(text, self._vector(text), np.zeros((0, 4), dtype=np.float32))

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        return [EncodedPassage(self._vector(text), np.zeros((0, 1), dtype=np.int8)) for text in texts]


def ignore(done: int, total: int) -> None:
    assert done <= total


CONTEXT = {
    "table": {"table": [["", "2019"], ["Sales", "45.2"], ["Costs", "44.0"]]},
    "paragraphs": [{"order": 1, "text": "Sales rose."}, {"order": 2, "text": "Costs fell."}],
    "questions": [
        {"question": "How much was sold?", "answer": ["45.2"], "answer_from": "table", "rel_paragraphs": []},
        {"question": "Why?", "answer": ["rose"], "answer_from": "text", "rel_paragraphs": ["1"]},
        {"question": "Sum?", "answer": 89.2, "answer_from": "table", "rel_paragraphs": []},
    ],
}


def test_rows_and_paragraphs_that_hold_the_answer_are_right(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_bytes(msgspec.json.encode([CONTEXT]))
    add_tatqa(Writer(tmp_path / "into"), tmp_path / "set.json", ignore)
    add_tatqa(Writer(tmp_path / "into"), tmp_path / "set.json", ignore)  # going on adds nothing
    data = read(tmp_path / "into")
    found = {one.question: [data.passages[part] for (part,) in one.right] for one in data.examples}
    assert found["How much was sold?"][0].endswith("Sales | 45.2")
    assert found["Why?"] == ["Sales rose."]
    assert "Sum?" not in found  # no cell holds what was reckoned
    assert {one.licence for one in data.examples} == {"CC-BY-4.0"}
    assert not any(set(one.right) & set(one.wrong) for one in data.examples)


def test_both_passages_of_a_question_are_right(tmp_path: Path) -> None:
    texts = {"a": "aaa bbb", "b": "bbb ccc", "c": "zzz zzz", "d": "aaa yyy"}
    passages = [msgspec.json.encode({"id": name, "text": text}) for name, text in texts.items()]
    question = {"question": "aaa bbb ccc", "passages": ["a", "b", "lost"]}
    (tmp_path / "p").write_bytes(b"\n".join(passages))
    (tmp_path / "q").write_bytes(msgspec.json.encode(question))
    add_pra(Writer(tmp_path / "into"), ByLetters(), tmp_path / "p", tmp_path / "q", ignore)
    data = read(tmp_path / "into")
    (one,) = data.examples
    assert {data.passages[part] for (part,) in one.right} == {"aaa bbb", "bbb ccc"}
    assert {data.passages[part] for (part,) in one.wrong} <= {"zzz zzz", "aaa yyy"}


@pytest.mark.parametrize("content", [None, b"[{", b"\x00"])
def test_a_broken_set_is_said(content: bytes | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "set.json").write_bytes(content)
    with pytest.raises(BadInput, match="cannot be read"):
        add_tatqa(Writer(tmp_path / "into"), tmp_path / "set.json", ignore)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "p").write_bytes(b'{"id": "a", "text": "b"}\n{"id": ')
    with pytest.raises(BadInput, match="line 2"):
        add_pra(Writer(tmp_path / "into"), ByLetters(), tmp_path / "p", tmp_path / "q", ignore)
