"""The folder of examples: what it keeps, what it refuses, and that making goes on where it ended."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.errors import BadInput
from appliance.training.examples import EXAMPLES, PASSAGES, Data, Example, Writer, passage_id, read
from appliance.training.recipes import sources_of


def example(question: str, document: str = "A", licence: str = "CC0", source: str = "asked") -> Example:
    return Example(question, ((passage_id("right"),),), ((passage_id("wrong"),),), source, document, licence)


def filled(folder: Path, *examples: Example) -> Writer:
    writer = Writer(folder)
    writer.passage("right", "A")
    writer.passage("wrong", "A")
    for one in examples:
        writer.add(one)
    return writer


def test_a_folder_gives_back_what_was_written(tmp_path: Path) -> None:
    filled(tmp_path, example("one"), example("two", "B"))
    data = read(tmp_path)
    assert [one.question for one in data.examples] == ["one", "two"]
    assert set(data.passages.values()) == {"right", "wrong"}
    assert sources_of(data)[0]["examples"] == 2


def test_making_goes_on_where_it_ended(tmp_path: Path) -> None:
    filled(tmp_path, example("one"))
    with (tmp_path / EXAMPLES).open("ab") as file:
        file.write(b'{"question": "cut o')  # stopped while writing
    writer = Writer(tmp_path)
    assert writer.has("asked", "A", "one")
    assert not writer.has("asked", "B", "one")
    writer.passage("right", "A")
    writer.add(example("two"))
    assert [one.question for one in read(tmp_path).examples] == ["one", "two"]
    assert len((tmp_path / PASSAGES).read_text().splitlines()) == 2


def stands(writer: Writer, question: str, right: str, *wrong: str, document: str = "B") -> None:
    """Write an example of places of one passage each."""
    one, *others = ((passage_id(text),) for text in (right, *wrong))
    writer.add(Example(question, (one,), tuple(others), "asked", document, "CC0"))


def test_nothing_of_a_held_out_document_is_left(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    for text, document in [("a", "A"), ("b", "B"), ("c", "B"), ("both", "A"), ("both", "B"), ("none", "")]:
        writer.passage(text, document)
    stands(writer, "of A", "a", "b", document="A")
    stands(writer, "one wrong place stands in A alone", "b", "a", "both", "none")
    stands(writer, "all wrong places stand in A alone", "b", "a")
    stands(writer, "the right place stands in A alone", "a", "c")
    stands(writer, "nothing of A", "b", "c")
    stands(writer, "of no document", "none", "b", document="")
    data = read(tmp_path)
    assert data.named() == ["A", "B"]
    learned = data.without(["A"])
    assert {one.question: [data.passages[part] for (part,) in one.wrong] for one in learned.examples} == {
        "one wrong place stands in A alone": ["both", "none"],
        "nothing of A": ["c"],
        "of no document": ["b"],
    }
    assert [one.question for one in data.of(["A"]).examples] == ["of A"]
    assert data.without([]) is data
    assert data == read(tmp_path)


def test_a_document_that_is_not_there_cannot_be_held_out(tmp_path: Path) -> None:
    filled(tmp_path, example("one"), example("two", "B"))
    with pytest.raises(BadInput, match="no document C, D to hold out; there are A, B"):
        read(tmp_path).without(["A", "D", "C"])


@pytest.mark.parametrize(
    ("held_out", "refused"), [((), False), (("B",), True), (("A", "B"), True), (("C",), False)]
)
def test_a_folder_with_what_is_held_out_is_not_gone_on_with(
    held_out: tuple[str, ...], refused: bool, tmp_path: Path
) -> None:
    writer = filled(tmp_path, example("one"))
    writer.passage("stands in B", "B")
    if not refused:
        Writer(tmp_path).refuse(held_out)
        return
    with pytest.raises(BadInput, match="Name another folder"):
        Writer(tmp_path).refuse(held_out)


def test_an_example_without_a_licence_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="licence"):
        filled(tmp_path, example("one", licence=""))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (EXAMPLES, b"", "holds no examples"),
        (EXAMPLES, b'{"question": 1}\n', "line 1"),
        (EXAMPLES, b"nonsense\n\n", "line 1"),
        (PASSAGES, b'{"id": "x"}\n', "line 1"),
    ],
)
def test_a_broken_folder_says_where(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    filled(tmp_path, example("one"))
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=says):
        read(tmp_path)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path / "nowhere")


def test_an_example_whose_passages_are_lost_is_left_out(tmp_path: Path) -> None:
    filled(tmp_path, example("one"))
    lost = Example("two", (("0" * 16,),), ((passage_id("wrong"),),), "asked", "A", "CC0")
    Writer(tmp_path).add(lost)
    names = {passage_id(text): text for text in ("right", "wrong")}
    assert read(tmp_path) == Data((example("one"),), names, dict.fromkeys(names, frozenset({"A"})))


def test_an_example_of_two_documents_is_of_both() -> None:
    one, other = example("one", document="A"), example("other", document="C")
    data = Data((replace(one, also=("B",)), other), dict.fromkeys([*one.right[0], *one.wrong[0]], "x"))
    data = replace(data, documents={name: frozenset({"C"}) for name in data.passages})
    assert data.named() == ["A", "B", "C"]
    assert [each.question for each in data.of(["B"]).examples] == ["one"]
    assert [each.question for each in data.without(["B"]).examples] == ["other"]
    assert sources_of(data)[0]["documents"] == ["A", "B", "C"]
