"""An answer without a model to one with sentences that a model named: evidence, numbers, quotations.

The model names sentences, the program quotes them: what it says of its own is never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec

from appliance.answer.candidates import Candidate, Quote
from appliance.answer.chosen_statements import Quotations, Said
from appliance.answer.reading.order import ranked
from appliance.answer.reading.question import Judges
from appliance.answer.statement_support import holds_what_is_asked
from appliance.answer.write.asking import Asker, Silent
from appliance.answer.write.suspicious_text import speaks, suspicious
from appliance.core.decoding import decode
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer, Citation, Grounded, Own, Written
from appliance.core.settings import LlmSettings
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Generator
from appliance.store.read import Store
from appliance.tables.rows import flat

DECIDED = frozenset({"value", "definition", "location", "reference", "figure", "requirement"})
UNREAD = "nothing that could be read"
WITHOUT = "what stands here is quoted without it."
NOTHING = f"The language model found no answer in the sentences that it read; {WITHOUT}"
SPOKEN = "A place that was read holds text that speaks to a machine (“{}”): the model was not shown it."
_NAMED = re.compile(r'"(S\d+)"')
_QUOTES = str.maketrans(dict.fromkeys('"“”„‟'))
MOST = 24  # sentences: more ids only make a small model lose its way
START, STEP = 0.5, 0.02  # worth of a sentence that is quoted without a model, less for each one before it
READ_WORDS = 120  # of one sentence that the model is shown; what is quoted is whole

Count = Callable[[Sequence[str]], list[int]]
Spot = tuple[str, int, tuple[object, ...], str]  # where a quotation stands: document, page, boxes, words


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that could be said, with the id and the label by which a model knows it."""

    id: str
    label: str
    said: Candidate

    @property
    def text(self) -> str:
        """Return its words on one line."""
        return flat(self.said.text)

    @property
    def line(self) -> str:
        """Return the line that a model reads."""
        printed = self.text.split()
        shown = " ".join(printed[:READ_WORDS]) + (" …" if len(printed) > READ_WORDS else "")
        return f"{self.id} [{self.label}] {shown}"


def spot(quote: Quote | Citation) -> Spot:
    """Return where a quotation stands, whatever label a reader finds beside it."""
    text = quote.text if isinstance(quote, Quote) else quote.quote
    return (quote.document, quote.page, quote.boxes, text)


def numbered(
    found: Iterable[Candidate], leading: Sequence[Spot], count: Count, tokens: int
) -> tuple[Sentence, ...]:
    """Return numbered sentences of at most so many tokens; what stands in `leading` spots has a start."""
    made = {flat(one.text): one for one in sorted(found, key=lambda one: one.score)}
    best = sorted(made.values(), key=lambda one: -one.score - _start(one, leading))
    spread = len({one.place.document for one in best}) > 1  # then each is named with its document
    named = []
    for one in (one for one in best if one.text.strip()):
        quote = one.quotes[-1]
        label = f"{quote.document} {quote.label}" if spread else str(quote.label)
        named.append(Sentence(f"S{MOST}", label, one))
    kept: list[Sentence] = []
    room = tokens
    for sentence, size in zip(named, count([item.line for item in named]) if named else [], strict=True):
        if size <= room and len(kept) < MOST:
            kept.append(replace(sentence, id=f"S{len(kept) + 1}"))
            room -= size
    return tuple(kept)


def _start(one: Candidate, leading: Sequence[Spot]) -> float:
    """Return what a sentence is worth for standing in one of the leading spots, the first most."""
    for at, (document, page, _, quoted) in enumerate(leading):
        own = (q for q in one.quotes if q.document == document and q.page >= page)
        if any(q.text in quoted or quoted in q.text for q in own):
            return max(START - STEP * at, 0.0)
    return 0.0


class _Named(msgspec.Struct, frozen=True):
    """What a model writes: the ids of the sentences that answer."""

    a: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Desk:
    """All that writing needs: where it looks things up, who names the sentences, how much is read."""

    store: Store
    generator: Generator
    judges: Judges
    settings: LlmSettings
    places: int


def decides_alone(answer: Answer) -> bool:
    """Tell whether the first statement of an answer answers its question by itself."""
    if not isinstance(answer, Grounded) or not answer.statements:
        return True  # nothing was found, or nothing could be: there is nothing to write about
    query, first = answer.evidence.query, answer.statements[0]
    if answer.evidence.scope is not None:
        return True  # the graph has answered
    if len(answer.parts) > 1 or answer.conflicts or answer.gap or query.intent not in DECIDED:
        return False
    if not first.confirmed or answer.confidence.level == "low":
        return False
    places = {(c.document, c.label.key) for c in answer.citations if c.n in first.citations}
    return len(places) == 1 and (query.intent != "value" or holds_what_is_asked(query, first.text) >= 1)


