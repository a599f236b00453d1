"""An answer without a model to one that a model wrote: evidence, numbered sentences, statements, checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from appliance.answer.candidates.values import Candidate
from appliance.answer.quoting import doubted
from appliance.answer.reading.order import said
from appliance.answer.reading.question import Judges
from appliance.answer.verify import holds_what_is_asked
from appliance.answer.write.asking import Asker, Pace, Silent, Watch
from appliance.answer.write.checking import check, refused
from appliance.answer.write.draft import Draft, Spoken, drafts
from appliance.answer.write.earlier_turns import Turn, before
from appliance.answer.write.merging import Checked, merged
from appliance.answer.write.numbered_evidence import Sentence, by_id, numbered
from appliance.answer.write.pieces import in_pieces
from appliance.answer.write.strange import speaks
from appliance.core.errors import ApplianceError
from appliance.core.evidence import Answer, Grounded, Own, Place, Query, Written
from appliance.core.settings import LlmSettings
from appliance.models.prompts import load_prompt
from appliance.models.protocols import Generator, Limits
from appliance.store.read import Store

DECIDED = frozenset({"value", "definition", "location", "reference", "figure", "requirement"})
COPIED = 0.8  # of the tokens of the first sentence as an answer: so many are expected to be written
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

    `turns` is what was asked before. `read` says what places hold, `pace` how long the last answer took.
    """

    store: Store
    generator: Generator
    judges: Judges
    settings: LlmSettings
    places: int
    turns: tuple[Turn, ...] = ()
    read: Callable[[Store, Query, Sequence[Place], Judges], Iterable[Candidate]] = said
    pace: Pace = field(default_factory=Pace)


@dataclass
class _Work:
    """One answer in the making."""

    desk: Desk
    asker: Asker
    answer: Grounded


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


def write(desk: Desk, answer: Grounded, watch: Watch) -> Grounded:
    """Return the answer as the model wrote it, or as it was, with the reason; raises GivenUp."""
    limits = Limits(desk.settings.output_tokens, desk.settings.seconds)
    work = _Work(desk, Asker(desk.generator, watch, limits, desk.pace), answer)
    sentences: tuple[Sentence, ...] = ()
    checked: tuple[Checked, ...] = ()
    notice = ""
    try:
        sentences = _sentences(work)
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


def _sentences(work: _Work) -> tuple[Sentence, ...]:
    """Return the evidence as numbered sentences."""
    desk, evidence = work.desk, work.answer.evidence
    rounds = (place for made in evidence.rounds for place in made.added)
    places = tuple(dict.fromkeys((*evidence.hits[: desk.places], *rounds)))
    whole = desk.read(desk.store, evidence.query, places, desk.judges)
    found = [piece for item in whole for piece in in_pieces(desk.store, evidence.query, item)]
    quoted = [
        (c.document, c.page, c.boxes, c.quote)
        for statement in work.answer.statements
        for c in work.answer.citations
        if c.n in statement.citations
    ]
    count, tokens = desk.generator.count, desk.settings.evidence_tokens
    return numbered(
        found, lambda item: doubted(desk.store, item.quotes), list(dict.fromkeys(quoted)), count, tokens
    )


def _draft(work: _Work, sentences: Sequence[Sentence]) -> tuple[tuple[Draft, ...], str]:
    """Return what the model states, and a notice where it states nothing or not all; raises Silent."""
    if not sentences:
        why = "was shown nothing, for no sentence fits what it may read"
        raise Silent(why)
    desk = work.desk
    said = before(work.asker, desk.turns, desk.generator.count, desk.settings.conversation_tokens)
    question = work.answer.evidence.query.text
    question = f"Asked before: {said}\n{question}" if said else question
    texts = {"evidence": "\n".join(sentence.line for sentence in sentences), "question": question}
    lists = {"sentences": [sentence.id for sentence in sentences]}
    spoken = Spoken(work.asker.watch.say)
    copied = f'{{"a":[{{"i":["{sentences[0].id}"],"t":"{sentences[0].shown}"}}]}}'
    expected = round(COPIED * sum(desk.generator.count([copied])))
    wrote = work.asker.ask("answer", load_prompt("answer").render(texts, lists), spoken.add, expected)
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
