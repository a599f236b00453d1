"""Signs of scanned pages that stay in doubt: every formula, and odd words of the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from appliance.core.document import Box, Document, Formula, Problem, Term
from appliance.ingest.definitions.terms import LOST
from appliance.ingest.formulas.text import incomplete
from appliance.ingest.page import PageContent, Source, Word, box_on
from appliance.text.folding import signs, strange

NAMED = 6  # odd words of one page that are named one by one
_TAG = re.compile(r"[\[(<]?[@®©§][.\w\[\]|)]{0,3}|\W?\w{0,2}[@®©§]\W?|\S{0,2}\]>?")  # of an amendment
_TAGGED = re.compile(r"(?<=[^\W\d_]{2})[@®©§]\S{0,2}$")  # one behind a word
# No symbol begins with a figure, or with the letter O, which ISO 3898 leaves out for its likeness to zero.
_NO_START = re.compile(r"\d|O\w|[^\W\d_]\d[A-Z]")
_NO_SYMBOL = re.compile(r"[¢£¥§®©~^\\\\|!?<>]|lj|^['\"]")
_CAMEL = re.compile(r"[a-z][A-Z]|[jJ][l\d]")
# "A.1", "NOTE 2:", "1991-1-3::", "5.4~"
_LABEL = re.compile(r"\W*[A-Z]\.\d+\W*|\d+:\W*|.*\d[-~]+\d.*|[\d.]+~\.?")
_INSIDE = re.compile(r"(?<=[^\W_])-?[\"'’‘;!?@#$~^|\\{}<>£€¥«»¬¢§]+(?=\S)|(?<=[^\W_]):+(?=[^\W\d_<>;])")
_PLAIN = re.compile(
    r"[^\W\d_]+['’][^\W\d_]{0,3}"  # "building's", "n'est"
    r"|(?:[^\W_]|[^\W_A-Z]\w)[<>]\d+(?:[.,]\d+)?\S{0,3}"  # "h>5m"
)
_BOUND = re.compile(r"[:;][<>]|[<>][:;]|\w[:;]{3,}")  # "w:<;;" for w ≤
_OPENED = re.compile(r"['’`,!][^\W_]{1,2}[/\\]\S{0,3}")  # "'I/o" for ψ0
_TORN = re.compile(r"\d+"), re.compile(r"[,.]\d+\S{0,3}|O[,.;)]?")
NEAR = 0.6  # type sizes between the parts of a torn number
UNPROVEN = "signs may have been lost from it"
_SYMBOL = re.compile(r"[^\W\d_]{1,2}\d?|\d+(?:[.,]\d+)?[°%]?|[=<>≤≥+−]")
_LEADER = re.compile(r"[.·•…_~-]{3,}")


def doubtful_signs(document: Document, source: Source) -> Iterator[Problem]:
    """Yield a problem for each formula of the scanned pages and for odd words of their text."""
    scanned = {page.number for page in source.pages if page.trust == "ocr"}
    for formula in document.formulas:
        if formula.text and formula.boxes and formula.boxes[0].page in scanned:  # without text it is told
            yield _of_formula(formula, incomplete(formula.text) or UNPROVEN)
    for term in document.terms:
        if term.kind == "symbol" and term.boxes and term.boxes[0].page in scanned and _is_doubtful(term.term):
            yield _of_symbol(term)
    yield from _of_titles(document, {page.number: page for page in source.pages if page.number in scanned})
    taken, text = _taken(document), _text(document)
    for page in source.pages:
        if page.number in scanned:
            yield from _of_page(page, text[page.number], taken[page.number])


def _of_formula(formula: Formula, why: str) -> Problem:
    box = formula.boxes[0]
    message = (
        f"Formula {formula.label} on page {box.page} was read with doubt ({why}): "
        "its picture counts, not its text."
    )
    return Problem(message, box.page, box, doubt=True)


def _is_doubtful(symbol: str) -> bool:
    """Tell whether a symbol of a list is lost, or is what a sign is taken for."""
    odd = symbol == LOST or _NO_START.match(symbol) or _NO_SYMBOL.search(symbol)
    return bool(odd) or any(_begins(symbol, read) for read in signs())


def _begins(symbol: str, read: str) -> bool:
    """Tell whether a symbol begins as a sign is misread; two letters or more that stand in no symbol."""
    return symbol.startswith(read) and (not read.isalnum() or bool(_CAMEL.search(read)))


def _of_symbol(term: Term) -> Problem:
    box = term.boxes[0]
    named = "A symbol" if term.term == LOST else f"The symbol “{term.term}”"
    meaning = " ".join(term.passage.text.split()[:6])
    message = f"{named} on page {box.page} ({meaning}) was read with doubt: compare it with the image."
    return Problem(message, box.page, box, doubt=True)


def _taken(document: Document) -> dict[int, list[Box]]:
    """Return by page the boxes in which words are not looked at one by one."""
    places: dict[int, list[Box]] = defaultdict(list)
    boxes = [box for table in document.tables for box in table.boxes]
    boxes += [box for figure in document.figures for box in figure.boxes]
    boxes += [box for formula in document.formulas for box in formula.boxes]
    for box in boxes:
        places[box.page].append(box)
    return places


def _text(document: Document) -> dict[int, list[Box]]:
    """Return by page the boxes of the clauses, without what stands before the first of them."""
    places: dict[int, list[Box]] = defaultdict(list)
    for clause in document.clauses:
        for box in clause.boxes if clause.kind != "front" else ():
            places[box.page].append(box)
    return places


def _of_page(page: PageContent, text: Sequence[Box], taken: Sequence[Box]) -> Iterator[Problem]:
    """Yield the problems of the running text of one page."""
    words = zip(page.words, (None, *page.words), (*page.words[1:], None), strict=False)
    found = [
        word
        for word, before, after in words
        if (is_odd(word) and _counts(word, before, after)) or _is_torn(before, word)
    ]
    placed = [(word, box_on(page, word.x0, word.y0, word.x1, word.y1)) for word in found]
    odd = [
        (word, box)
        for word, box in placed
        if any(_inside(box, one) for one in text) and not any(_inside(box, other) for other in taken)
    ]
    for word, box in odd[:NAMED]:
        named = word.text.replace("”", '"').replace("“", '"')
        message = f"“{named}” on page {page.number} may be a sign that was misread: "
        yield Problem(message + "compare it with the image.", page.number, box, doubt=True)
    if len(odd) > NAMED:
        message = f"{len(odd) - NAMED} more signs of page {page.number} were read with doubt."
        yield Problem(message, page.number, doubt=True)


def _of_titles(document: Document, scanned: Mapping[int, PageContent]) -> Iterator[Problem]:
    """Yield the problems of the titles of tables and figures; each is at the first such word of its item."""
    titled = [(table.label, table.title, table.boxes) for table in document.tables if table.captioned]
    titled += [(figure.label, figure.title, figure.boxes) for figure in document.figures]
    for label, title, boxes in titled:
        page = scanned.get(boxes[0].page) if boxes else None
        for part in dict.fromkeys(title.split()) if page else ():
            word = next((w for w in page.words if w.text == part and is_odd(w)), None) if page else None
            box = box_on(page, word.x0, word.y0, word.x1, word.y1) if word and page else None
            if box and _inside(box, boxes[0]):
                named = part.replace("”", '"').replace("“", '"')
                message = f"“{named}” in the title of {label} on page {box.page} may be a misread sign: "
                yield Problem(message + "compare it with the image.", box.page, box, doubt=True)


def _is_torn(before: Word | None, word: Word) -> bool:
    """Tell whether a word is what a blank has torn off the number before it."""
    if before is None or not (_TORN[0].fullmatch(before.text.strip("(")) and _TORN[1].fullmatch(word.text)):
        return False
    level = abs(before.y1 - word.y1) < NEAR * word.size
    return level and -NEAR * word.size < word.x0 - before.x1 < NEAR * word.size


def is_odd(word: Word) -> bool:
    """Tell whether a word of running text holds what a sign is taken for, or no word at all."""
    text = _TAGGED.sub("", word.text).strip(".,;()[]")
    if not word.upright or not text or _TAG.fullmatch(word.text):
        return False
    if _LEADER.search(text) or _LABEL.fullmatch(text):
        return False
    if any(run in text for run in strange()) or _is_mixed(text) or _BOUND.search(word.text):
        return not re.search(r"[^\W\d_]{4}", text)  # a stray mark at a word is no sign
    return any(_holds(text, read) for read in signs())


def _is_mixed(text: str) -> bool:
    """Tell whether signs stand in a text that no symbol, value or word has in it."""
    return not _PLAIN.fullmatch(text) and bool(_INSIDE.search(text) or _OPENED.fullmatch(text))


def _counts(word: Word, before: Word | None, after: Word | None) -> bool:
    """Tell whether an odd word bears on a value: a stray mark alone must stand beside a figure or sign."""
    if re.search(r"[^\W_]|[:;]{2}", word.text):
        return True
    return any(near is not None and _SYMBOL.fullmatch(near.text.strip(".,;()")) for near in (before, after))


def _holds(text: str, read: str) -> bool:
    """Tell whether a word is what a sign is taken for, with an index behind it or not."""
    if not text.startswith(read) or len(text) > len(read) + 2 or text[len(read) :].isalpha():
        return False
    return not read.isalnum() or bool(_CAMEL.search(read))


def _inside(small: Box, large: Box) -> bool:
    """Tell whether the middle of a box lies in another."""
    x, y = (small.x0 + small.x1) / 2, (small.y0 + small.y1) / 2
    return large.x0 <= x <= large.x1 and large.y0 <= y <= large.y1
