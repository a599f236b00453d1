"""Lists in the text of a code: what introduces each item, and where a list may not be taken apart.

Rules of this module: pure functions of text; a text is a sentence, as `sentence_spans` cuts them. An item
needs all that stands over it, an item of an inner list the outer item too. A list whose introduction is a
condition or a choice ("where all of these apply:", "one of the following:") is one thing: its items are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from appliance.answer.writing.words import any_of, words

Path = tuple[int, ...]  # what introduces a sentence, the outermost first

MARK = re.compile(r"\s*(?:([–—•·-])|\(?(?:([a-z]|[ivx]+)|(\d{1,2}))[).]P?)\s")  # how an item begins
_OPEN = re.compile(r":\s*$")
_ENDED = re.compile(r"[.!?]\s*$")
_PARAGRAPH = re.compile(r"(?:^|\s)\(?\d{1,2}[).]P?\s")
_ROMAN = re.compile(r"[ivx]+")
_NUMBERED = re.compile(r"\s*(?:\(\d{1,2}[a-z]?\)P?|(?:[A-Z]\.)?\d+(?:\.\d+)+\.?)\s")
_BRACKETED = re.compile(r"\s*\((?!(?:\w{1,3})\))")  # a remark, no mark of an item


def paths(texts: Sequence[str]) -> list[Path]:
    """Return for each sentence the sentences that introduce it, as indices."""
    found: list[Path] = []
    stack: list[tuple[int, str, str]] = []  # where, kind of mark, mark
    for at, text in enumerate(texts):
        mark = MARK.match(text)
        if mark is None:
            if opens(text) or not _ENDED.search(text) or not stack:
                stack = [(at, "", "")]
            found.append(())
            continue
        kind, sign = _kind(mark, stack)
        if kind in {own for _, own, _ in stack}:
            while stack.pop()[1] != kind:
                pass
        if kind == "1" and stack and not stack[0][1] and not _introduces(texts[stack[0][0]], kind):
            stack = []  # the next numbered paragraph
        over = tuple(n for n, own, _ in stack if own or _introduces(texts[n], kind))
        found.append(over)
        stack.append((at, kind, sign))
    return found


def whole_lists(texts: Sequence[str], over: Sequence[Path]) -> list[range]:
    """Return the stretches of sentences that are one thing: introduction and items."""
    found = []
    for first in sorted({n for path in over for n in path}):
        last = max(n for n, path in enumerate(over) if first in path)
        items = texts[first + 1 : last + 1]
        if binds(texts[first]) or any(_chosen().search(item) for item in items):
            found.append(range(first, last + 1))
    return found


def opens(text: str) -> bool:
    """Tell whether a sentence introduces what follows."""
    return bool(_OPEN.search(text))


def binds(introduction: str) -> bool:
    """Tell whether what introduces a list makes its items one condition or one choice."""
    return bool(_binding().search(introduction))


def leans(text: str) -> bool:
    """Tell whether a sentence speaks of the one before it ("This does not apply …")."""
    return bool(_leaning().match(MARK.sub("", text, count=1).strip()))


def restricts(text: str) -> bool:
    """Tell whether a sentence takes back some of what the one before it says."""
    if _restricting().match(text.strip()) or _anywhere("exempting").search(text) or _BRACKETED.match(text):
        return True
    speaks = leans(text) or _anywhere("speaking").search(text)
    return bool(speaks and (_anywhere("taking_back").search(text) or _narrowing().match(text.strip())))


def taken_back(texts: Sequence[str], last: int) -> bool:
    """Tell whether what follows a sentence in its paragraph takes back some of it.

    At once, or further on where it leans: "Rails are needed. They are solid. This does not apply to sheds."
    """
    for at in range(last + 1, len(texts)):
        if starts_paragraph(texts[at]):
            return False
        if restricts(texts[at]) and (at == last + 1 or leans(texts[at])):
            return True
    return False


def announced(texts: Sequence[str], first: int) -> bool:
    """Tell whether a sentence before it in its paragraph says when it holds ("the following applies …")."""
    for at in range(first, 0, -1):
        if starts_paragraph(texts[at]):
            return False
        if _anywhere("announcing").search(texts[at - 1]):
            return True
    return False


def starts_paragraph(text: str) -> bool:
    """Tell whether a sentence begins a numbered paragraph or clause."""
    return _NUMBERED.match(text) is not None


def _introduces(text: str, kind: str) -> bool:
    """Tell whether a sentence without a mark introduces items; numbered paragraphs need a colon over them.

    "(2)" behind "4.2 (1) Where:" is the next paragraph, no item.
    """
    if kind == "1":
        return opens(text) and not _PARAGRAPH.search(text)
    return opens(text) or not _ENDED.search(text)


def _kind(mark: re.Match[str], stack: Sequence[tuple[int, str, str]]) -> tuple[str, str]:
    """Return the kind of a mark ("-", "a", "i", "1") and the mark; "i" behind "h" is a letter."""
    dash, letters, _ = mark.groups()
    if dash or not letters:
        return ("-", dash) if dash else ("1", "")
    before = next((sign for _, kind, sign in reversed(stack) if kind == "a"), "")
    follows = len(letters) == 1 and before and ord(letters) == ord(before) + 1
    roman = _ROMAN.fullmatch(letters) and not follows
    return ("i" if roman else "a"), letters


@cache
def _binding() -> re.Pattern[str]:
    return re.compile(any_of(words()["binding"]), re.IGNORECASE)


@cache
def _chosen() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['choosing'])})\W*$", re.IGNORECASE)


@cache
def _leaning() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of([*words()['leaning'], *words()['restricting']])})", re.IGNORECASE)


@cache
def _restricting() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['restricting'])})", re.IGNORECASE)


@cache
def _narrowing() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['narrowing'])})", re.IGNORECASE)


@cache
def _anywhere(name: str) -> re.Pattern[str]:
    return re.compile(any_of(words()[name]), re.IGNORECASE)
