"""Make the demonstration codes: PDFs, structure files and the question pages.

    python data/demo/make_pdfs.py          # everything
    python data/demo/make_pdfs.py DC-1-3   # one document

Needs only the `typst` Python package. Uses the fonts that come inside typst
and a fixed timestamp, so each run writes the same bytes.
"""
import json
import sys
from pathlib import Path

import typst

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
PDFS = HERE / "pdfs"
STRUCTURE = HERE / "structure"
DOCUMENTS = ["DC-0", "DC-1-1", "DC-1-3", "DC-1-3-NA", "DC-1-3-2011"]
TIMESTAMP = 1_719_748_800  # 2024-06-30 12:00 UTC


def compile_pdf(doc):
    source = str(SOURCES / f"{doc}.typ")
    pdf = typst.compile(
        source, root=str(SOURCES), format="pdf",
        ignore_system_fonts=True, timestamp=TIMESTAMP,
    )
    (PDFS / f"{doc}.pdf").write_bytes(pdf)
    return len(pdf)


def records(doc):
    """The marks that the style module leaves: what can be cited, and its page."""
    out = typst.query(
        str(SOURCES / f"{doc}.typ"), "<dc>", field="value",
        root=str(SOURCES), ignore_system_fonts=True,
    )
    return json.loads(out)


def structure(doc, marks):
    title = json.loads((SOURCES / "titles.json").read_text(encoding="utf-8"))[doc]
    cells = json.loads((SOURCES / "cells.json").read_text(encoding="utf-8"))
    tables, figures, clauses, paragraphs = {}, [], [], []
    definitions, formulas, references = [], [], []
    for m in marks:
        kind, page = m["kind"], m["page"]
        if kind == "table":
            t = tables.setdefault(m["label"], {
                "label": m["label"], "title": m["title"], "page": page,
                "columns": m["columns"], "rows": None, "continued_on": []})
            if page != t["page"] and page not in t["continued_on"]:
                t["continued_on"].append(page)
        elif kind == "figure":
            figures.append({"label": m["label"], "title": m["title"], "page": page})
        elif kind in ("clause", "annex"):
            clauses.append({"label": m["label"], "title": m["title"], "page": page})
        elif kind == "paragraph":
            paragraphs.append({"label": m["label"], "page": page, "principle": m["principle"]})
        elif kind == "definition":
            definitions.append({"term": m["term"], "label": m["label"], "page": page})
        elif kind == "formula":
            formulas.append({"label": m["label"], "page": page})
        elif kind == "reference":
            ref = {"page": page, "source": m["source"], "text": m["text"],
                   "target": m["target"][0], "external": m["external"]}
            if len(m["target"]) > 1:
                ref["targets"] = m["target"]
            if m["external"]:
                ref["document"] = m["document"]
            references.append(ref)
    rows = json.loads((SOURCES / "rows.json").read_text(encoding="utf-8"))
    for t in tables.values():
        t["rows"] = rows.get(doc, {}).get(t["label"])
    return {
        "document": doc, "title": title,
        "tables": list(tables.values()), "figures": figures, "clauses": clauses,
        "paragraphs": paragraphs, "formulas": formulas,
        "cells": cells.get(doc, []), "references": references,
        "references_pages": sorted({r["page"] for r in references}),
        "definitions": definitions,
    }


def places(doc, marks):
    """label -> (kind, page) of everything a question can point at."""
    kinds = {"paragraph": "clause", "clause": "heading", "front": "heading",
             "annex": "annex", "definition": "definition",
             "table": "table", "figure": "figure"}
    out = {}
    for m in marks:
        if m["kind"] in kinds:
            out.setdefault(m["label"], (kinds[m["kind"]], m["page"]))
    return out


def write_questions(all_places):
    """sources/questions.json (places as DOCUMENT|LABEL) -> questions.jsonl."""
    def place(text):
        doc, label = text.split("|")
        kind, page = all_places[doc][label]
        return {"document": doc, "label": label, "kind": kind, "page": page}

    lines = []
    for q in json.loads((SOURCES / "questions.json").read_text(encoding="utf-8")):
        q["gold"] = [place(p) for p in q["gold"]]
        q["also"] = [place(p) for p in q["also"]]
        lines.append(json.dumps(q, ensure_ascii=False))
    (HERE / "questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"questions.jsonl: {len(lines)} questions")


def main(argv):
    PDFS.mkdir(exist_ok=True)
    STRUCTURE.mkdir(exist_ok=True)
    docs = argv or [d for d in DOCUMENTS if (SOURCES / f"{d}.typ").exists()]
    all_places = {}
    for doc in docs:
        size = compile_pdf(doc)
        marks = records(doc)
        all_places[doc] = places(doc, marks)
        data = structure(doc, marks)
        path = STRUCTURE / f"{doc}.structure.json"
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{doc}: {size} bytes, {len(data['clauses'])} headings, "
              f"{len(data['paragraphs'])} paragraphs, {len(data['tables'])} tables, "
              f"{len(data['figures'])} figures, {len(data['references'])} references")
    if not argv:
        write_questions(all_places)


if __name__ == "__main__":
    main(sys.argv[1:])
