"""A code or a symbol that a question asks for and a table does not have: its neighbours are no answer.

Rules of this module: pure. A table lacks a code ("GT32") where its rows or columns have others of the same
letters ("GT24") and no text of it holds that one, nor a range of codes ("C2 to C4" holds C3). A code in small
letters counts where it can be no unit. A symbol has to stand where the values that decide are named: in the
row, over the cells or in the caption; a letter without an index may stand in any header.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from appliance.answer.named import own_codes
from appliance.core.document import Table
from appliance.core.files import shipped
from appliance.retrieval.query.spelling import signs_in
from appliance.tables.lookup import codes
from appliance.tables.rows import Row, flat, label_columns
from appliance.text.units import unit_pattern

_SMALL = re.compile(r"(?<![\w.,/-])(?<!\d )[a-z]{1,3}\d{1,3}(?:[.,]\d)?(?![\w/-]|[.,]\d)")
_PART = re.compile(r"(?<![^\W_])[A-Z]{1,3} ?\d{1,3}-\d")  # the number of a standard in parts: "DC 1-3"


def lacking_code(asked: str, besides: Sequence[str], table: Table, body: Sequence[Row]) -> str:
    """Return the code of a question that a table lacks beside others like it, "" where it lacks none.

    `besides` are places and documents that the question names.
    """
    texts = [flat(text) for text in (table.title, *(cell.text for cell in table.cells))]
    texts += [note.text for note in table.notes]
    held = {code for text in texts for code in (*own_codes(text), *codes(text))}
    labels = [cell.text for row in body for cell in row.cells if cell.column < label_columns(table)]
    labels += [cell.text for cell in table.cells if cell.header]
    like = {_letters(code) for text in labels for code in own_codes(flat(text))}
    out = held.union(*map(own_codes, besides))
    for code in _asked(asked):
        if code not in out and _letters(code) in like and not any(_spans(text, code) for text in texts):
            return code
    return ""


def lacking_sign(asked: str, table: Table, named: Sequence[str]) -> str:
    """Return the symbol of a question that names none of the values that decide, "" where one does.

    `named` is what each row stated is named by.
    """
    headers = _plain(" ".join((table.title, *(cell.text for cell in table.cells if cell.header))))
    by = _plain(" ".join(named))
    signs = signs_in(asked)
    if any(sign in by or (len(sign) == 1 and sign in headers) for sign in map(_plain, signs)):
        return ""
    return next(iter(signs), "")


def _asked(asked: str) -> Iterator[str]:
    """Yield the codes of a question as they are printed: "GT32", "t30" as "T30"."""
    yield from own_codes(_PART.sub(" ", asked))
    for found in _SMALL.finditer(asked):
        if not unit_pattern().fullmatch(found.group()):
            yield found.group().upper().replace(",", ".")


def _spans(text: str, code: str) -> bool:
    """Tell whether a text holds a code in a range of codes: C3 in "C2 to C4"."""
    figures = re.search(r"\d+(?:\.\d)?", code)
    return figures is not None and any(
        run[1] == _letters(code) and int(run[2]) <= float(figures.group()) <= int(run[3])
        for run in _run().finditer(text)
    )


@cache
def _run() -> re.Pattern[str]:
    """Return what finds the two ends of a range of codes."""
    words = "|".join(map(re.escape, shipped("answer/columns")["spanning"]))
    return re.compile(rf"([A-Z]{{1,3}}) ?(\d{{1,3}}) ?(?:{words}) ?(?:\1 ?)?(\d{{1,3}})(?![\d.])")


def _letters(code: str) -> str:
    return re.split(r"\d", code, maxsplit=1)[0]


def _plain(text: str) -> str:
    return re.sub(r"[\s_,]", "", unicodedata.normalize("NFKC", text))
