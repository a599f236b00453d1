"""An answer without a model to one that a model wrote: evidence, numbered sentences, statements, checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from appliance.answer.candidates.values import Candidate
from appliance.answer.quoting import doubted
from appliance.answer.reading.order import said
from appliance.answer.reading.question import Judges
from appliance.answer.review import with_round
from appliance.answer.write.asking import Asker, Silent, Watch
from appliance.answer.write.checking import check, refused
from appliance.answer.write.draft import Draft, Spoken, drafts
from appliance.answer.write.earlier_turns import Turn, before
from appliance.answer.write.judging import Request, judged, relevant_first
from appliance.answer.write.merging import Checked, merged
from appliance.answer.write.numbered_evidence import Sentence, by_id, numbered, renumbered, spot
from appliance.answer.write.pieces import in_pieces
from appliance.answer.write.questions import understood, worth_renaming, worth_splitting
from appliance.answer.write.strange import speaks
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Evidence, Grounded, Own, Place, Query, Round, Written
from appliance.core.settings import LlmSettings
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Generator, Limits
from appliance.store.read import Store

MORE = 0.5  # of the tokens of the evidence, beside them, for what a review asks for
PART_PLACES = 3  # first places of each part of the question that are added
UNREAD = "nothing that could be read"
UNREADABLE = f"wrote {UNREAD}"
NOTHING = (
    "The language model found no answer in the sentences that it read; what stands here is quoted without it."
)
UNHELD = (
    "Nothing that the language model wrote is confirmed by what it cites: it stands last, marked as such."
)
SPOKEN = "A place that was read holds text that speaks to a machine (“{}”): nothing is confirmed by it."
LEFT_OUT = "Of what the language model wrote {} left out: no plain words."


@dataclass(frozen=True, slots=True)
class Desk:
    """All that writing needs: where it looks things up, who writes, how much.

    `search` finds evidence for a part of the question under the same filters, `printed` tells whether the
    library has the words of a name; `turns` is what was asked before. `read` says what places hold.
    """

    store: Store
    generator: Generator
    judges: Judges
    search: Callable[[str], Evidence]
    printed: Callable[[str], bool]
    settings: LlmSettings
    places: int
    turns: tuple[Turn, ...] = ()
    read: Callable[[Store, Query, Sequence[Place], Judges], Iterable[Candidate]] = said


@dataclass
class _Work:
    """One answer in the making."""

    desk: Desk
    asker: Asker
    answer: Grounded
    added: list[Place] = field(default_factory=list)

    @property
    def question(self) -> str:
        return self.answer.evidence.query.text

    @property
    def evidence(self) -> Evidence:
        return self.answer.evidence

    def take(self, evidence: Evidence, added: Sequence[Place]) -> None:
        """Go on with more evidence."""
        self.answer = replace(self.answer, evidence=evidence)
        self.added += added


def write(desk: Desk, answer: Grounded, watch: Watch) -> Grounded:
    """Return the answer as the model wrote it, or as it was, with the reason; raises GivenUp."""
    limits = Limits(desk.settings.output_tokens, desk.settings.seconds)
    work = _Work(desk, Asker(desk.generator, watch, limits), answer)
    sentences: tuple[Sentence, ...] = ()
    checked: tuple[Checked, ...] = ()
    notice = ""
    try:
        _understand(work)
        sentences = _review(work, _sentences(work))
        drafted, notice = _draft(work, sentences)
        watch.stage("checking")
        checked, left_out = _checked(drafted, by_id(sentences))
        notice = " ".join(filter(None, (notice, left_out, _spoken(sentences))))
        if checked:
            work.answer = merged(desk.store, work.answer, checked)
            unheld = UNHELD if all(item.why for item in checked) else ""
            notice = " ".join(filter(None, (notice, unheld)))
    except Silent as why:
        notice = f"The language model {why}; what stands here is quoted without it."
    except ApplianceError as error:
        notice = f"The language model could not be asked ({error}); what stands here is quoted without it."
    shown = tuple(sentence.line for sentence in sentences)
    own = tuple(_own(item) for item in checked)
    held = sum(item.confirmed for item in own)
    written = Written(desk.generator.name, notice, tuple(work.asker.steps), shown, len(own), held, own)
    return replace(work.answer, written=written)


def _own(item: Checked) -> Own:
    chunks = tuple(dict.fromkeys(sentence.place.chunk for sentence in item.cited))
    return Own(item.text, not item.why, chunks)


def _understand(work: _Work) -> None:
    """Add the first places of each thing that the question asks for, and of what a code may call it."""
    query = work.evidence.query
    if not worth_splitting(query) and not worth_renaming(work.answer):
        return
    found = understood(work.asker, query, work.desk.printed)
    for part in found.parts:
        _add(work, part, f"part of the question: {part}")
    if found.names:
        named = ", ".join(found.names)
        _add(work, f"{query.text} {named}", f"other names for it: {named}")


def _add(work: _Work, question: str, why: str) -> None:
    """Add the first places of another search, those that are not there yet."""
    try:
        found = work.desk.search(question).hits[:PART_PLACES]
    except ApplianceError:
        return  # what cannot be searched for: the question itself was
    known = {hit.chunk for hit in work.evidence.hits}
    if new := tuple(place for place in found if place.chunk not in known):
        work.take(with_round(work.evidence, Round(why, new)), new)


def _sentences(work: _Work) -> tuple[Sentence, ...]:
    """Return the evidence as numbered sentences."""
    desk, evidence = work.desk, work.evidence
    places = tuple(dict.fromkeys((*work.added, *evidence.hits[: desk.places], *_from_rounds(evidence))))
    found = _found(work, places)
    quoted = [
        (c.document, c.page, c.boxes, c.quote)
        for statement in work.answer.statements
        for c in work.answer.citations
        if c.n in statement.citations
    ]
    asked_for = [spot(q) for item in found if item.place in work.added for q in item.quotes]
    leading = list(dict.fromkeys((*quoted, *asked_for)))
    count = desk.generator.count
    return numbered(
        found, lambda item: doubted(desk.store, item.quotes), leading, count, desk.settings.evidence_tokens
    )


def _found(work: _Work, places: Sequence[Place]) -> list[Candidate]:
    """Return what places say, in pieces that can be named one by one."""
    desk, query = work.desk, work.evidence.query
    whole = desk.read(desk.store, query, places, desk.judges)
    return [piece for item in whole for piece in in_pieces(desk.store, query, item)]


def _more(work: _Work, sentences: Sequence[Sentence], added: Sequence[Place]) -> tuple[Sentence, ...]:
    """Return the sentences with those of places that were asked for; none that was there before is lost."""
    desk = work.desk
    room = int(desk.settings.evidence_tokens * MORE)
    found = _found(work, added)
    new = numbered(found, lambda item: doubted(desk.store, item.quotes), (), desk.generator.count, room)
    known = {sentence.text for sentence in sentences}
    return renumbered((*sentences, *(item for item in new if item.text not in known)))


def _from_rounds(evidence: Evidence) -> tuple[Place, ...]:
    return tuple(place for made in evidence.rounds for place in made.added)


def _review(work: _Work, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """Return the sentences after the rounds in which the model may ask for more; it need not say anything."""
    desk, began = work.desk, time.monotonic()
    for _ in range(desk.settings.review_rounds if sentences else 0):
        left = desk.settings.review_seconds - (time.monotonic() - began)
        if left <= 0:
            break
        request = Request(work.question, frozenset(work.answer.searched), left)
        try:
            found = judged(work.asker, desk.store, work.evidence, sentences, request)
        except Silent:
            break
        work.take(found.evidence, found.added)
        sentences = relevant_first(sentences, found.relevant, found.irrelevant)
        if not found.added:
            break
        sentences = _more(work, sentences, found.added)
    return sentences


def _draft(work: _Work, sentences: Sequence[Sentence]) -> tuple[tuple[Draft, ...], str]:
    """Return what the model states, and a notice where it states nothing or not all; raises Silent."""
    if not sentences:
        why = "was shown nothing, for no sentence fits what it may read"
        raise Silent(why)
    desk = work.desk
    said = before(work.asker, desk.turns, desk.generator.count, desk.settings.conversation_tokens)
    question = f"Asked before: {said}\n{work.question}" if said else work.question
    texts = {"evidence": "\n".join(sentence.line for sentence in sentences), "question": question}
    lists = {"sentences": [sentence.id for sentence in sentences]}
    spoken = Spoken(work.asker.watch.say)
    wrote = work.asker.ask("answer", load_prompt("answer").render(texts, lists), spoken.add)
    found = drafts(wrote.text, lists["sentences"], whole=wrote.whole)
    if found is None:
        work.asker.found(UNREAD)
        raise Silent(wrote.ending or UNREADABLE)
    work.asker.found(f"{len(found)} statements")
    if not found:
        return (), NOTHING
    return found, "" if wrote.whole else f"The language model {wrote.ending}: its last words are left out."


def _spoken(sentences: Sequence[Sentence]) -> str:
    """Return a notice where a place that was read speaks to a machine."""
    texts = ("\n".join((item.place.text, *(quote.text for quote in item.quotes))) for item in sentences)
    found = next(filter(None, map(speaks, texts)), "")
    return SPOKEN.format(found[:40]) if found else ""


def _checked(drafted: Sequence[Draft], known: dict[str, Sentence]) -> tuple[tuple[Checked, ...], str]:
    """Return the statements with what the checks say of each, and how many are not shown at all.

    A confirmed one keeps of what it cites only what holds it.
    """
    checked = []
    for draft in drafted:
        if refused(draft.text):
            continue
        cited = tuple(known[name] for name in draft.ids)
        why = f"it names {', '.join(draft.unknown)}, which it was not shown"[:80] if draft.unknown else ""
        why = why or check(draft.text, cited)
        holding = cited if why else tuple(item for item in cited if not check(draft.text, [item]))
        checked.append(Checked(draft.text, holding, why))
    lost = len(drafted) - len(checked)
    told = LEFT_OUT.format("one statement is" if lost == 1 else f"{lost} statements are")
    return tuple(checked), told if lost else ""
