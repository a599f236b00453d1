"""Writing a library: nothing lost, nothing left to chance, nothing half done."""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from appliance.core.document import Box, Cell, Document, Label, Page, Passage, Problem
from appliance.core.errors import BadInput, CannotWrite
from appliance.store.channels import chunks_within
from appliance.store.read import Store
from appliance.store.rows import embedded_text, searchable
from appliance.store.write import LibraryMeta, SourceFile, write_library
from tests.factories import clause, document, formula, passage, table
from tests.store.libraries import chunked, densities_code, encoded, opened, snow_code, write


def test_what_is_read_equals_what_was_written(tmp_path: Path) -> None:
    written = replace(
        snow_code(),
        formulas=(formula("(5.1)", "s = μ1 Ce Ct sk", "where sk is the ground load", clause="5.2"),),
        problems=(Problem("a page could not be read", 3, Box(3, 0.0, 0.0, 1.0, 1.0)), Problem("no title")),
    )
    with opened(tmp_path / "a", written, densities_code()) as store:
        assert store.document("DC-1-3") == written
        assert store.document("DC-1-1") == densities_code()


def test_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    first, second = (write(tmp_path / name, snow_code(), densities_code()) for name in "ab")
    assert first.read_bytes() == second.read_bytes()


def test_version_changes_with_the_content(tmp_path: Path) -> None:
    changed = replace(snow_code(), title="Snow and ice")
    with opened(tmp_path / "a", snow_code()) as before, opened(tmp_path / "b", changed) as after:
        assert before.version != after.version


def test_vectors_of_an_unchanged_document_can_be_used_again(tmp_path: Path) -> None:
    with opened(tmp_path / "a", snow_code(), densities_code()) as store:
        again = {
            info.id: tuple(store.vectors(chunks_within(store, "child", [info.id], []) or ()).values())
            for info in store.documents()
        }
        documents = [store.document(info.id) for info in store.documents()]
        write_library(tmp_path / "b", documents, vectors=again, meta=LibraryMeta("fake"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_parent_without_children_is_searched_itself() -> None:
    lonely = chunked(document(clauses=(clause("1", ""), clause("2", "One. Two."))))
    assert searchable(lonely) == (0, 2, 3)


def test_the_heading_path_is_read_by_the_models_once() -> None:
    chunk = replace(snow_code().chunks[0], context=("Snow loads", "Roofs"), title="Roofs")
    assert embedded_text(chunk).splitlines()[0] == "Snow loads > Roofs"


def test_two_documents_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="DC-1-3"):
        write(tmp_path / "a", snow_code(), snow_code())


def test_missing_vectors_are_refused_and_the_old_library_stays(tmp_path: Path) -> None:
    path = write(tmp_path / "a", densities_code())
    before = path.read_bytes()
    with pytest.raises(BadInput, match="vectors"):
        write_library(path, [snow_code()], vectors={"DC-1-3": [encoded("one")]})
    assert path.read_bytes() == before
    assert {item.name for item in tmp_path.iterdir()} == {"a"}


def test_a_failed_write_leaves_the_old_library_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "a", densities_code())
    before = path.read_bytes()

    def full_disk(*_: object) -> None:
        message = "database or disk is full"
        raise apsw.FullError(message)

    monkeypatch.setattr("appliance.store.write._write_vectors", full_disk)
    with pytest.raises(CannotWrite, match="disk is full"):
        write(path, snow_code())
    assert path.read_bytes() == before
    assert {item.name for item in tmp_path.iterdir()} == {"a"}


@pytest.mark.parametrize("left", [4, 64, 128, 200, 240])
def test_a_disk_that_fills_while_writing_is_told(tmp_path: Path, left: int) -> None:
    path = write(tmp_path / "a", densities_code())
    before = path.read_bytes()
    assert len(before) > left * 1024
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left * 1024, hard))
    try:
        with pytest.raises(CannotWrite):
            write(path, densities_code())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert {item.name for item in tmp_path.iterdir()} == {"a"}


def test_sources_and_images_are_kept(tmp_path: Path) -> None:
    source = SourceFile("codes/a.pdf", "ab" * 32, "DC-1-1")
    pages = replace(densities_code(), pages=(Page(1, 595.0, 842.0, "i"), Page(2, 595.0, 842.0, "ii", "ocr")))
    write_library(
        tmp_path / "a", [pages], images={"DC-1-1": {1: ("large.webp", "phone.webp")}}, manifest=[source]
    )
    with Store(tmp_path / "a") as store:
        assert store.sources() == (source,)
        assert [(item.large, item.phone) for item in store.pages("DC-1-1")] == [
            ("large.webp", "phone.webp"),
            ("", ""),
        ]


@pytest.mark.parametrize(
    "odd",
    [
        document(),
        document(clauses=(clause("5.1", "twice"), clause("5.1", "twice"))),
        document(clauses=(clause("1", parent="2"), clause("2", parent="1"))),
        document(clauses=(clause("a/b", "Part a, clause b"), clause("é", "\x00 control \ud7ff"))),
        document(tables=(table("Table 1", []),)),
    ],
    ids=["empty", "label twice", "parents in a circle", "odd labels", "empty table"],
)
def test_odd_documents_come_back_whole(odd: Document, tmp_path: Path) -> None:
    made = chunked(odd)
    with opened(tmp_path / "a", made) as store:
        assert store.document(odd.id) == made


def test_boxes_are_kept_to_five_decimals(tmp_path: Path) -> None:
    fine = Box(1, 0.123456, 0.2, 0.3, 1.0)
    made = document(tables=(replace(table("T", []), cells=(Cell(0, 0, "x", fine),), boxes=(fine,)),))
    with opened(tmp_path / "a", made) as store:
        found = store.table(made.id, Label(("T",)))
    assert found is not None
    assert found.boxes == (Box(1, 0.12346, 0.2, 0.3, 1.0),)


def test_long_text_is_kept(tmp_path: Path) -> None:
    text = "snow " * 100_000
    made = document(clauses=(replace(clause("1"), passage=Passage(text)), clause("2", passage("x").text)))
    with opened(tmp_path / "a", made) as store:
        found = store.clause(made.id, "1")
    assert found is not None
    assert found.passage.text == text
