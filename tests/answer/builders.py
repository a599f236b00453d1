"""Small values for the tests of answers."""

from __future__ import annotations

from appliance.answer.candidates import Candidate, Quote
from appliance.answer.statement_support import Claim
from appliance.core.document import Box, Chunk, Label, LineSpan, Passage
from appliance.core.evidence import Intent, Place, Query

PAGE = 3


def query(text: str, intent: Intent = "general") -> Query:
    return Query(text, intent, tuple(text.split()))


def box(line: int = 0, page: int = PAGE) -> Box:
    return Box(page, 0.1, 0.1 + line / 100, 0.9, 0.11 + line / 100)


def passage(text: str) -> Passage:
    lines, start = [], 0
    for number, line in enumerate(text.split("\n")):
        lines.append(LineSpan(start, start + len(line), box(number)))
        start += len(line) + 1
    return Passage(text, tuple(lines))


def place(kind: str = "clause", label: str = "1.1", chunk: int = 1, text: str = "text") -> Place:
    return Place(
        document="C",
        label=Label((label,)),
        labels=(Label((label,)),),
        kind=kind,  # type: ignore[arg-type]
        title="",
        heading_path=(),
        pages=(PAGE,),
        boxes=(box(),),
        focus=(box(),),
        text=text,
        score=1.0,
        found_by=("lexical", "dense"),
        chunk=chunk,
    )


def chunk(text: str, kind: str = "clause", label: str = "1.1", row: int | None = None) -> Chunk:
    name = Label((label,))
    return Chunk(name, (name,), kind, "", (), passage(text), (box(),), row=row)  # type: ignore[arg-type]


def candidate(text: str, score: float = 0.0, label: str = "1.1") -> Candidate:
    """A sentence of the document C, quoted as it is said."""
    quote = Quote("C", Label((label,)), PAGE, (box(),), text)
    claims = (Claim(text, (text,)),)
    return Candidate("sentence", text, (quote,), place(label=label), 0, 1, claims=claims, score=score)
