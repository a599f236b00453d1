"""What a person says of documents: read whole, or refused with the line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.core.document import Box, Problem
from appliance.core.errors import BadInput
from appliance.ingest.overrides import Override, fingerprint, keep_status, load_overrides, remarks
from tests.factories import document


def write(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "documents.toml").write_text(text, encoding="utf-8")
    return folder


def test_no_file_says_nothing(tmp_path: Path) -> None:
    assert load_overrides([tmp_path]) == {}


def test_all_that_can_be_said(tmp_path: Path) -> None:
    write(
        tmp_path,
        '["BS-EN 1"]\nstatus = "withdrawn"\nsupersedes = "DC 1:2001"\nedition = " third "\n'
        '[NA]\nnational_annex_to = "BS-EN 1"\ndesignation = "NA to BS EN 1"\n',
    )
    assert load_overrides([tmp_path, tmp_path]) == {
        "BS-EN 1": Override(status="withdrawn", supersedes=("DC 1:2001",), edition="third"),
        "NA": Override(national_annex_to="BS-EN 1", designation="NA to BS EN 1"),
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[A]\nstatus = "in force"\n\n[B]\nstatus = "old"\n', 'line 5: status must be one of "in force"'),
        ('[A]\nstatsu = "in force"\n', "line 2: unknown key 'statsu'. Known are: designation, edition"),
        ('[A]\nedition = ""\n', "line 2: edition must be a text that is not empty"),
        ("[A]\nedition = 2003\n", "line 2: edition must be a text"),
        ("[A]\nsupersedes = [1]\n", "line 2: supersedes must be a list of ids or designations"),
        ('[A]\nsupersedes = ["A"]\n', "A cannot replace or belong to itself"),
        ('A = "withdrawn"\n', "line 1: A must be a table"),
        ('[A]\nstatus = "in force\n', "line 2 is no TOML"),
        ('[A]\nstatus = "withdrawn"\n[A]\n', "line 3 is no TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=r"documents\.toml") as caught:
        load_overrides([write(tmp_path, text)])
    assert words in str(caught.value)


def test_bytes_that_are_no_text_are_said_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "documents.toml").write_bytes(b'[A]\nedition = "\xff"\n')
    with pytest.raises(BadInput, match="line 2 is no UTF-8 text"):
        load_overrides([tmp_path])


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    (tmp_path / "documents.toml").write_bytes(b'\xef\xbb\xbf[A]\r\nedition = "2"\r\n')
    assert load_overrides([tmp_path]) == {"A": Override(edition="2")}


def test_two_folders_may_not_speak_of_one_document(tmp_path: Path) -> None:
    one, two = (write(tmp_path / name, '[A]\nedition = "2"\n') for name in ("one", "two"))
    with pytest.raises(BadInput, match="Leave one of the two"):
        load_overrides([one, two])


def test_a_status_that_was_kept_goes_before_the_files(tmp_path: Path) -> None:
    write(tmp_path, '[A]\nstatus = "withdrawn"\nedition = "third"\n')
    library = tmp_path / "codes.db"
    keep_status(library, "A", "in force")
    keep_status(library, 'B "2"', "superseded")
    said = load_overrides([tmp_path], library)
    assert said == {
        "A": Override(edition="third", status="in force"),
        'B "2"': Override(status="superseded"),
    }


def test_what_concerns_a_whole_document_comes_first() -> None:
    stray = Problem("a stray sign", 3), Problem("a stray sign", 3, Box(3, 0.1, 0.1, 0.2, 0.2))  # told once
    one = replace(document(), problems=(*stray, Problem("a namesake")))
    said = remarks((one,), {"DC-1-3": Override(), "GONE": Override(edition="2")})
    assert [(name, page) for name, page, _ in said] == [("GONE", 0), ("DC-1-3", 0), ("DC-1-3", 3)]
    assert "no such PDF" in said[0][2]


def test_the_fingerprint_changes_with_what_is_said() -> None:
    one, two = {"A": Override(edition="1")}, {"A": Override(edition="2")}
    assert fingerprint(one) != fingerprint(two) != fingerprint({})
    assert fingerprint({"A": Override(), "B": Override()}) == fingerprint({"B": Override(), "A": Override()})
