"""Documents as people send them, and as nobody should."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from dataclasses import replace
from typing import Any

import pymupdf
import pytest

from appliance.citing.docx import example
from appliance.citing.reading import joined, read_text, read_upload
from appliance.core.errors import UnreadableUpload
from appliance.core.settings import CitingSettings

LIMITS = CitingSettings()
tools: Any = pymupdf  # no type information of its parts
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(*pages: str, password: str = "") -> bytes:
    made: Any = tools.open()
    for text in pages:
        made.new_page().insert_text((72, 72), text)
    if not password:
        return bytes(made.tobytes())
    return bytes(made.tobytes(encryption=tools.PDF_ENCRYPT_AES_256, user_pw=password, owner_pw=password))


def docx(body: str, more: dict[str, str] | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "word/document.xml", f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
        )
        for name, text in (more or {}).items():
            packed.writestr(name, text)
    return made.getvalue()


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\nTwo.", [("One.", 1), ("Two.", 3)]),
        ("# Head\ntext below", [("Head", 1), ("text below", 2)]),
        ("- first\n- second", [("- first", 1), ("- second", 2)]),
        ("3.1 First\n3.2 Second", [("3.1 First", 1), ("3.2 Second", 2)]),
        (
            "A line that is so full that it had to be broken, as in EN 1991-1-\n3, clause 5.",
            [("A line that is so full that it had to be broken, as in EN 1991-1-3, clause 5.", 1)],
        ),
        ("Short line\nanother", [("Short line", 1), ("another", 2)]),
        ("**Bold** and _thin_ [link](http://x)", [("Bold and thin link", 1)]),
        ("a\r\n\r\nb\rc", [("a", 1), ("b", 3), ("c", 4)]),
    ],
)
def test_a_text_has_paragraphs_with_the_line_they_start_on(
    text: str, expected: list[tuple[str, int]]
) -> None:
    assert [(each.text, each.number) for each in read_text("", text, LIMITS).paragraphs] == expected


def test_each_place_of_a_paragraph_has_its_line() -> None:
    lines = [
        "A line that is so full that it had to be broken, as in EN 1991-1-",
        "3, clause 5, and it goes on with more of the same,",
    ]
    (paragraph,) = read_text("", "\n".join(["", *lines, "Table 2 of rein-"]), LIMITS).paragraphs
    places = [paragraph.text.index(text) for text in ("A line", "EN 1991", "clause", "Table 2")]
    assert [paragraph.at(place) for place in places] == [2, 2, 3, 4]


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["EN 1991-1-", "3:2003"], "EN 1991-1-3:2003"),
        (["rein-", "forced"], "reinforced"),
        (["self-", "Weight"], "self-Weight"),
        (["a –", "b"], "a – b"),
        (["a -", "b"], "a - b"),
        (["", " a  b ", ""], "a b"),
        ([], ""),
    ],
)
def test_a_word_parted_at_the_end_of_a_line_is_whole(lines: list[str], whole: str) -> None:
    assert joined(lines)[0] == whole


@pytest.mark.parametrize("data", ["Maß 5 °".encode(), "Maß 5 °".encode("cp1252"), "Maß 5 °".encode("utf-16")])
def test_text_in_any_common_encoding(data: bytes) -> None:
    assert [each.text for each in read_upload("", data, LIMITS).paragraphs] == ["Maß 5 °"]


def test_a_pdf_has_pages_and_says_which_have_no_text() -> None:
    text = read_upload("s.pdf", pdf("See EN 1991-1-\n3, Table 5.2", "", "Third"), LIMITS)
    assert [(each.text, each.number) for each in text.paragraphs] == [
        ("See EN 1991-1-3, Table 5.2", 1),
        ("Third", 3),
    ]
    assert text.problems == ("1 pages have no text and were not read: 2.",)


def test_a_docx_has_tables_notes_boxes_and_no_deleted_text() -> None:
    body = (
        f"<w:p>{run('One')}<w:r><w:noBreakHyphen/></w:r>{run('two')}<w:del>{run('gone')}</w:del></w:p>"
        f"<w:tbl><w:tr><w:tc><w:p>{run('cell')}</w:p></w:tc></w:tr></w:tbl>"
        f"<w:p>{run('outer')}<w:r><w:pict><w:p>{run('in a box')}</w:p></w:pict></w:r></w:p>"
    )
    note = f'<w:footnotes xmlns:w="{W}"><w:footnote><w:p>{run("in a note")}</w:p></w:footnote></w:footnotes>'
    found = read_upload("s.docx", docx(body, {"word/footnotes.xml": note}), LIMITS).paragraphs
    assert [each.text for each in found] == ["One-two", "cell", "outer", "in a box", "in a note"]


ENTITIES = "<!DOCTYPE x [" + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9)) + "]>"
BOMB = {"word/media/image.xml": "0" * (3 * 1024 * 1024)}


@pytest.mark.parametrize(
    ("data", "limits", "words"),
    [
        (b"", LIMITS, "it is empty"),
        (b" \n\t ", LIMITS, "it is empty"),
        (b"\x00\x01\x02\x03" * 99, LIMITS, "neither PDF, DOCX nor text"),
        (b"x" * 3_000, replace(LIMITS, upload_kib=2), "the limit is 2 KiB"),
        (b"x" * 3_000, replace(LIMITS, characters=2_000), "the limit is 2000"),
        (b"%PDF-1.7 and nothing", LIMITS, "damaged, or no PDF"),
        (pdf("secret", password="key"), LIMITS, "encrypted"),
        (pdf("a", "b", "c"), replace(LIMITS, pages=2), "3 pages, the limit is 2"),
        (pdf(""), LIMITS, "no page of it has text"),
        (b"PK\x03\x04 and nothing", LIMITS, "damaged, or no DOCX"),
        (docx("", {"xl/workbook.xml": "x"})[:-9], LIMITS, "no DOCX"),
        (docx(f"<w:p>{run('a')}</w:p>", BOMB), replace(LIMITS, unpacked_mib=2), "unpacks to more than 2 MiB"),
        (docx("<w:p>"), LIMITS, "damaged"),
        (docx(""), LIMITS, "it has no text"),
        (
            docx(f"<w:p>{run('a')}</w:p>", {"word/footnotes.xml": f"{ENTITIES}<x>&a9;</x>"}),
            LIMITS,
            "document type",
        ),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 99, LIMITS, "save it as DOCX"),
        (b"{\\rtf1 text}", LIMITS, "it is RTF"),
        (b"\x89PNG\r\n\x1a\n", LIMITS, "it is a picture"),
        (pdf("slow"), replace(LIMITS, seconds=0.01), "took more than 0.01 seconds"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(data: bytes, limits: CitingSettings, words: str) -> None:
    with pytest.raises(UnreadableUpload, match=words) as refused:
        read_upload("spec", data, limits)
    assert str(refused.value).startswith("spec was not read: ")


@pytest.mark.parametrize("text", ["See DC 1-3:2024\x07\x01, \x02 Table 1", "\ufffdS\ufffd BS 5950\ufffd"])
def test_a_text_of_bytes_that_are_none_cites_nothing(text: str) -> None:
    with pytest.raises(UnreadableUpload, match="neither PDF, DOCX nor text"):
        read_text("", text, LIMITS)


def test_a_folder_that_lies_about_its_size_is_refused() -> None:
    honest = bytearray(docx(f"<w:p>{run('a' * 3_000_000)}</w:p>"))
    at = honest.rindex(b"PK\x01\x02")
    honest[at + 24 : at + 28] = (1_000).to_bytes(4, "little")  # the size that the folder says to unpack to
    with pytest.raises(UnreadableUpload):
        read_upload("spec", bytes(honest), replace(LIMITS, unpacked_mib=2))


def test_a_text_past_the_limit_ends_there_and_says_so() -> None:
    text = read_upload("s.pdf", pdf("first", "x" * 60), replace(LIMITS, characters=50))
    assert [each.text for each in text.paragraphs] == ["first"]
    assert text.problems == ("Only the first 50 characters were read.",)


TRIES = {
    "open a file": "open('/etc/hostname').read()",
    "write a file": "open('/tmp/written', 'w').write('x')",
    "write to what is open": "os.write(kept, b'x' * 9)",
    "make a folder": "os.mkdir('/tmp/made-by-the-reader')",
    "remove a file": "os.unlink(victim)",
    "open a socket": "socket.socket()",
    "start a process": "os.posix_spawn('/bin/true', ['true'], {})",
    "take memory": "bytearray(400 * 1024 * 1024)",
}


@pytest.mark.parametrize("attempt", TRIES, ids=list(TRIES))
def test_the_process_that_reads_can_do_nothing_else(attempt: str, tmp_path: object) -> None:
    victim = f"{tmp_path}/victim"
    program = f"""
