"""Whether words ask for one row by its own name, and whether a note speaks of that row.

Rules of this module: pure. Words that all rows share ("category", "case") name none of them; short codes
("A", "C5", "2a") keep their letters and count as words, although "a" alone is none. Figures that a scan reads
as letters ("Cl" for "C1", "CS" for "C5") are figures behind a letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.document import Table
from appliance.lookalikes import value_digits
from appliance.ranges import Token, likeness, tokens
from appliance.tabular import rows

_CODE = re.compile(
    r"(?<![^\W_])[A-Z](?:[0-9lIOSZ]\d?)?(?![^\W_])(?![.)]\d)"
    r"|(?<![^\W_])(?<!\d[.,])\d{1,2}[a-f](?![^\W_])"
)
_RUN = re.compile(r"(?<![^\W_])([A-Z])([0-9lIOS])\s*[-–]*\s*to\s*[-–]*\s*\1([0-9lIOS])(?![^\W_])")

Name = frozenset[Token]


def codes(text: str) -> frozenset[str]:
    """Return the codes of a text: "A", "C5", "2a"; "C2 to C4" holds C3 as well."""
    found = {code[0] + _figures(code[1:]) for code in _CODE.findall(text)}
    for letter, first, last in _RUN.findall(text):
        low, high = int(_figures(first)), int(_figures(last))
        found |= {f"{letter}{number}" for number in range(low, high + 1)}
    return frozenset(found)


def _figures(text: str) -> str:
    return "".join(value_digits().get(sign, sign) for sign in text)


def named(asked: str, labels: Sequence[str], about: str = "") -> list[bool]:
    """Tell of each row label whether it is just what was asked.

    Words that all labels share are left out, and asked ones that stand in what the rows are `about` (the
    title, the header over the labels).
    """
    names = [_name(label) for label in labels]
    filled = {name for name in names if name}
    common = frozenset[Token]().union(frozenset.intersection(*filled)) if len(filled) > 1 else frozenset()
    wanted, spare = _name(asked), common | _name(about)
    cores = [name - common or name for name in names]
    return [bool(core) and core <= wanted and wanted - core <= spare for core in cores]


def _name(text: str) -> Name:
    return frozenset(tokens(text)) | {code.casefold() for code in codes(text)}


def speaks_of(note: str, table: Table, row: str) -> bool:
    """Tell whether a note names the row that was asked for by its own words, and no other row.

    Without words of its own (none, or only those of the table's title) a row is named by no note.
    """
    if not row.strip():
        return True
    wanted = codes(row)
    if wanted:
        labels = [codes(one.label) for one in rows(table)]
        own = wanted.union(*(label for label in labels if wanted <= label))
        others = frozenset[str]().union(*labels) - own
        held = codes(note)
        return wanted <= held and not held & others
    title = tokens(table.title)
    words = [token for token in tokens(row) if likeness(token, title) == 0]
    held_words = tokens(note)
    return bool(words) and all(likeness(token, held_words) > 0 for token in words)
