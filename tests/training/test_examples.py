"""The folder of examples: what it keeps, what it refuses, and that making goes on where it ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import BadInput
from appliance.training.examples import EXAMPLES, PASSAGES, Data, Example, Writer, passage_id, read


def example(question: str, document: str = "A", licence: str = "CC0", source: str = "asked") -> Example:
    return Example(question, ((passage_id("right"),),), ((passage_id("wrong"),),), source, document, licence)


def filled(folder: Path, *examples: Example) -> Writer:
    writer = Writer(folder)
    writer.passage("right")
    writer.passage("wrong")
    for one in examples:
        writer.add(one)
    return writer


def test_a_folder_gives_back_what_was_written(tmp_path: Path) -> None:
    filled(tmp_path, example("one"), example("two", "B"))
    data = read(tmp_path)
    assert [one.question for one in data.examples] == ["one", "two"]
    assert set(data.passages.values()) == {"right", "wrong"}
    assert data.counts() == {"asked": 2}


def test_making_goes_on_where_it_ended(tmp_path: Path) -> None:
    filled(tmp_path, example("one"))
    with (tmp_path / EXAMPLES).open("ab") as file:
        file.write(b'{"question": "cut o')  # stopped while writing
    writer = Writer(tmp_path)
    assert writer.has("asked", "A", "one")
    assert not writer.has("asked", "B", "one")
    writer.passage("right")
    writer.add(example("two"))
    assert [one.question for one in read(tmp_path).examples] == ["one", "two"]
    assert len((tmp_path / PASSAGES).read_text().splitlines()) == 2


def test_nothing_of_a_held_out_document_is_left(tmp_path: Path) -> None:
    filled(tmp_path, example("one"), example("two", "B"), example("three", ""))
    assert [one.question for one in read(tmp_path).without(["A"]).examples] == ["two", "three"]


@pytest.mark.parametrize(
    ("named", "most", "counts"),
    [
        ((), 0, {"asked": 4, "row": 3, "title": 1}),
        ((), 2, {"asked": 4, "row": 2, "title": 1}),
        (("row", "title"), 2, {"row": 2, "title": 1}),
        (("asked",), 2, {"asked": 4}),
        (("none of them",), 0, {}),
    ],
)
def test_sources_are_chosen_and_bounded_but_what_people_asked_is_kept_whole(
    named: tuple[str, ...], most: int, counts: dict[str, int]
) -> None:
    sources = ["asked"] * 4 + ["row"] * 3 + ["title"]
    data = Data(tuple(example(f"question {n}", source=one) for n, one in enumerate(sources)), {})
    chosen = data.chosen(named, most, seed=1)
    assert chosen.counts() == counts
    assert chosen == data.chosen(named, most, seed=1)
    assert set(chosen.examples) <= set(data.examples)


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
    assert read(tmp_path) == Data((example("one"),), {passage_id(t): t for t in ("right", "wrong")})