import os, signal, socket
from appliance.citing.lockdown import lock
victim = {victim!r}
kept = os.open(victim, os.O_CREAT | os.O_WRONLY)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
lock(10, 300)
try:
    {TRIES[attempt]}
except (OSError, MemoryError) as error:
    print("refused")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "refused", done.stderr


def test_the_example_is_read() -> None:
    assert [each.text for each in read_upload("", example("One"), LIMITS).paragraphs] == ["One"]


@pytest.mark.parametrize(
    ("landlock", "descriptors", "locked"),
    [(True, True, True), (True, False, True), (False, True, True), (False, False, False)],
)
def test_nothing_is_read_where_no_lock_holds(landlock: bool, descriptors: bool, locked: bool) -> None:
    program = f"""
import resource, sys
from appliance.citing import child, lockdown
set_limit = resource.setrlimit
def limited(kind, bounds):
    if kind == resource.RLIMIT_NOFILE and not {descriptors}:
        raise OSError
    if kind != resource.RLIMIT_AS:
        set_limit(kind, bounds)
resource.setrlimit = limited
lockdown._forbid = lambda: {landlock}
child.main("docx", "30", "1024", "1000", "10", "10")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], input=example("One"), capture_output=True, timeout=60, check=False
    )
    assert (b"cannot lock" in done.stdout) is not locked, done.stderr
    assert (b"One" in done.stdout) is locked
