"""Check the demonstration library against its own PDFs.

    python data/demo/check_demo.py             # read the PDFs and compare
    python data/demo/check_demo.py --rebuild   # also compile again: same bytes?

Every place in questions.jsonl and in structure/ must be found in the text
layer of the page it names, every value must stand on the pages of its gold
places, and every reference must lead to something that exists. The text is
read from the PDFs only, so the check does not trust the sources.
"""
import json
import re
import sys
from pathlib import Path

import pymupdf

HERE = Path(__file__).resolve().parent
STYLES = {"natural", "keyword", "site", "typo", "exact"}
TYPES = {"value", "procedure", "applicability", "requirement", "definition", "location",
         "coverage", "reference", "figure", "unanswerable"}
LIMIT = 3_000_000


def squash(text):
    return re.sub(r"\s+", " ", text)


def tight(text):
    return re.sub(r"\s+", "", text)


class Pdf:
    def __init__(self, path):
        self.doc = pymupdf.open(path)
        self.raw = [p.get_text() for p in self.doc]
        self.text = [squash(t) for t in self.raw]
        self.toc = self.doc.get_toc()

    def page(self, n):
        return self.text[n - 1] if 1 <= n <= len(self.text) else ""

    def heading_pages(self, number):
        return [p for _, t, p in self.toc if t == number or t.startswith(number + " ")]


def find_place(pdf, place):
    """None when the place is on its page, else a sentence."""
    label, kind, page = place["label"], place["kind"], place["page"]
    text = pdf.page(page)
    if kind in ("table", "figure"):
        ok = f"{label} – " in text
    elif kind in ("heading", "annex"):
        ok = page in pdf.heading_pages(label) and label in text
    elif kind == "definition":
        ok = re.search(rf"(?:^|\s){re.escape(label)} \w", text)
    elif kind == "clause":
        section, number = label[:-1].split("(")
        starts = pdf.heading_pages(section)
        ok = (starts and starts[0] <= page
              and re.search(rf"^\({number}\)P?\s", pdf.raw[page - 1], re.M))
        if ok and starts[0] < page:  # no other heading may begin between
            after = [p for _, t, p in pdf.toc[[t for _, t, _ in pdf.toc].index(
                next(t for _, t, p in pdf.toc if t.startswith(section + " "))) + 1:]]
            ok = not after or after[0] >= page
    else:
        return f"unknown kind {kind}"
    return None if ok else f"{place['document']} {label} ({kind}) not on page {page}"


