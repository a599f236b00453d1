"""A document that someone uploads, as paragraphs of text."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from appliance.citing.values import Paragraph, Reviewed
from appliance.core import child
from appliance.core.errors import UnreadableUpload
from appliance.core.settings import CitingSettings

KIB = 1024
WRAPPED = 50  # characters of the longest line of a text whose paragraphs go over several lines
FULL = 0.6  # of the longest line: a shorter one ends its paragraph
ODD, ODD_AMONG = 0.01, 100_000  # a greater share of signs that no text has, among so many, is of no text
SPOKEN = 8  # bytes of JSON for one character, and more
_LISTED = re.compile(r"\s*(?:[-*•+|#>]|\(?[a-z\d]{1,3}[.)]\s|\d+(?:\.\d+)*\s)")
_MARKUP = re.compile(r"^\s*#{1,6}\s+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|\[(?=[^\]]*\]\()|\]\([^)]*\)")
_OTHERS = (
    (b"\xd0\xcf\x11\xe0", "it is an old or encrypted Office file; save it as DOCX, without a password"),
    (b"{\\rtf", "it is RTF; save it as DOCX or PDF"),
    (b"\x89PNG", "it is a picture; its text cannot be read here"),
    (b"\xff\xd8\xff", "it is a picture; its text cannot be read here"),
)  # fmt: skip


def read_upload(name: str, data: bytes, limits: CitingSettings) -> Reviewed:
    """Return the text of a document.

    Raises:
        UnreadableUpload: it is empty, too big, of another kind, encrypted, damaged or without text.
    """
    if not data.strip():
        raise UnreadableUpload(name, "it is empty")
    if len(data) > limits.upload_kib * KIB:
        why = f"it has {len(data) // KIB} KiB, the limit is {limits.upload_kib} KiB"
        raise UnreadableUpload(name, why, too_big=True)
    if b"%PDF-" in data[:1024]:
        return _in_child(name, "pdf", data, limits)
    if data.startswith(b"PK"):
        return _in_child(name, "docx", data, limits)
    for start, why in _OTHERS:
        if data.startswith(start):
            raise UnreadableUpload(name, why)
    return read_text(name, _decoded(data), limits)


def read_text(name: str, text: str, limits: CitingSettings) -> Reviewed:
    """Return a text or Markdown as paragraphs, each with the number of its first line.

    Raises:
        UnreadableUpload: it is empty, too big, or bytes of another kind.
    """
    if not text.strip():
        raise UnreadableUpload(name, "it is empty")
    beginning = text[:ODD_AMONG]
    odd = sum(
        sign not in "\t\n\r\f" and (sign < " " or sign == "\N{REPLACEMENT CHARACTER}") for sign in beginning
    )
    if "\x00" in text or odd > ODD * len(beginning):
        raise UnreadableUpload(name, "it is neither PDF, DOCX nor text")
    if len(text) > limits.characters:
        why = f"it has {len(text)} characters, the limit is {limits.characters}"
        raise UnreadableUpload(name, why, too_big=True)
    return Reviewed(name, "line", tuple(_paragraphs(text.replace("\r\n", "\n").replace("\r", "\n"))))


def joined(lines: list[str]) -> tuple[str, tuple[int, ...]]:
    """Return printed lines as one text, and where in it the lines behind the first begin.

    A word parted at the end of a line is whole again.
    """
    whole = ""
    begins: list[int] = []
    for line in filter(None, (" ".join(line.split()) for line in lines)):
        parted = whole.endswith(("-", "\N{SOFT HYPHEN}")) and len(whole) > 1 and not whole[-2].isspace()
        if parted and whole[-2].isalpha() and line[0].islower():
            whole = whole[:-1]
        whole += line if parted or not whole else f" {line}"
        begins.append(len(whole) - len(line))
    return whole, tuple(begins[1:])


def _paragraphs(text: str) -> Iterator[Paragraph]:
    raw = text.split("\n")
    held: list[str] = []
    first = longest = 0
    for number, (printed, line) in enumerate((*((line, _MARKUP.sub("", line)) for line in raw), ("", "")), 1):
        # A line that was broken because it was full goes on; one that is shorter ends its paragraph.
        full = held and longest >= WRAPPED and len(held[-1]) >= FULL * longest
        if held and (not line.strip() or _LISTED.match(printed) or not full):
            whole, begins = joined(held)
            yield Paragraph(whole, first, begins)
            held, longest = [], 0
        if line.strip():
            first = first if held else number
            held.append(line)
            longest = max(longest, len(line))


def _decoded(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _in_child(name: str, kind: str, data: bytes, limits: CitingSettings) -> Reviewed:
    """Run the process over the document and return what it says; it is gone when this returns."""
    numbers = (limits.seconds, limits.memory_mib, limits.characters, limits.pages, limits.unpacked_mib)
    command = [sys.executable, "-I", "-m", "appliance.citing.child", kind, *map(str, numbers)]
    most = SPOKEN * limits.characters + 64 * KIB * KIB
    try:
        done = child.run(command, seconds=limits.seconds, env={"PATH": os.defpath}, given=data, most=most)
        said: dict[str, Any] = dict(json.loads(done.out))
    except subprocess.TimeoutExpired:
        raise UnreadableUpload(name, f"reading it took more than {limits.seconds:g} seconds") from None
    except ValueError:  # nothing, or only the end of what is longer than it may be
        raise UnreadableUpload(name, "the reader ended without a result; it may be damaged") from None
    if "refused" in said:
        raise UnreadableUpload(name, str(said["refused"]))
    paragraphs = tuple(
        Paragraph(joined(text.split("\n"))[0], int(number))
        for text, number in said["paragraphs"]
        if text.strip()
    )
    return Reviewed(name, "page" if kind == "pdf" else "paragraph", paragraphs, tuple(said["problems"]))
