"""Check the demonstration library against its own PDFs.

    python data/demo/check_demo.py             # read the PDFs and compare
    python data/demo/check_demo.py --rebuild   # also compile again: same bytes?

Every place in questions.jsonl and in structure/ must be found in the text
layer of the page it names, every value must stand on the pages of its gold
places, and every reference must lead to something that exists. The text is
read from the PDFs only, so the check does not trust the sources. Each check
yields one sentence for each thing that is wrong.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

HERE = Path(__file__).resolve().parent
PDFS = HERE / "pdfs"
STYLES = {"natural", "keyword", "site", "typo", "exact"}
TYPES = {
    "value",
    "procedure",
    "applicability",
    "requirement",
    "definition",
    "location",
    "coverage",
    "reference",
    "figure",
    "unanswerable",
}
# list of a structure file -> the kind of place that its entries are
PLACES = {
    "tables": "table",
    "figures": "figure",
    "clauses": "heading",
    "paragraphs": "clause",
    "definitions": "definition",
}
LIMIT = 3_000_000  # bytes of all PDFs together
MARGINS = (60, 25, 55, 20)  # points that stay free: left, top, right, bottom
# ligatures, the private use area, mathematical letters, the sign for an unknown character
ODD = re.compile("[\ufb00-\ufb06\ue000-\uf8ff\U0001d400-\U0001d7ff\ufffd]")
NUMBERED = re.compile(r"^\(\d+\)P?\s|^(?:[A-Z]+\.)?\d+(?:\.\d+)+ ", re.MULTILINE)  # paragraph or heading

Json = dict[str, Any]
_MUPDF: Any = pymupdf  # most of its functions carry no types


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its text as printed and with plain spaces, its size and its blocks in points."""

    raw: str
    text: str
    width: float
    height: float
    blocks: tuple[tuple[float, float, float, float, str], ...]


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF: its title, its pages, and its outline as (heading, page)."""

    title: str
    pages: tuple[Page, ...]
    outline: tuple[tuple[str, int], ...]

    def raw(self, number: int) -> str:
        """Return the text of a page as printed, empty where there is no such page."""
        return self.pages[number - 1].raw if 1 <= number <= len(self.pages) else ""

    def text(self, number: int) -> str:
        """Return the text of a page with plain spaces, empty where there is no such page."""
        return self.pages[number - 1].text if 1 <= number <= len(self.pages) else ""

    def headings(self, number: str) -> list[int]:
        """Return where in the outline a number heads a section."""
        return [i for i, (title, _) in enumerate(self.outline) if f"{title} ".startswith(f"{number} ")]


def squash(text: str) -> str:
    """Return the text with one plain space for each run of spaces."""
    return re.sub(r"\s+", " ", text)


def tight(text: str) -> str:
    """Return the text without spaces."""
    return re.sub(r"\s+", "", text)


def read_page(page: Any) -> Page:
    """Return a page of an open PDF."""
    raw = page.get_text()
    blocks = tuple(tuple(block[:5]) for block in page.get_text("blocks"))
    return Page(raw, squash(raw), page.rect.width, page.rect.height, blocks)


def read_pdf(path: Path) -> Pdf:
    """Return what the checks need of a PDF."""
    with _MUPDF.open(path) as doc:
        outline = tuple((title, page) for _, title, page in doc.get_toc())
        return Pdf(doc.metadata.get("title") or "", tuple(read_page(page) for page in doc), outline)


def read_pdfs() -> dict[str, Pdf]:
    """Return the PDFs of the library by document id."""
    return {path.stem: read_pdf(path) for path in sorted(PDFS.glob("*.pdf"))}


def read_questions() -> list[Json]:
    """Return the judged questions."""
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


def read_structures() -> dict[str, Json]:
    """Return the structure files by document id."""
    paths = sorted((HERE / "structure").glob("*.structure.json"))
    return {path.name.split(".")[0]: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def holds_clause(pdf: Pdf, label: str, page: int) -> bool:
    """Say whether paragraph "5.2(3)" begins on the page, with no other heading before it there."""
    section, _, number = label.removesuffix(")").partition("(")
    places = pdf.headings(section)
    if not places or not re.search(rf"^\({re.escape(number)}\)P?\s", pdf.raw(page), re.MULTILINE):
        return False
    start = pdf.outline[places[0]][1]
    following = pdf.outline[places[0] + 1 :]
    return start == page or (start < page and (not following or following[0][1] >= page))


def find_place(pdf: Pdf, place: Json) -> str | None:
    """Return None when the place is on its page, else a sentence."""
    label, kind, page = place["label"], place["kind"], place["page"]
    text = pdf.text(page)
    match kind:
        case "table" | "figure":
            found = f"{label} – " in text
        case "heading" | "annex":
            found = label in text and page in {pdf.outline[i][1] for i in pdf.headings(label)}
        case "definition":
            found = bool(re.search(rf"(?:^|\s){re.escape(label)} \w", text))
        case "clause":
            found = holds_clause(pdf, label, page)
        case _:
            return f"unknown kind {kind}"
    return None if found else f"{place['document']} {label} ({kind}) not on page {page}"


def place_text(pdf: Pdf, place: Json) -> str:
    """Return the text of the page of a place, and of the next page as far as the place runs on."""
    text, after = pdf.text(place["page"]), place["page"] + 1
    if f"{place['label']} (continued)" in pdf.text(after):
        return f"{text} {pdf.text(after)}"
    if place["kind"] == "clause":  # a paragraph runs on up to the next number
        return f"{text} {NUMBERED.split(pdf.raw(after), maxsplit=1)[0]}"
    return text


def answerable_errors(question: Json, pdfs: dict[str, Pdf]) -> Iterator[str]:
    """Check the gold places of a question that has an answer, and the values on their pages."""
    if not question["gold"]:
        yield "no gold place"
    missing = {place["document"] for place in question["gold"]} - set(question["documents"])
    if missing:
        yield f"gold outside its documents: {missing}"
    on_gold = tight(
        " ".join(place_text(pdfs[place["document"]], place) for place in question["gold"])
    ).lower()
    for value in question["values"]:
        if tight(value).lower() not in on_gold:
            yield f"value {value!r} not on the pages of its gold places"


def question_errors(question: Json, pdfs: dict[str, Pdf]) -> Iterator[str]:
    """Check one question."""
    if question["style"] not in STYLES or question["type"] not in TYPES:
        yield "style or type unknown"
    for place in question["gold"] + question["also"]:
        wrong = find_place(pdfs[place["document"]], place)
        if wrong:
            yield wrong
    if question["type"] != "unanswerable":
        yield from answerable_errors(question, pdfs)
    elif question["gold"] or question["values"]:
        yield "unanswerable, but has gold or values"


def check_questions(questions: Iterable[Json], pdfs: dict[str, Pdf]) -> Iterator[str]:
    """Check the judged questions."""
    seen: set[str] = set()
    for question in questions:
        name = question["id"]
        if name in seen:
            yield f"{name}: id used twice"
        seen.add(name)
        for wrong in question_errors(question, pdfs):
            yield f"{name}: {wrong}"


def known_labels(structure: Json) -> set[str]:
    """Return everything in a document that a reference can lead to; "" is the document as a whole."""
    labels = {item["label"] for name in PLACES for item in structure[name]}
    labels |= {f"Formula {item['label']}" for item in structure["formulas"]}
    labels |= {f"Section {item['label']}" for item in structure["clauses"] if "." not in item["label"]}
    return labels | {"", "Foreword"}


def place_errors(document: str, structure: Json, pdf: Pdf) -> Iterator[str]:
    """Check that all items of a structure file and its formulas are on their pages."""
    for name, kind in PLACES.items():
        for item in structure[name]:
            wrong = find_place(pdf, {"document": document, "kind": kind, **item})
            if wrong:
                yield wrong
    for item in structure["formulas"]:
        if item["label"] not in pdf.text(item["page"]):
            yield f"{document} formula {item['label']} not on page {item['page']}"


def table_errors(document: str, structure: Json, pdf: Pdf) -> Iterator[str]:
    """Check the titles of the tables, the pages on which they go on, and that rows are counted."""
    for table in structure["tables"]:
        name = f"{document} {table['label']}"
        if tight(table["title"]) not in tight(pdf.text(table["page"])):
            yield f"{name}: title not on page {table['page']}"
        for page in table["continued_on"]:
            if f"{table['label']} (continued)" not in pdf.text(page):
                yield f"{name}: not continued on page {page}"
        if table["rows"] is None:
            yield f"{name}: number of rows not given"


def cell_errors(document: str, structure: Json, pdf: Pdf) -> Iterator[str]:
    """Check that row, column and value of each cell stand on the pages of its table."""
    tables = {table["label"]: table for table in structure["tables"]}
    for cell in structure["cells"]:
        table = tables.get(cell["table"])
        if table is None:
            yield f"{document} cell: no {cell['table']}"
            continue
        text = tight(" ".join(pdf.text(page) for page in (table["page"], *table["continued_on"])))
        for part in (*cell["row"].split("; "), cell["value"], *re.split(r", (?!in )", cell["column"])):
            if tight(part) not in text:
                yield f"{document} {cell['table']}: {part!r} not found"


def reference_errors(document: str, structure: Json, pdf: Pdf, labels: dict[str, set[str]]) -> Iterator[str]:
    """Check that references are printed where they are said to be, and lead to something."""
    for reference in structure["references"]:
        page, text = reference["page"], reference["text"]
        if tight(text) not in tight(pdf.text(page) + pdf.text(page + 1)):
            yield f"{document} page {page}: reference {text!r} not found"
        home = reference["document"] if reference["external"] else document
        for target in reference.get("targets", [reference["target"]]):
            if home in labels and target not in labels[home]:
                yield f"{document} page {page}: {text!r} leads to {home} {target!r}, which does not exist"


def check_structures(structures: dict[str, Json], pdfs: dict[str, Pdf]) -> Iterator[str]:
    """Check the structure files."""
    labels = {document: known_labels(structure) for document, structure in structures.items()}
    for document, structure in structures.items():
        pdf = pdfs[document]
        yield from place_errors(document, structure, pdf)
        yield from table_errors(document, structure, pdf)
        yield from cell_errors(document, structure, pdf)
        yield from reference_errors(document, structure, pdf, labels)


def page_errors(page: Page) -> Iterator[str]:
    """Check that a page has plain characters only, and nothing in its margins."""
    odd = set(ODD.findall(page.raw))
    if odd:
        yield f"characters {odd} in the text layer"
    left, top, right, bottom = MARGINS
    for x0, y0, x1, y1, text in page.blocks:
        if x0 < left or x1 > page.width - right or y0 < top or y1 > page.height - bottom:
            yield f"text outside the margins: {text[:40]!r}"


def check_text(pdfs: dict[str, Pdf]) -> Iterator[str]:
    """Check the text layers, and that each PDF has a title and an outline."""
    for document, pdf in pdfs.items():
        if not pdf.title or not pdf.outline:
            yield f"{document}: no title or no outline"
        for number, page in enumerate(pdf.pages, 1):
            for wrong in page_errors(page):
                yield f"{document} page {number}: {wrong}"


def pdf_bytes() -> dict[str, bytes]:
    """Return the PDFs as bytes by file name."""
    return {path.name: path.read_bytes() for path in PDFS.glob("*.pdf")}


def check_size() -> Iterator[str]:
    """Check that the PDFs stay small enough to be kept with the source."""
    size = sum(map(len, pdf_bytes().values()))
    if size > LIMIT:
        yield f"the PDFs have {size} bytes together"


def check_rebuild() -> Iterator[str]:
    """Make everything again, and check that the PDFs have the same bytes as before."""
    before = pdf_bytes()
    subprocess.run([sys.executable, str(HERE / "make_pdfs.py")], check=True)  # noqa: S603 - our own script
    after = pdf_bytes()
    for name, old in before.items():
        if after.get(name) != old:
            yield f"{name}: other bytes after a rebuild"


def main(argv: list[str]) -> int:
    """Run all checks, print what is wrong and a summary; return 1 when anything is wrong."""
    errors = list(check_rebuild()) if "--rebuild" in argv else []
    pdfs, questions, structures = read_pdfs(), read_questions(), read_structures()
    errors += check_questions(questions, pdfs)
    errors += check_structures(structures, pdfs)
    errors += check_text(pdfs)
    errors += check_size()
    for wrong in errors:
        print("WRONG:", wrong)
    pages = sum(len(pdf.pages) for pdf in pdfs.values())
    size = sum(map(len, pdf_bytes().values()))
    unanswerable = sum(question["type"] == "unanswerable" for question in questions)
    references = sum(len(structure["references"]) for structure in structures.values())
    print(
        f"{len(pdfs)} PDFs, {pages} pages, {size} bytes; "
        f"{len(questions)} questions, {unanswerable} of them unanswerable; "
        f"{references} references; {len(errors)} errors"
    )
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
