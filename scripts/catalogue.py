# ruff: noqa: INP001 - a script, not a package
"""Gather the words of the page, bring the catalogues of its languages up to date, and compile them.

Usage: python scripts/catalogue.py [--check]

Marked are `_("…")`, `ngettext(…)` and {% trans %} in templates, `say("…")`, `say_many(…)` and `later("…")`
in modules; what a comparison says is named by `phrases`. What is translated stays;
what is new stands in the .po with an empty translation and is shown in English until somebody writes it.
`--check` writes nothing and exits 1 where a catalogue is behind, lacks a
translation, or is not compiled.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from appliance.update.changes.compare import phrases
from appliance.web.language import TEMPLATES, templates

WHEN = datetime(2026, 1, 1, tzinfo=UTC)  # dates in a catalogue would make every run a change
WEB = Path(__file__).resolve().parents[1] / "appliance" / "web"
PARTS = (WEB, WEB.parent / "keeping")
METHODS = [("templates/**.html", "jinja2"), ("**.py", "python")]
OPTIONS = {"templates/**.html": {"trimmed": "false", "silent": "false", "newstyle_gettext": "true"}}
VALUE = re.compile(r"%\(\w+\)[a-z]|\{\w+\}")
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "say": None, "say_many": (1, 2), "later": None}


def gathered(parts: Iterable[Path] = PARTS) -> Catalog:
    """Return every text that the templates and modules mark, and the sentences of the engine, sorted."""
    catalog = Catalog(project="appliance", fuzzy=False)
    for part in parts:
        for name, _line, message, comments, context in extract_from_dir(
            part, METHODS, OPTIONS, keywords=KEYWORDS, comment_tags=("translators:",)
        ):
            catalog.add(message, None, [(name, 0)], auto_comments=comments, context=context)
    for source, sentences in (("update/changes/compare.py", phrases()), (TEMPLATES.name, templates())):
        for sentence in sentences:
            catalog.add(sentence, None, [(source, 0)])
    return catalog


def catalogues(web: Path = WEB) -> list[Path]:
    """Return the .po of every language but English."""
    return sorted((web / "locale").glob("*/LC_MESSAGES/page.po"))


def updated(po: Path, texts: Catalog) -> Catalog:
    """Return the catalogue with the texts of now; those that are gone are left out."""
    catalog = read(po)
    catalog.update(texts, no_fuzzy_matching=True, update_header_comment=False)
    catalog.obsolete.clear()
    return catalog


def read(po: Path) -> Catalog:
    """Return a catalogue as it stands."""
    with po.open("rb") as stream:
        return read_po(stream, locale=po.parts[-3])


def as_po(catalog: Catalog) -> bytes:
    """Return the text of a .po without places and dates, so that it changes only with its words."""
    catalog.creation_date = catalog.revision_date = WHEN
    out = io.BytesIO()
    write_po(out, catalog, width=110, no_location=True, sort_output=True, omit_header=False)
    return out.getvalue()


def as_mo(catalog: Catalog) -> bytes:
    """Return the compiled catalogue."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def faults(catalog: Catalog) -> list[str]:
    """Return what is not translated, and translations that lose a value or hold one of another name."""
    found = []
    for message in catalog:
        asked = message.id if isinstance(message.id, tuple | list) else (message.id,)
        forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if not message.id:
            continue
        if not all(forms):
            found.append(f"{catalog.locale}: no translation of {asked[0]!r}")
        elif any(values(form or "") != values(asked[-1]) for form in forms):
            found.append(f"{catalog.locale}: {asked[0]!r} has other values than its translation")
    return found


def values(text: str) -> list[str]:
    """Return the values that stand in a text, by name."""
    return sorted(VALUE.findall(text))


def main(arguments: list[str]) -> int:
    """Bring the catalogues up to date, or check that they are."""
    texts, behind = gathered(), []
    for po in catalogues():
        catalog = updated(po, texts)
        behind += faults(catalog)
        for path, content in ((po, as_po(catalog)), (po.with_suffix(".mo"), as_mo(catalog))):
            if "--check" not in arguments:
                path.write_bytes(content)
            elif not path.is_file() or path.read_bytes() != content:
                behind.append(f"{path.name} of {catalog.locale} is behind: run scripts/catalogue.py")
    sys.stdout.write("".join(f"{line}\n" for line in behind))
    return 1 if behind and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
