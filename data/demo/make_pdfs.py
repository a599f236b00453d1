"""Make the demonstration codes: PDFs, structure files and the question pages.

    python data/demo/make_pdfs.py          # everything
    python data/demo/make_pdfs.py DC-1-3   # one document

Needs only the `typst` Python package. Uses the fonts that come inside typst
and a fixed timestamp, so each run writes the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typst

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
PDFS = HERE / "pdfs"
STRUCTURE = HERE / "structure"
DOCUMENTS = ("DC-0", "DC-1-1", "DC-1-3", "DC-1-3-NA", "DC-1-3-2011")
TIMESTAMP = 1_719_748_800  # 2024-06-30 12:00 UTC
# what a mark is called in a place that a question points at
KINDS = {
    "paragraph": "clause",
    "clause": "heading",
    "front": "heading",
    "annex": "annex",
    "definition": "definition",
    "table": "table",
    "figure": "figure",
}

Json = dict[str, Any]
Places = dict[str, tuple[str, int]]  # label -> (kind, page)


def source_json(name: str) -> Any:
    """Return what a JSON file of the sources holds."""
    return json.loads((SOURCES / name).read_text(encoding="utf-8"))


def compile_pdf(doc: str) -> int:
    """Write the PDF of a document; return its size in bytes."""
    pdf = typst.compile(
        str(SOURCES / f"{doc}.typ"),
        root=str(SOURCES),
        format="pdf",
        ignore_system_fonts=True,
        timestamp=TIMESTAMP,
    )
    return (PDFS / f"{doc}.pdf").write_bytes(pdf)


def records(doc: str) -> list[Json]:
    """Return the marks that the style module leaves: what can be cited, and its page."""
    source = str(SOURCES / f"{doc}.typ")
    out = typst.query(source, "<dc>", field="value", root=str(SOURCES), ignore_system_fonts=True)
    marks: list[Json] = json.loads(out)
    return marks


def pick(marks: Sequence[Json], kinds: Sequence[str], *fields: str) -> list[Json]:
    """Return these fields, in this order, of the marks of these kinds."""
    return [{field: mark[field] for field in fields} for mark in marks if mark["kind"] in kinds]


def tables_of(doc: str, marks: Sequence[Json]) -> list[Json]:
    """Return the tables; a table leaves one mark on each page on which it stands."""
    rows = source_json("rows.json").get(doc, {})
    tables: dict[str, Json] = {}
    for mark in pick(marks, ["table"], "label", "title", "page", "columns"):
        new = {**mark, "rows": rows.get(mark["label"]), "continued_on": []}
        table = tables.setdefault(mark["label"], new)
        if mark["page"] not in {table["page"], *table["continued_on"]}:
            table["continued_on"].append(mark["page"])
    return list(tables.values())


def reference_of(mark: Json) -> Json:
    """Return one reference; `targets` only where there are several, `document` only to another one."""
    reference = {field: mark[field] for field in ("page", "source", "text")}
    reference |= {"target": mark["target"][0], "external": mark["external"]}
    if len(mark["target"]) > 1:
        reference["targets"] = mark["target"]
    if mark["external"]:
        reference["document"] = mark["document"]
    return reference


def structure(doc: str, marks: Sequence[Json]) -> Json:
    """Return what a document contains, as its structure file holds it."""
    references = [reference_of(mark) for mark in marks if mark["kind"] == "reference"]
    return {
        "document": doc,
        "title": source_json("titles.json")[doc],
        "tables": tables_of(doc, marks),
        "figures": pick(marks, ["figure"], "label", "title", "page"),
        "clauses": pick(marks, ["clause", "annex"], "label", "title", "page"),
        "paragraphs": pick(marks, ["paragraph"], "label", "page", "principle"),
        "formulas": pick(marks, ["formula"], "label", "page"),
        "cells": source_json("cells.json").get(doc, []),
        "references": references,
        "references_pages": sorted({reference["page"] for reference in references}),
        "definitions": pick(marks, ["definition"], "term", "label", "page"),
    }


def places(marks: Sequence[Json]) -> Places:
    """Return everything a question can point at; the first mark of a label counts."""
    out: Places = {}
    for mark in marks:
        if mark["kind"] in KINDS:
            out.setdefault(mark["label"], (KINDS[mark["kind"]], mark["page"]))
    return out


def place(text: str, all_places: dict[str, Places]) -> Json:
    """Return the place that the sources write as DOCUMENT|LABEL."""
    doc, label = text.split("|")
    kind, page = all_places[doc][label]
    return {"document": doc, "label": label, "kind": kind, "page": page}


def write_questions(all_places: dict[str, Places]) -> None:
    """Write questions.jsonl from sources/questions.json."""
    lines = []
    for question in source_json("questions.json"):
        for role in ("gold", "also"):
            question[role] = [place(text, all_places) for text in question[role]]
        lines.append(json.dumps(question, ensure_ascii=False))
    (HERE / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"questions.jsonl: {len(lines)} questions")


def write_document(doc: str) -> Places:
    """Write the PDF and the structure file of a document; return its places."""
    size = compile_pdf(doc)
    marks = records(doc)
    data = structure(doc, marks)
    path = STRUCTURE / f"{doc}.structure.json"
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(
        f"{doc}: {size} bytes, {len(data['clauses'])} headings, "
        f"{len(data['paragraphs'])} paragraphs, {len(data['tables'])} tables, "
        f"{len(data['figures'])} figures, {len(data['references'])} references"
    )
    return places(marks)


def main(argv: Sequence[str]) -> None:
    """Make the named documents, or all of them and the questions."""
    PDFS.mkdir(exist_ok=True)
    STRUCTURE.mkdir(exist_ok=True)
    docs = argv or [doc for doc in DOCUMENTS if (SOURCES / f"{doc}.typ").exists()]
    all_places = {doc: write_document(doc) for doc in docs}
    if not argv:
        write_questions(all_places)


if __name__ == "__main__":
    main(sys.argv[1:])
