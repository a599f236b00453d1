"""Lists in the text of a code: what introduces each item, and where a list may not be taken apart.

Rules of this module: pure functions of text; a text is a sentence, as `sentence_spans` cuts them. An item
needs all that stands over it, an item of an inner list the outer item too. A list whose introduction is a
condition or a choice ("where all of these apply:", "one of the following:") is one thing: its items are not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

from appliance.answer.writing.words import any_of, content, pointing, words
from appliance.numbers import COUNTED, MARKED, PARAGRAPH

Path = tuple[int, ...]  # what introduces a sentence, the outermost first
Stack = list[tuple[int, str, str]]  # where, kind of mark, mark

MARK = re.compile(r"\s*(?:([–—•·-])|\(?(?:([a-z]|[ivx]+)|(\d{1,2}))[).]P?)\s")  # how an item begins
_OPEN = re.compile(r":\s*$")
ENDED = re.compile(r"[.!?]\s*$")
_PARAGRAPH = re.compile(rf"(?:^|\s)(?:{PARAGRAPH}|\(?\d{{1,2}}[).]P?)\s")
_ROMAN = re.compile(r"[ivx]+")
_NUMBERED = re.compile(rf"\s*(?:\({COUNTED}[a-z]?\){MARKED}|(?:[A-Z]\.)?\d+(?:\.\d+)+\.?)\s")
_NOTE = re.compile(r"\s*NOTES?\b\s*\d*\s*[:.–—-]?\s*")
_BRACKETED = re.compile(r"\s*\((?!(?:\w{1,3})\))")  # a remark, no mark of an item


def paths(texts: Sequence[str], heads: Collection[int] = ()) -> list[Path]:
    """Return for each sentence the sentences that introduce it, as indices; those at `heads` are headings.

    A numbered item stands under what the one before it in the same numbering stands under.
    """
    found: list[Path] = []
    stack: Stack = []
    counted: dict[str, tuple[int, Stack]] = {}  # of each numbering: the last number, what stands over it
    for at, text in enumerate(texts):
        mark = MARK.match(text)
        if mark is None:
            if at in heads:
                stack = []
            elif opens(text) or not ENDED.search(text) or not stack:
                stack = [(at, "", "")]
            found.append(())
            continue
        kind, sign = _kind(mark, stack)
        style, number = _numbering(text, mark)
        if style:
            kind += style
            stack = _over_number(texts, at, stack, counted.get(style, (0, [])), style)
            counted[style] = (number, list(stack))
        elif kind in {own for _, own, _ in stack}:
            while stack.pop()[1] != kind:
                pass
        over = tuple(n for n, own, _ in stack if own or _introduces(texts[n], kind))
        found.append(over)
        stack.append((at, kind, sign))
    return found


def _over_number(texts: Sequence[str], at: int, stack: Stack, last: tuple[int, Stack], style: str) -> Stack:
    """Return what stands over a numbered item or paragraph."""
    mark = MARK.match(texts[at])
    number = int(mark[3]) if mark and mark[3] else 0
    if 1 < number == last[0] + 1:
        return list(last[1])
    within = next((n for n in range(at - 1, -1, -1) if _holds_item(texts[n], style, number - 1)), None)
    if number > 1 and within is not None:
        return [(within, "-", "")]  # the first item stands in the line of the introduction
    same = max((n for n, (_, kind, _) in enumerate(stack) if kind == f"1{style}"), default=len(stack))
    above = stack[:same]
    unmarked = above and not above[0][1]
    return [] if unmarked and not _introduces(texts[above[0][0]], "1") else list(above)


def _numbering(text: str, mark: re.Match[str]) -> tuple[str, int]:
    """Return how an item is numbered ("()", "."), and its number; 0 for one that is not."""
    if not mark[3]:
        return "", 0
    return "".join(sign for sign in text[: mark.end()] if sign in "()."), int(mark[3])


def _holds_item(text: str, style: str, number: int) -> bool:
    """Tell whether a sentence without an end holds an item behind other words: "is needed 1) in homes;"."""
    sign = {"()": rf"\({number}\){MARKED}", ")": rf"{number}\)", ".": rf"{number}\."}.get(style)
    if sign is None or ENDED.search(text):
        return False
    return any(
        re.search(r"[^\W\d_]{2}", text[: found.start()]) for found in re.finditer(rf"\s{sign}\s", text)
    )


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
    """Tell whether a sentence speaks of the one before it ("This does not …", "Where it applies, …")."""
    said = MARK.sub("", text, count=1).strip()
    return bool(_leaning().match(said) or _leaning_case().match(said))


def restricts(text: str) -> bool:
    """Tell whether a sentence takes back some of what the one before it says; a note may do so too."""
    note = _NOTE.match(text)
    said = text[note.end() :] if note else text
    if _restricting().match(said.strip()) or _anywhere("exempting").search(said) or _BRACKETED.match(said):
        return True
    speaks = note or leans(said) or _anywhere("speaking").search(said)
    return bool(speaks and (_anywhere("taking_back").search(said) or _narrowing().match(said.strip())))


def taking_back(texts: Sequence[str], last: int) -> list[int]:
    """Return what follows a sentence in its paragraph and takes back some of it.

    At once, or further on where it leans, exempts, is a note, or denies something of the same thing: "Rails
    are needed. They are solid. This does not apply to sheds." or "… Sheds need no rails."; at once also where
    it says another thing of it for some cases ("In dwellings rails on one side will do").
    """
    found = []
    about = set(content(texts[last]))
    for at in range(last + 1, len(texts)):
        text = texts[at]
        if starts_paragraph(text):
            break
        far = leans(text) or _NOTE.match(text) or _anywhere("exempting").search(text)
        if _differs(text, about, near=at == last + 1) or (restricts(text) and (at == last + 1 or far)):
            found.append(at)
    return found


def _differs(text: str, about: Collection[str], *, near: bool) -> bool:
    """Tell whether a sentence denies something of the same thing, or, near it, says it for other cases."""
    if MARK.match(text):
        return False
    same = not set(about).isdisjoint(content(text))
    if same and _anywhere("denying").search(text):
        return True
    elsewhere = near and _narrowing().match(_unnumbered(text))
    return bool(elsewhere and (same or _pointing().search(text)))


def announcers(texts: Sequence[str], first: int) -> set[int]:
    """Return the sentences before one that say when, or for what, it holds, with all between.

    "The following applies …", "This clause applies to …", "When …, the guidance applies."; of the sentence at
    once before also "In sheds …", where this one does not say for what it holds.
    """
    found: set[int] = set()
    own = bool(_narrowing().match(_unnumbered(texts[first])))
    same = not starts_paragraph(texts[first])
    for at in range(first - 1, -1, -1):
        text, said = texts[at], _unnumbered(texts[at])
        near = at == first - 1 and not own and _narrowing().match(said)
        if same and (_anywhere("announcing").search(text) or _scoping(text) or _when().match(said) or near):
            found |= set(range(at, first))
        elif _scoping(text) and _anywhere("confining").search(text):
            found.add(at)
        same = same and not starts_paragraph(text)
    return found


def _scoping(text: str) -> bool:
    """Tell whether a sentence says for what a provision holds."""
    return bool(_anywhere("scoping").search(text))


def _unnumbered(text: str) -> str:
    return _NUMBERED.sub("", MARK.sub("", text, count=1), count=1).strip()


def starts_paragraph(text: str) -> bool:
    """Tell whether a sentence begins a numbered paragraph or clause."""
    return _NUMBERED.match(text) is not None


def _introduces(text: str, kind: str) -> bool:
    """Tell whether a sentence without a mark introduces items: it ends in a colon, or has no end.

    "(2)" behind "4.2 (1) Where:" is the next paragraph, no item.
    """
    if kind.startswith("1") and _PARAGRAPH.search(text):
        return False
    return opens(text) or not ENDED.search(text)


def _kind(mark: re.Match[str], stack: Stack) -> tuple[str, str]:
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
def _pointing() -> re.Pattern[str]:
    return re.compile(pointing(), re.IGNORECASE)


@cache
def _when() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of(words()['when'])})", re.IGNORECASE)


@cache
def _leaning_case() -> re.Pattern[str]:
    """Return the pattern of a case that is said of what stands before ("Where it applies")."""
    case, speaking = any_of(words()["narrowing"]), any_of(words()["speaking"])
    return re.compile(rf"(?:{case})\s+(?:{speaking})", re.IGNORECASE)


@cache
def _anywhere(name: str) -> re.Pattern[str]:
    return re.compile(any_of(words()[name]), re.IGNORECASE)
