"""What of a page may have been misread, told by what stands on it.

Rules of this module: pure; each function looks at one thing and returns the reasons that it sees. What a
document has before its first clause (cover, contents list, blank pages) is not held against it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from appliance.document import Box, Document, Page, Problem, Table, pages_of
from appliance.quality.grouped import doubts_told, others_told, places_of
from appliance.quality.values import Reason
from appliance.tabular import columns

EMPTY = 0.5  # of the cells of a table: more empty ones are a sign of columns cut wrongly
CELLS = 6  # a smaller table may well have empty cells
HEADS = 0.5  # of the columns without a word over them
MISREAD = 0.05  # of the words of a page
WORDS = 40  # on a page: fewer prove nothing about the reading
LITTLE = 12  # words: fewer than a page of a code has
SYMBOL = 3  # signs: what is no longer may be a symbol
FRONT, FRONTS = 0.2, 16  # of the document, and pages: where covers and contents lists stand
NOTHING = 1.0  # weight of a page without items: most of them are blank
SHOWN = 4  # misread words that the reason names

_WORD = re.compile(r"\S*[^\W\d_]\S*")  # what has a letter
_EDGES = "\"'“”‘’„«»()[]<>.,;:!?%…*†‡§•–—-/+=±≤≥×·°"
_LINK = re.compile(r"https?:|www\.|@|/")
_BROKEN = re.compile(
    r"""[^\W\d_]{2}[0-9]+[^\W\d_]{2}       # a digit inside a word: "rn0del"
        | [a-zà-ÿ]{2}[A-ZÀ-Ý][a-zà-ÿ]      # a capital inside one: "loadIng"
        | [^\W_][|~^<>{}\\¦¬=:;!?"%*][^\W_]  # a sign inside one: "loa~s"
        | [|~^{}\\¦¬]""",
    re.VERBOSE,
)


def page_reasons(document: Document) -> list[Reason]:
    """Return what makes single pages worth a look, page by page and thing by thing."""
    words = _words(document)
    boxes = [item.boxes for item in document.tables] + [item.boxes for item in document.figures]
    drawn = {page for some in boxes for page in pages_of(some)}
    held = drawn | {page for item in document.clauses for page in pages_of(item.boxes)}
    reported = {problem.page for problem in document.problems}
    found: list[Reason] = []
    for page in document.pages:
        if page.trust == "none":
            if page.number not in reported:
                found.append(Reason("no text", page.number, "No text could be read on this page.", 5.0))
            continue
        found += _misread(page, words.get(page.number, ()))
        if page.number <= min(FRONT * len(document.pages), FRONTS) or page.number in drawn:
            continue
        if page.number not in held:
            told = "Nothing of this page is in the library, which is right for an empty one only."
            found.append(Reason("nothing", page.number, told, NOTHING))
        elif len(words.get(page.number, ())) < LITTLE:
            told = "Hardly a word was read here, and no table or figure: a drawing may have been missed."
            found.append(Reason("little", page.number, told, 1.5))
    return found


def table_reasons(tables: Sequence[Table]) -> list[Reason]:
    """Return the tables that look misread, on their first page."""
    found = []
    for table in tables:
        box = next(iter(table.boxes), None)
        for words, weight in _table_doubts(table):
            number = box.page if box else 0
            found.append(Reason("table", number, f"{table.label} {words}.", weight, box))
    return found


def problem_reasons(document: Document) -> list[Reason]:
    """Return what reading the PDF reported; what concerns the whole document has page 0."""
    silent = {page.number for page in document.pages if page.trust == "none"}
    doubts: dict[int, list[Problem]] = defaultdict(list)
    others: list[Problem] = []
    found: list[Reason] = []
    for problem in document.problems:
        if problem.page in silent and (problem.box is None or _is_whole(problem.box)):
            found.append(Reason("no text", problem.page, problem.message, 5.0, problem.box))
        elif problem.doubt and problem.page:
            doubts[problem.page].append(problem)
        else:
            others.append(problem)
    places = places_of(document)
    told = [reason for page in doubts.values() for reason in doubts_told(page, places)]
    return [*found, *told, *others_told(others)]


def _is_whole(box: Box) -> bool:
    return (box.x0, box.y0, box.x1, box.y1) == (0.0, 0.0, 1.0, 1.0)


def _table_doubts(table: Table) -> list[tuple[str, float]]:
    wide, cells = columns(table), [cell for cell in table.cells if not cell.header]
    tall = {cell.row for cell in table.cells}
    if not table.cells:
        return [("has a caption and no cells", 4.0)]
    doubts = []
    if wide == 1:
        doubts.append(("was read with one column only", 2.0))
    if len(tall) == 1:
        doubts.append(("was read with one row only", 2.0))
    empty = sum(not cell.text.strip() for cell in cells)
    if len(cells) >= CELLS and empty > EMPTY * len(cells):
        doubts.append((f"has {empty} empty cells of {len(cells)}", 2.0))
    bare = _without_head(table, wide)
    if wide > 1 and bare > HEADS * wide:
        doubts.append((f"has no heading over {bare} of its {wide} columns", 1.5))
    return doubts


def _without_head(table: Table, wide: int) -> int:
    """Return how many columns have no word in their header, 0 where the table has no header at all."""
    heads = [cell for cell in table.cells if cell.header]
    titled = {
        column
        for cell in heads
        if cell.text.strip()
        for column in range(cell.column, cell.column + cell.column_span)
    }
    return wide - len(titled) if heads else 0


def _misread(page: Page, words: Sequence[str]) -> list[Reason]:
    wrong = [word for word in words if _looks_broken(word)]
    if len(words) < WORDS or len(wrong) <= MISREAD * len(words):
        return []
    some = ", ".join(f"“{word}”" for word in dict.fromkeys(wrong[:SHOWN]))
    told = f"{len(wrong)} of {len(words)} words look misread ({some})."
    return [Reason("misread", page.number, told, 2.0 + 10.0 * len(wrong) / len(words))]


def _looks_broken(word: str) -> bool:
    bare = word.strip(_EDGES)
    return len(bare) > SYMBOL and not _LINK.search(bare) and bool(_BROKEN.search(bare))


def _words(document: Document) -> Mapping[int, list[str]]:
    """Return the words with a letter of all clause text, by page."""
    words: dict[int, list[str]] = defaultdict(list)
    for clause in document.clauses:
        for line in clause.passage.lines:
            words[line.box.page] += _WORD.findall(clause.passage.text[line.start : line.end])
        for page in pages_of(clause.boxes)[:1]:
            words[page] += _WORD.findall(clause.title)
    return words
