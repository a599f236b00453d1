"""What makes a page, or a document as a whole, worth a look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from appliance.core.document import Box

ReasonKind = Literal[
    "no text",  # nothing of the page can be searched
    "problem",  # what reading the PDF reported
    "gap",  # a number that the sequence skips
    "caption",  # a caption in the text without its table or figure
    "mention",  # a table or figure that is spoken of and was not found
    "table",  # a table that looks misread
    "misread",  # words that no language writes
    "nothing",  # a page that gave no clause, table or figure
    "little",  # a page with hardly a word and no drawing
    "structure",  # the document as a whole gave less than a code of its length
]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a page is worth a look; `weight` orders the pages. Page 0 is the document as a whole."""

    kind: ReasonKind
    page: int
    words: str
    weight: float
    box: Box | None = None
