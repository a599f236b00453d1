"""The file of checked pages: what it keeps, and what it never loses."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadInput, CannotWrite
from appliance.quality.checked import checked_file, page_numbers, read_checked, write_checked


@pytest.mark.parametrize(
    ("text", "pages"),
    [("3", (3,)), ("3,1", (1, 3)), ("2-4", (2, 3, 4)), (" 2 – 3 , 3", (2, 3)), ("20", (20,))],
)
def test_pages_as_people_write_them(text: str, pages: tuple[int, ...]) -> None:
    assert page_numbers(text, 20) == pages


@pytest.mark.parametrize("text", ["", "0", "21", "3-2", "a", "1,,2", "-3", "1-99", "1;2", "9" * 5000])
def test_pages_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="names no pages"):
        page_numbers(text, 20)


def test_checks_are_kept_by_document_and_by_the_very_pdf(tmp_path: Path) -> None:
    library = tmp_path / "codes.db"
    assert read_checked(library, "A", "1") == {}
    write_checked(library, "A", "1", (3, 1), "2025-01-01")
    write_checked(library, "B", "2", (9,), "2025-01-01")
    write_checked(library, "A", "1", (3, 4), "2025-02-02")  # the first day of a page stays
    assert read_checked(library, "A", "1") == {1: "2025-01-01", 3: "2025-01-01", 4: "2025-02-02"}
    write_checked(library, "A", "1", (1, 7), "2025-03-03", undo=True)
    assert read_checked(library, "A", "1") == {3: "2025-01-01", 4: "2025-02-02"}
    assert read_checked(library, "A", "another edition") == {}
    write_checked(library, "A", "another edition", (5,), "2025-04-04")
    assert read_checked(library, "A", "another edition") == {5: "2025-04-04"}
    assert read_checked(library, "B", "2") == {9: "2025-01-01"}
    assert [path.name for path in tmp_path.iterdir()] == ["codes.db.checked.json"]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"A": 3}', '{"A": {"sha256": "1"}}', '{"A": {"sha256": "1", "pages": {"x": "day"}}}',
     '{"A": {"sha256": "1", "pages": {"3": 4}}}', "\udcff"],
)  # fmt: skip
def test_a_damaged_file_is_told_and_never_overwritten(content: str, tmp_path: Path) -> None:
    path = checked_file(tmp_path / "codes.db")
    path.write_bytes(content.encode(errors="surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(BadInput, match="no list of checked pages"):
        read_checked(tmp_path / "codes.db", "A", "1")
    with pytest.raises(BadInput, match="no list of checked pages"):
        write_checked(tmp_path / "codes.db", "A", "1", (3,), "2025-01-01")
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite):
        write_checked(tmp_path / "gone" / "codes.db", "A", "1", (3,), "2025-01-01")
