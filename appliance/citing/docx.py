"""The text of a DOCX: paragraphs of the body with its tables and text boxes, of notes, heads and feet."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from appliance.citing.lockdown import Limits, Refused, cut

MIB = 1024 * 1024
PARTS = ("word/document", "word/footnotes", "word/endnotes", "word/header", "word/footer")
MOST_PARTS = 5_000
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BREAKS = {f"{_W}tab": " ", f"{_W}br": " ", f"{_W}cr": " ", f"{_W}noBreakHyphen": "-"}
_SKIPPED = frozenset(
    {f"{_W}del", f"{_W}moveFrom", "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)


def example(text: str = "An example") -> bytes:
    """Return a DOCX of one paragraph, to be read once before the lock: codecs are loaded when first used."""
    made = io.BytesIO()
    run = f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"
    body = f'<w:document xmlns:w="{_W[1:-1]}"><w:body>{run}</w:body></w:document>'
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", body)
    return made.getvalue()


def read_docx(data: bytes, limits: Limits) -> dict[str, Any]:
    """Return the paragraphs of a DOCX, numbered from 1."""
    try:
        packed = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise Refused("it is damaged, or no DOCX") from None
    with packed:
        entries = packed.infolist()
        if len(entries) > MOST_PARTS or sum(entry.file_size for entry in entries) > limits.unpacked_mib * MIB:
            raise Refused(f"it unpacks to more than {limits.unpacked_mib} MiB")
        if "word/document.xml" not in packed.namelist():
            raise Refused("it is a packed file, but no DOCX")
        texts = [
            text
            for name in PARTS
            for entry in sorted(entries, key=lambda entry: entry.filename)  # "word/header1.xml"
            if entry.filename.startswith(name) and entry.filename.endswith(".xml")
            for text in _texts(packed, entry, limits)
        ]
    if not texts:
        raise Refused("it has no text")
    return cut([(text, number) for number, text in enumerate(texts, 1)], limits, [])


def _texts(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> Iterator[str]:
    if entry.flag_bits & 1:
        raise Refused("it is encrypted; save it without a password")
    with packed.open(entry) as part:
        xml = part.read(limits.unpacked_mib * MIB + 1)
    if len(xml) > limits.unpacked_mib * MIB:
        raise Refused(f"it unpacks to more than {limits.unpacked_mib} MiB")
    if b"<!DOCTYPE" in xml or b"<\x00!\x00D\x00O" in xml:
        raise Refused("it holds a document type, which no DOCX has")
    for paragraph in ET.fromstring(xml).iter(f"{_W}p"):  # noqa: S314 - see the import
        text = "".join(_runs(paragraph)).strip()
        if text:
            yield text


def _runs(element: ET.Element) -> Iterator[str]:
    """Yield the text of a paragraph; a paragraph inside it (of a text box) is one of its own."""
    for child in element:
        if child.tag in _SKIPPED or child.tag == f"{_W}p":
            continue
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag in _BREAKS:
            yield _BREAKS[child.tag]
        else:
            yield from _runs(child)
