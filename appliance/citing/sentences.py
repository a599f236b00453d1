"""Whose a part is that is named without a document: what its own sentence tells.

Rules of this module: pure. A document that the sentence names before a part is the one named last in any
case; one named behind it counts where no other is named before it and no semicolon parts the two. A
document that only a sentence before names, as the grammar of the codes carries it on, may be another's: the
part is then assumed to be one of it, and said so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.document import Reference
from appliance.shipped import shipped

SENTENCE = 2_000  # characters before a place in which the end of a sentence is looked for
_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """A reference in the text of the paragraph at a position; None for what looks like one, by its name."""

    position: int
    text: str
    reference: Reference | None
    start: int
    name: str = ""


def of_sentence(said: Sequence[Said]) -> dict[_Place, str]:
    """Return by (paragraph, start) the document of a part whose own sentence names one, behind it alone."""
    found: dict[_Place, str] = {}
    behind, at, begins = "", (-1, -1), 0  # the document that is named next, in which sentence, and where
    for one in reversed(said):
        here = (one.position, sentence(one.text, one.start))
        if one.reference is None:
            behind, at = "", (-1, -1)
        elif one.reference.designation:
            behind, at, begins = one.reference.designation, here, one.start
        elif at == here and ";" not in one.text[one.reference.end : begins]:
            found[one.position, one.start] = behind
    seen: set[_Place] = set()
    for one in said:
        here = (one.position, sentence(one.text, one.start))
        if one.reference is not None and one.reference.designation:
            seen.add(here)
        elif here in seen:
            found.pop((one.position, one.start), None)
    return found


def sentence(text: str, at: int) -> int:
    """Return where the sentence around a position begins, a sentence longer than any cut where it is."""
    least = max(0, at - SENTENCE)
    ends = [match.end() for match in _stop().finditer(text, least, at)]
    return ends[-1] if ends else least or 0


def of_own_sentence(text: str, reference: Reference, parts: Collection[str]) -> Reference:
    """Return a part without the document that only a sentence before names: it may be that of another."""
    name, begin = reference.designation, sentence(text, reference.start)
    before = " ".join(text[max(0, begin - SENTENCE) : begin].split())
    if not name or reference.kind not in parts or name not in before:
        return reference
    held = name in " ".join(text[begin : reference.end].split())
    return reference if held else replace(reference, designation="")


@cache
def _stop() -> re.Pattern[str]:
    """Return what ends a sentence; the point of a shortened word ends none."""
    kept = "".join(rf"(?<!\b{re.escape(word)})" for word in shipped("citing/words")["shortened"])
    return re.compile(rf"{kept}[.;!?]\s+(?=[A-Z(\"“])")
