"""Printed lines joined into running text, each stretch still knowing its line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from appliance.core.document import LineSpan, Passage
from appliance.core.files import shipped
from appliance.ingest.page import Line, PageContent, PageLayout, box_on

LONGEST = 80  # signs of a word that a hyphen may part
SOFT = "\u00ad"
_HYPHENS = "-\u2010" + SOFT
_PARTED = re.compile(r"([A-Za-zÀ-ÿ]+)[-\u2010] ([a-zà-ÿ]+)")
_SOFT_PARTED = re.compile(rf"([A-Za-zÀ-ÿ]+){SOFT}\s+([a-zà-ÿ]+)")
_TAIL = re.compile(rf"([A-Za-zÀ-ÿ]+)[{_HYPHENS}]$")
_HEAD = re.compile(r"([a-zà-ÿ]+)")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:-[A-Za-zÀ-ÿ]+)*")


def vocabulary(layouts: Iterable[PageLayout]) -> frozenset[str]:
    """Return the words that the document prints inside its lines, lower case, hyphens kept."""
    words: set[str] = set()
    for page in layouts:
        for line in page.lines:
            inner = line.text.rsplit(" ", 1)[0] if line.text[-1:] in _HYPHENS else line.text
            words.update(match.group().lower() for match in _WORD.finditer(inner))
    return frozenset(words)


def join_lines(
    lines: Sequence[Line],
    pages: Mapping[int, PageContent],
    words: frozenset[str] = frozenset(),
    *,
    skip: int = 0,
    breaks: Collection[int] = (),
) -> Passage:
    """Return the lines as one passage.

    `pages` gives the page sizes by number; `words` the document's vocabulary; `skip` characters of
    the first line are left out (its marker); `breaks` are the positions of lines that start a
    paragraph, which get a line break before them.
    """
    text = ""
    spans: list[LineSpan] = []
    for position, line in enumerate(lines):
        piece = _inner_hyphens((line.text[skip:] if position == 0 else line.text).strip())
        if not piece:
            continue
        if text and position in breaks:
            text += "\n"
        elif text:
            text = _joint(text, piece, words)
        start = len(text)
        text += piece
        page = pages[line.page]
        spans.append(LineSpan(start, len(text), box_on(page, line.x0, line.y0, line.x1, line.y1)))
    return _without_soft_hyphens(text, spans)


def whole_words(title: str, words: frozenset[str]) -> str:
    """Return a title of several lines with its parted words whole, as far as the document prints them so."""

    def whole(match: re.Match[str]) -> str:
        tail, head = match[1].lower(), match[2]
        if tail + head in words:
            return match[1] + head
        return f"{match[1]}-{head}" if f"{tail}-{head}" in words else match[0]

    def soft(match: re.Match[str]) -> str:
        suspended = is_suspended(match[1], match[2], words)
        return f"{match[1]}- {match[2]}" if suspended else match[1] + match[2]

    title = re.sub(rf"(?<!\w){SOFT}|(?<=\d){SOFT}\s*|{SOFT}\s*(?=\d)|{SOFT}(?=[,;/)])", "-", title)
    return _PARTED.sub(whole, re.sub(rf"{SOFT}\s*", "", _SOFT_PARTED.sub(soft, title)))


def _joint(text: str, piece: str, words: frozenset[str]) -> str:
    """Return the text so far as the next line continues it: a space added, or a hyphen mended."""
    tail, head = _TAIL.search(text[-LONGEST:]), _HEAD.match(piece)
    if tail and head and is_suspended(tail[1], head[1], words):
        return f"{text[:-1]}{'-' if text.endswith(SOFT) else text[-1]} "
    if text.endswith(SOFT):
        hyphened = bool(tail and head and f"{tail[1]}-{head[1]}".lower() in words)
        return _soft_joint(text[:-1], piece, hyphened=hyphened)
    if not tail or not head:
        return f"{text} "
    return text[:-1] if _parts_a_word(tail.group(1).lower(), head.group(1), words) else text


def is_suspended(tail: str, head: str, words: frozenset[str]) -> bool:
    """Tell whether a hyphen stands for what follows later ("pre- and post-tensioned"), and parts no word."""
    return head in shipped("hyphens")["suspended"] and (tail + head).lower() not in words


def _soft_joint(text: str, piece: str, *, hyphened: bool) -> str:
    """Return the text before a soft hyphen at the end of its line as the next line continues it.

    `hyphened` tells that the document writes the word with a hyphen where no line ends.
    """
    parts = text[-1:].isalpha() and piece[:1].isalpha() and not hyphened
    return text if parts else f"{text}-"


def _inner_hyphens(piece: str) -> str:
    """Return a line with hyphens for the soft ones but one that ends it behind a letter."""
    ends = piece.endswith(SOFT) and (piece[-2:-1].isalpha() or piece[-2:-1].isdigit())
    return piece[:-1].replace(SOFT, "-") + (piece[-1:] if ends else piece[-1:].replace(SOFT, "-"))


def _parts_a_word(tail: str, head: str, words: frozenset[str]) -> bool:
    """Tell whether the hyphen between the two stands only because the line ended."""
    if tail + head in words:
        return f"{tail}-{head}" not in words
    if f"{tail}-{head}" in words:
        return False
    return not (tail in words and head in words)


def _without_soft_hyphens(text: str, spans: list[LineSpan]) -> Passage:
    if SOFT not in text:
        return Passage(text, tuple(_clipped(text, spans)))
    kept = [0]
    for char in text:
        kept.append(kept[-1] + (char != SOFT))
    text = text.replace(SOFT, "")
    moved = [LineSpan(kept[span.start], kept[span.end], span.box) for span in spans]
    return Passage(text, tuple(_clipped(text, moved)))


def _clipped(text: str, spans: list[LineSpan]) -> Iterable[LineSpan]:
    """Yield the spans in order, none reaching over the next (a mended hyphen shortens its line)."""
    for position, span in enumerate(spans):
        limit = spans[position + 1].start if position + 1 < len(spans) else len(text)
        yield LineSpan(span.start, min(span.end, limit), span.box)