def check_questions(pdfs):
    errors, seen, unanswerable = [], set(), 0
    lines = (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        q = json.loads(line)
        if q["id"] in seen:
            errors.append(f"{q['id']}: id used twice")
        seen.add(q["id"])
        if q["style"] not in STYLES or q["type"] not in TYPES:
            errors.append(f"{q['id']}: style or type unknown")
        for place in q["gold"] + q["also"]:
            wrong = find_place(pdfs[place["document"]], place)
            if wrong:
                errors.append(f"{q['id']}: {wrong}")
        if q["type"] == "unanswerable":
            unanswerable += 1
            if q["gold"] or q["values"]:
                errors.append(f"{q['id']}: unanswerable, but has gold or values")
            continue
        if not q["gold"]:
            errors.append(f"{q['id']}: no gold place")
        missing = {p["document"] for p in q["gold"]} - set(q["documents"])
        if missing:
            errors.append(f"{q['id']}: gold outside its documents: {missing}")
        on_gold = ""
        for p in q["gold"]:
            pdf = pdfs[p["document"]]
            on_gold += pdf.page(p["page"]) + " "
            if f"{p['label']} (continued)" in pdf.page(p["page"] + 1):
                on_gold += pdf.page(p["page"] + 1) + " "
            elif p["kind"] == "clause" and p["page"] < len(pdf.raw):
                # a paragraph may run on to the next page, up to the next number
                on_gold += re.split(r"^\(\d+\)P?\s|^(?:[A-Z]+\.)?\d+(?:\.\d+)+ ", pdf.raw[p["page"]], maxsplit=1, flags=re.M)[0] + " "
        for value in q["values"]:
            if tight(value).lower() not in tight(on_gold).lower():
                errors.append(f"{q['id']}: value {value!r} not on the pages of its gold places")
    return errors, len(lines), unanswerable


def known_labels(s):
    out = {x["label"] for k in ("tables", "figures", "clauses", "paragraphs", "definitions") for x in s[k]}
    out |= {"Formula " + f["label"] for f in s["formulas"]}
    out |= {"Section " + c["label"] for c in s["clauses"] if "." not in c["label"]}
    return out | {"", "Foreword"}


def check_structure(pdfs):
    errors = []
    data = {p.name.split(".")[0]: json.loads(p.read_text(encoding="utf-8"))
            for p in sorted((HERE / "structure").glob("*.structure.json"))}
    labels = {d: known_labels(s) for d, s in data.items()}
    for d, s in data.items():
        pdf = pdfs[d]
        for kind, key in (("table", "tables"), ("figure", "figures"), ("heading", "clauses"), ("clause", "paragraphs"), ("definition", "definitions")):
            for x in s[key]:
                wrong = find_place(pdf, {"document": d, "kind": kind, **x})
                if wrong:
                    errors.append(wrong)
        for t in s["tables"]:
            if tight(t["title"]) not in tight(pdf.page(t["page"])):
                errors.append(f"{d} {t['label']}: title not on page {t['page']}")
            for n in t["continued_on"]:
                if f"{t['label']} (continued)" not in pdf.page(n):
                    errors.append(f"{d} {t['label']}: not continued on page {n}")
            if t["rows"] is None:
                errors.append(f"{d} {t['label']}: number of rows not given")
        for f in s["formulas"]:
            if f["label"] not in pdf.page(f["page"]):
                errors.append(f"{d} formula {f['label']} not on page {f['page']}")
        for c in s["cells"]:
            t = next((t for t in s["tables"] if t["label"] == c["table"]), None)
            if t is None:
                errors.append(f"{d} cell: no {c['table']}")
                continue
            on = tight(" ".join(pdf.page(n) for n in [t["page"], *t["continued_on"]]))
            for part in [*c["row"].split("; "), c["value"], *re.split(r", (?!in )", c["column"])]:
                if tight(part) not in on:
                    errors.append(f"{d} {c['table']}: {part!r} not found")
        for r in s["references"]:
            here = tight(pdf.page(r["page"]) + pdf.page(r["page"] + 1))
            if tight(r["text"]) not in here:
                errors.append(f"{d} page {r['page']}: reference {r['text']!r} not found")
            home = r["document"] if r["external"] else d
            if home in labels:
                for target in r.get("targets", [r["target"]]):
                    if target not in labels[home]:
                        errors.append(f"{d} page {r['page']}: {r['text']!r} leads to {home} {target!r}, which does not exist")
    return errors, data


def check_text(pdfs):
    errors = []
    for d, pdf in pdfs.items():
        if not pdf.doc.metadata.get("title") or not pdf.toc:
            errors.append(f"{d}: no title or no outline")
        for n, page in enumerate(pdf.doc, 1):
            odd = [c for c in pdf.raw[n - 1] if 0xFB00 <= ord(c) <= 0xFB06 or 0xE000 <= ord(c) <= 0xF8FF
                   or 0x1D400 <= ord(c) <= 0x1D7FF or c == "\ufffd"]
            if odd:
                errors.append(f"{d} page {n}: characters {set(odd)} in the text layer")
            for b in page.get_text("blocks"):
                x0, y0, x1, y1 = b[:4]
                if x0 < 60 or x1 > page.rect.width - 55 or y0 < 25 or y1 > page.rect.height - 20:
                    errors.append(f"{d} page {n}: text outside the margins: {b[4][:40]!r}")
    return errors


def check_rebuild():
    sys.path.insert(0, str(HERE))
    import make_pdfs
    before = {p.name: p.read_bytes() for p in (HERE / "pdfs").glob("*.pdf")}
    make_pdfs.main([])
    return [f"{name}: other bytes after a rebuild" for name, old in before.items()
            if (HERE / "pdfs" / name).read_bytes() != old]


def main():
    errors = check_rebuild() if "--rebuild" in sys.argv else []
    pdfs = {p.stem: Pdf(p) for p in sorted((HERE / "pdfs").glob("*.pdf"))}
    more, questions, unanswerable = check_questions(pdfs)
    errors += more
    more, data = check_structure(pdfs)
    errors += more + check_text(pdfs)
    size = sum(p.stat().st_size for p in (HERE / "pdfs").glob("*.pdf"))
    if size > LIMIT:
        errors.append(f"the PDFs have {size} bytes together")
    for e in errors:
        print("WRONG:", e)
    print(f"{len(pdfs)} PDFs, {sum(len(p.text) for p in pdfs.values())} pages, {size} bytes; "
          f"{questions} questions, {unanswerable} of them unanswerable; "
          f"{sum(len(s['references']) for s in data.values())} references; {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
