"""The card of a kept answer: what is seen of it before anything else, on a page and on paper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from appliance.answer.candidates import CLAIMS, PIECES
from appliance.core.document import Box
from appliance.site.saved import Kept, KeptHeadline, KeptStatement

ELLIPSIS = PIECES.strip()
ENDS = " .;,"  # signs at the end of a quotation that leave nothing out
_LEFT_OUT = re.compile(rf"(?:\s*{ELLIPSIS}\s*){{2,}}(?=\S)")
LONGEST_MARK = 6  # signs of the number of an item: "d(iii)"
WORDS = 40  # in sight of what is said in lines
PLACES = 3  # to read, where no single claim is vouched for
ALSO = 4  # further statements in sight


@dataclass(frozen=True, slots=True)
class Card:
    """One claim where the state is found, else places to read; further statements are a line each.

    `headline` is the value to show large, None where no value is vouched for or its text was read with doubt,
    for then the picture is the value. `cases` stand in its place, side by side, where the question leaves the
    case open. Of the further statements `also` are in sight and `more` are not.
    """

    found: bool
    headline: KeptHeadline | None
    cases: tuple[KeptHeadline, ...]
    claims: tuple[KeptStatement, ...]
    also: tuple[KeptStatement, ...]
    more: tuple[KeptStatement, ...]


def card(kept: Kept) -> Card:
    """Return the card of an answer; of statements that cite nothing none is shown."""
    found = kept.state == "found"
    known = {item.n for item in kept.citations}
    cited = [item for item in (*kept.statements, *kept.also) if set(item.citations) & known]
    further = {id(item) for item in kept.also}
    said = [item for item in cited if id(item) not in further or not _of_its_table(kept, item, cited[0])]
    shown = 1 if found else PLACES
    in_cases = {case.citation for case in kept.cases}
    rest = tuple(item for item in said[shown:] if not in_cases or proof_of(kept, item) not in in_cases)
    return Card(found, kept.headline, kept.cases, tuple(said[:shown]), rest[:ALSO], rest[ALSO:])


def _of_its_table(kept: Kept, item: KeptStatement, claim: KeptStatement) -> bool:
    """Tell whether a statement says another row of the table of a claim, which the question leaves out."""
    known = {one.n: one for one in kept.citations}
    proof = known[proof_of(kept, claim)]
    cited = {(known[n].document, known[n].key) for n in item.citations if n in known}
    is_row = item.text.startswith(f"{proof.label}: ")
    return bool(claim.rows) and is_row and (proof.document, proof.key) in cited


def steps(kept: Kept, claim: KeptStatement) -> tuple[tuple[str, str], ...]:
    """Return what a statement says in lines, one for each claim and item, each with its printed mark.

    The mark is "" for what is no item of a list. Nothing where it has one line.
    """
    known = {item.n: item for item in kept.citations}
    cited = [known[n] for n in claim.citations if n in known]
    lead = min((item.key for item in cited), key=len, default="")
    quoted = [(item.key.removeprefix(lead), " ".join(item.quote.split())) for item in cited]
    found = []
    for line, said in enumerate(claim.text.split(CLAIMS)):
        mark = quote = ""
        for piece in " ".join(said.split()).split(PIECES):
            words = piece.strip(f" {ELLIPSIS}")
            near = ((mark, quote), *quoted)  # pieces of one quotation follow one another
            mark, quote = next((one for one in near if words in one[1]), ("", words))
            item = bool(mark) and (mark[0].isalpha() or mark[0] == "(") and len(mark) <= LONGEST_MARK
            found.append((line, mark if item else "", with_gaps(words, (quote,))))
    joined = tuple(
        (mark, run_on(text for *_, text in own)) for (_, mark), own in groupby(found, key=lambda one: one[:2])
    )
    return joined if len(joined) > 1 else ()


def in_sight(lines: Sequence[tuple[str, str]]) -> int:
    """Return how many lines stand in sight, the others folded: a single one more is not worth a fold."""
    words = accumulate(len(text.replace(ELLIPSIS, "").split()) for _, text in lines)
    near = max(1, sum(count <= WORDS for count in words))
    return near if near + 1 < len(lines) else len(lines)


def with_gaps(piece: str, quotes: Iterable[str]) -> str:
    """Return a piece of a quotation with the signs of what is left out before and behind it."""
    words = piece.strip(f" {ELLIPSIS}")
    quote = next((quote for quote in quotes if words in quote), words)
    before = "" if quote.startswith(words) else f"{ELLIPSIS} "
    behind = "" if quote.rstrip(ENDS).endswith(words.rstrip(ENDS)) else f" {ELLIPSIS}"
    return f"{before}{words}{behind}"


def run_on(pieces: Iterable[str]) -> str:
    """Return pieces in one line, with one sign for what is left out between them."""
    return _LEFT_OUT.sub(PIECES, PIECES.join(pieces))


def proof_of(kept: Kept, claim: KeptStatement) -> int:
    """Return the citation to show for a claim: of the headline where the claim has it, else its first."""
    known = [item.n for item in kept.citations]
    own = [n for n in claim.citations if n in known]
    return next((head.citation for head in _heads(kept) if head.citation in own), own[0])


def cell_of(kept: Kept, citation: int) -> Box | None:
    """Return the cell of the value that is shown of a citation, None where none of a cell is."""
    return next((head.box for head in _heads(kept) if head.citation == citation), None)


def _heads(kept: Kept) -> tuple[KeptHeadline, ...]:
    return (kept.headline,) if kept.headline else kept.cases


def proof_boxes(kept: Kept, claim: KeptStatement) -> tuple[Box, ...]:
    """Return where all that a claim says of its proof's page stands there, the proof itself first.

    Beside a value that is shown large no other row of its table is.
    """
    known = {item.n: item for item in kept.citations}
    proof = known[proof_of(kept, claim)]
    others = [row.cells[0] for row in claim.rows if _heads(kept) and row.cells[0] not in proof.quote]
    cited = [
        item
        for item in (known[n] for n in claim.citations if n in known)
        if item.document == proof.document and not any(name in item.quote for name in others)
    ]
    beside = (box for item in cited for box in item.boxes if box.page == proof.page)
    return tuple(dict.fromkeys((*proof.boxes, *beside)))
