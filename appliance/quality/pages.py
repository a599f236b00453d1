"""What of a page may have been misread, problems of one page grouped."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from appliance.core.document import Box, Document, Figure, Page, Problem, Table, pages_of
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped
from appliance.quality.contract import Doubt
from appliance.tables.rows import columns

MANY = 3  # problems that are told together
WEIGHT = 3.0  # of what was read with doubt, or not at all
ALIKE = 1.5  # of others of one kind that say the same of several things

# what one problem names: the others of its kind name others
_OWN = re.compile(r"“[^”]*”|‘[^’]*’|\([^)]*\)|\d+")

Place = tuple[str, Box]  # what stands there, and where


def places_of(document: Document) -> list[Place]:
    """Return the tables and figures with their boxes, the smaller first: a table may stand in a figure."""
    items: tuple[Table | Figure, ...] = (*document.tables, *document.figures)
    places = [(str(item.label), box) for item in items for box in item.boxes]
    return sorted(places, key=lambda place: (place[1].x1 - place[1].x0) * (place[1].y1 - place[1].y0))


def doubts_told(doubts: Sequence[Problem], places: Sequence[Place]) -> Iterator[Doubt]:
    """Yield what was read with doubt on one page, that of each table, drawing and of the text as one."""
    if len(doubts) < MANY:
        yield from (Doubt("problem", item.page, item.message, WEIGHT, item.box) for item in doubts)
        return
    groups: dict[Place | None, list[Problem]] = defaultdict(list)
    for doubt in doubts:
        around = (place for place in places if doubt.box and in_box(doubt.box, place[1]))
        groups[next(around, None)].append(doubt)
    for home, own in sorted(groups.items(), key=lambda group: (group[0] is None, -len(group[1]))):
        first = own[0]
        if len(own) == 1:
            yield Doubt("problem", first.page, first.message, WEIGHT, first.box)
            continue
        of = f" of {home[0]}" if home else " outside of tables and figures" if len(groups) > 1 else ""
        words = f"{len(own)} places{of} were read with doubt: compare them with the image. The first: "
        yield Doubt("problem", first.page, words + first.message, WEIGHT, home[1] if home else first.box)


def others_told(problems: Sequence[Problem]) -> Iterator[Doubt]:
    """Yield the other problems; those of one page that say the same of several things as one."""
    alike = grouped(((problem.page, _OWN.sub("", problem.message)), problem) for problem in problems)
    for own in alike.values():
        first = own[0]
        if len(own) < MANY or not first.page:
            yield from (Doubt("problem", item.page, item.message, WEIGHT, item.box) for item in own)
        else:
            words = f"{first.message} The same is so of {len(own) - 1} more on this page."
            yield Doubt("problem", first.page, words, ALIKE, first.box)


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


def page_reasons(document: Document) -> list[Doubt]:
    """Return what makes single pages worth a look, page by page and thing by thing."""
    words = _words(document)
    boxes = [item.boxes for item in document.tables] + [item.boxes for item in document.figures]
    drawn = {page for some in boxes for page in pages_of(some)}
    held = drawn | {page for item in document.clauses for page in pages_of(item.boxes)}
    reported = {problem.page for problem in document.problems}
    found: list[Doubt] = []
    for page in document.pages:
        if page.trust == "none":
            if page.number not in reported:
                found.append(Doubt("no text", page.number, "No text could be read on this page.", 5.0))
            continue
        found += _misread(page, words.get(page.number, ()))
        if page.number <= min(FRONT * len(document.pages), FRONTS) or page.number in drawn:
            continue
        if page.number not in held:
            told = "Nothing of this page is in the library, which is right for an empty one only."
            found.append(Doubt("nothing", page.number, told, NOTHING))
        elif len(words.get(page.number, ())) < LITTLE:
            told = "Hardly a word was read here, and no table or figure: a drawing may have been missed."
            found.append(Doubt("little", page.number, told, 1.5))
    return found


def table_reasons(tables: Sequence[Table]) -> list[Doubt]:
    """Return the tables that look misread, on their first page."""
    found = []
    for table in tables:
        box = next(iter(table.boxes), None)
        for doubted, words, weight in _table_doubts(table):
            if doubted:
                number = box.page if box else 0
                found.append(Doubt("table", number, f"{table.label} {words}.", weight, box))
    return found


def problem_reasons(document: Document) -> list[Doubt]:
    """Return what reading the PDF reported; what concerns the whole document has page 0."""
    silent = {page.number for page in document.pages if page.trust == "none"}
    doubts: dict[int, list[Problem]] = defaultdict(list)
    others: list[Problem] = []
    found: list[Doubt] = []
    for problem in document.problems:
        whole = problem.box in {None, Box(problem.page, 0.0, 0.0, 1.0, 1.0)}
        if problem.page in silent and whole:
            found.append(Doubt("no text", problem.page, problem.message, 5.0, problem.box))
        elif problem.doubt and problem.page:
            doubts[problem.page].append(problem)
        else:
            others.append(problem)
    places = places_of(document)
    told = [reason for page in doubts.values() for reason in doubts_told(page, places)]
    return [*found, *told, *others_told(others)]


def _table_doubts(table: Table) -> list[tuple[bool, str, float]]:
    """Return what may speak against a table: whether it does, in words, and its weight."""
    if not table.cells:
        return [(True, "has a caption and no cells", 4.0)]
    wide, heads = columns(table), [cell for cell in table.cells if cell.header]
    cells = [cell.text.strip() for cell in table.cells if not cell.header]
    empty, many = cells.count(""), len(cells)
    spans = (range(cell.column, cell.column + cell.column_span) for cell in heads if cell.text.strip())
    bare = wide - len({column for span in spans for column in span}) if heads else 0
    return [
        (wide == 1, "was read with one column only", 2.0),
        (len({cell.row for cell in table.cells}) == 1, "was read with one row only", 2.0),
        (many >= CELLS and empty > EMPTY * many, f"has {empty} empty cells of {many}", 2.0),
        (wide > 1 and bare > HEADS * wide, f"has no heading over {bare} of its {wide} columns", 1.5),
    ]


def _misread(page: Page, words: Sequence[str]) -> list[Doubt]:
    bare = ((word, word.strip(_EDGES)) for word in words)
    wrong = [w for w, b in bare if len(b) > SYMBOL and not _LINK.search(b) and _BROKEN.search(b)]
    if len(words) < WORDS or len(wrong) <= MISREAD * len(words):
        return []
    some = ", ".join(f"“{word}”" for word in dict.fromkeys(wrong[:SHOWN]))
    told = f"{len(wrong)} of {len(words)} words look misread ({some})."
    return [Doubt("misread", page.number, told, 2.0 + 10.0 * len(wrong) / len(words))]


def _words(document: Document) -> Mapping[int, list[str]]:
    """Return the words with a letter of all clause text, by page."""
    words: dict[int, list[str]] = defaultdict(list)
    for clause in document.clauses:
        for line in clause.passage.lines:
            words[line.box.page] += _WORD.findall(clause.passage.text[line.start : line.end])
        for page in pages_of(clause.boxes)[:1]:
            words[page] += _WORD.findall(clause.title)
    return words
