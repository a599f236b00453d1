"""Whether a document was understood at all: numbering, contents list, language, references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from appliance.core.document import Clause, Document, Label, pages_of
from appliance.ingest.checks import ANNOUNCED
from appliance.ingest.references.part_words import has_words
from appliance.quality.contract import Doubt, Expected, References
from appliance.text.language import language_name

HARDLY, DOUBT = 5.0, 2.0  # weights
FEWEST = 6  # pages with text; fewer prove nothing
LETTERS = 4_000  # of text; less proves nothing
TEXT = (0.12, 0.35)  # of the text stands in numbered places: below, hardly understood; below, doubtful
PAGES = (0.15, 0.4)  # of the pages with text hold a numbered place
A_PAGE = (0.1, 0.4)  # numbered places on a page
ANNOUNCEMENTS = (0.35, 0.1)  # of the contents list is lost: above
SKIPPED = (0.2, 0.08)  # of the clause numbers are skipped: above
FEW_LOST = 4  # entries or numbers: so many are told page by page and decide nothing
LOST = 0.5  # of the references inside the document lead nowhere
REFERENCES = 20  # fewer prove nothing
A_PAGE_OF_REFERENCES = 0.2  # where nothing tells what the family usually has
_PLACES = frozenset({"section", "clause", "paragraph", "annex", "requirement", "part"})


def _numbered(clause: Clause, above: Mapping[Label, Clause]) -> bool:
    """Tell whether a clause has a number that can be cited, or stands in one that has."""
    at: Clause | None = clause
    seen: set[Label] = set()
    while at is not None and at.label not in seen:
        seen.add(at.label)
        if at.kind in _PLACES and (at.kind == "annex" or any(c.isdigit() for c in str(at.label))):
            return True
        at = above.get(at.parent) if at.parent else None
    return False


def understanding(document: Document, clauses: Expected, references: References) -> list[Doubt]:
    """Return what makes the document as a whole doubtful, the weightiest first."""
    found = [*_numbering(document)]
    lost = sum(problem.message.startswith(ANNOUNCED) for problem in document.problems)
    titled = sum(bool(clause.title) and clause.kind in _PLACES for clause in document.clauses)
    if weight := _too_many(lost, lost + titled, ANNOUNCEMENTS):
        words = f"{lost} places that its contents list names were not found, beside {titled} with a title."
        found.append(_whole(words, weight))
    skipped = len(clauses.missing)
    if weight := _too_many(skipped, clauses.expected, SKIPPED):
        words = f"{skipped} numbers are skipped between the {clauses.found} clauses found."
        found.append(_whole(words, weight))
    if document.language and not has_words(document.language):
        name = language_name(document.language)
        words = f"It is written in {name}, whose words for references and captions are not known here."
        found.append(_whole(words, HARDLY if not document.references else DOUBT))
    return sorted((*found, *_references(document, references)), key=lambda reason: -reason.weight)


def _numbering(document: Document) -> Iterator[Doubt]:
    """Yield that hardly anything of the document stands in numbered places."""
    above = {clause.label: clause for clause in document.clauses}
    inside = [clause for clause in document.clauses if _numbered(clause, above)]
    letters = sum(len(clause.passage.text) for clause in document.clauses)
    read = {page.number for page in document.pages if page.trust != "none"}
    if len(read) < FEWEST or letters < LETTERS:
        return
    text = sum(len(clause.passage.text) for clause in inside) / letters
    pages = len(read & {page for clause in inside for page in pages_of(clause.boxes)}) / len(read)
    places = sum(clause.kind in _PLACES for clause in inside)
    told = (
        (text, TEXT, f"{_only(text)} of its text stands in numbered clauses"),
        (places / len(read), A_PAGE, f"Only {places} numbered clauses were found on {len(read)} pages"),
        (pages, PAGES, f"{_only(pages)} of its pages hold numbered clauses"),
    )
    doubts = [(HARDLY if share < poor else DOUBT, words) for share, (poor, few), words in told if share < few]
    if doubts:
        weight, words = max(doubts, key=lambda doubt: doubt[0])
        yield _whole(f"{words}; its numbering may not have been understood.", weight)


def _only(share: float) -> str:
    return f"Only {share:.0%}" if share > 0 else "None"


def _too_many(lost: int, expected: int, shares: tuple[float, float]) -> float:
    """Return the weight of so many lost of so many expected, 0 where that tells nothing."""
    hardly, doubtful = shares
    if lost <= FEW_LOST or lost <= doubtful * expected:
        return 0.0
    return HARDLY if lost > hardly * expected else DOUBT


def _references(document: Document, references: References) -> Iterator[Doubt]:
    """Yield that a code of this length has hardly a reference, or that most of its own lead nowhere."""
    read = sum(page.trust != "none" for page in document.pages)
    letters = sum(len(clause.passage.text) for clause in document.clauses)
    if read >= FEWEST and letters >= LETTERS:
        known = references.usual_a_page
        usual = f"; its family usually has {known:g} a page" if known else ""
        if not references.found:
            yield _whole(f"No reference at all was found on {read} pages{usual}.", DOUBT)
        elif references.low or references.a_page < A_PAGE_OF_REFERENCES:
            yield _whole(f"Only {references.found} references were found on {read} pages{usual}.", DOUBT)
    own = [reference for reference in document.references if not reference.external]
    open_ones = sum(reference.status == "unresolved" for reference in own)
    if len(own) >= REFERENCES and open_ones > LOST * len(own):
        yield _whole(f"{open_ones} of the {len(own)} references inside the document lead nowhere.", DOUBT)


def _whole(words: str, weight: float) -> Doubt:
    return Doubt("structure", 0, words, weight)