def write(desk: Desk, answer: Grounded, asker: Asker) -> Grounded:
    """Return the answer with what the model named, or as it was, with the reason; raises Gone."""
    sentences: tuple[Sentence, ...] = ()
    named: tuple[Sentence, ...] = ()
    strange = ""
    try:
        sentences, strange = _sentences(desk, answer)
        named = _named(desk, answer, sentences, asker)
        notice = "" if named else NOTHING
    except Silent as why:
        notice = f"The language model {why}; {WITHOUT}"
    except ApplianceError as error:
        notice = f"The language model could not be asked ({error}); {WITHOUT}"
    made, own = _with(desk.store, answer, named)
    held = sum(item.confirmed for item in own)
    shown = tuple(sentence.line for sentence in sentences)
    notice = " ".join(filter(None, (notice, strange and SPOKEN.format(strange[:40]))))
    written = Written(desk.generator.name, notice, tuple(asker.steps), shown, len(own), held, own)
    return replace(made, written=written)


def _sentences(desk: Desk, answer: Grounded) -> tuple[tuple[Sentence, ...], str]:
    """Return the evidence as numbered sentences, and the first words of it that speak to a machine.

    What is no text of a code (markup, an address, an order) is not shown to the model.
    """
    evidence = answer.evidence
    rounds = (place for made in evidence.rounds for place in made.added)
    places = tuple(dict.fromkeys((*evidence.hits[: desk.places], *rounds)))
    plain: list[Candidate] = []
    strange = ""
    for one in ranked(desk.store, evidence.query, places, desk.judges).found:
        texts = "\n".join((one.place.text, *(quote.text for quote in one.quotes)))
        spoken = speaks(texts)
        strange = strange or spoken
        if not spoken and not suspicious("\n".join((one.text, *(quote.text for quote in one.quotes)))):
            plain.append(one)
    leading = dict.fromkeys(
        spot(c) for statement in answer.statements for c in answer.citations if c.n in statement.citations
    )
    count, tokens = desk.generator.count, desk.settings.evidence_tokens
    return numbered(plain, list(leading), count, tokens), strange


def _named(desk: Desk, answer: Grounded, sentences: Sequence[Sentence], asker: Asker) -> tuple[Sentence, ...]:
    """Return the sentences that the model names, each told as it is named; raises Silent."""
    if not sentences:
        raise Silent("was shown nothing, for no sentence fits what it may read")
    known = {sentence.id: sentence for sentence in sentences}
    evidence = "\n".join(sentence.line for sentence in sentences)
    texts = {"evidence": evidence, "question": answer.evidence.query.text}
    generation = load_prompt("answer").render(texts, {"sentences": list(known)})
    heard: list[str] = []
    told: dict[str, None] = {}

    def say(piece: str) -> None:
        heard.append(piece)
        for name in _NAMED.findall("".join(heard)):
            if name in known and name not in told:
                told[name] = None
                asker.watch.say(f"{known[name].text}\n")

    (expected,) = desk.generator.count([f'{{"a":["{sentences[0].id}"]}}'])
    wrote = asker.ask(generation, say, expected)
    try:
        ids = decode(wrote.encode(), _Named).a
    except (msgspec.DecodeError, UnicodeEncodeError):
        asker.found(UNREAD)
        raise Silent(f"wrote {UNREAD}") from None
    found = tuple(known[name] for name in dict.fromkeys(ids) if name in known)
    asker.found(f"{len(found)} sentences")
    return found


def _with(store: Store, answer: Grounded, named: Sequence[Sentence]) -> tuple[Grounded, tuple[Own, ...]]:
    """Return the answer with the sentences named, and those of them that it did not say without the model.

    What is quoted first stays first: the fitted order finds the wanted value more often than the model does.
    Behind it stands what is confirmed and not quoted in the same words, last what was read with doubt.
    """
    if not named:
        return answer, ()
    quotations = Quotations(store)
    before = "\n".join(_in_words(item.text) for item in answer.statements)
    new = [one.said for one in named if _in_words(one.text) not in before]
    told = [quotations.statement(Said((one,), one.notes)) for one in new]
    numbers = {spot(item): item.n for item in reversed(answer.citations)}
    more: list[Citation] = []
    own_number: dict[int, int] = {}
    for item in quotations.citations():
        if spot(item) not in numbers:
            more.append(replace(item, n=len(answer.citations) + len(more) + 1))
            numbers[spot(item)] = more[-1].n
        own_number[item.n] = numbers[spot(item)]
    made = [replace(one, citations=tuple(own_number[n] for n in one.citations)) for one in told]
    sure = [one for one in made if one.confirmed]
    unsure = [one for one in made if not one.confirmed]
    parts = (
        replace(part, statements=tuple(at + len(sure) * (at > 0) for at in part.statements))
        for part in answer.parts
    )
    own = tuple(
        Own(item.text, item.confirmed, (one.place.chunk,)) for one, item in zip(new, told, strict=True)
    )
    return replace(
        answer,
        statements=(*answer.statements[:1], *sure, *answer.statements[1:], *unsure),
        citations=(*answer.citations, *more),
        parts=tuple(parts),
        mode="model",
    ), own


def _in_words(text: str) -> str:
    """Return a text on one line, without the mark at its end and without quotation marks."""
    return " ".join(text.translate(_QUOTES).rstrip(" .").split())
