"""The names of kinds of places as the page says them.

Rules of this module: a kind without a name here is shown by its own word.
"""

from __future__ import annotations

from appliance.web.language import later, say

CLAUSES = {
    "part": later("Part"),
    "requirement": later("Requirement"),
    "section": later("Section"),
    "heading": later("Heading"),
    "clause": later("Clause"),
    "paragraph": later("Paragraph"),
    "item": later("Item"),
    "note": later("Note"),
    "annex": later("Annex"),
    "front": later("Front matter"),
}
CITED = (
    later("found"),
    later("superseded"),
    later("withdrawn"),
    later("wrong edition"),
    later("no such place"),
    later("wrong title"),
    later("ambiguous"),
    later("not in the library"),
    later("page"),
    later("line"),
    later("paragraph"),
)
"""What the report of a specification says of a citation, and where one stands in it, for the catalogue."""


def of_clause(kind: str) -> str:
    """Return what a clause of this kind is called."""
    return say(CLAUSES[kind]) if kind in CLAUSES else kind.capitalize()
