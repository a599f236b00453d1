"""How sure an answer is, from named signals only, each said in words.

Rules of this module: the chance that an answer is right comes from a small logistic model over signals
that are written down with their weights (data/answer/confidence.toml), fitted on judged questions with
each document left out in turn. Right is an answer that holds the wanted values, one of them in its first
statement; "high" means that nine in ten such answers were, it never means: need not be checked. What speaks
against an answer beyond the model (a doubt, a conflict, a national choice, an edition out of force) takes
"high" away from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from appliance.answer.about import missed, spoken_by, things
from appliance.answer.counted import uncounted
from appliance.answer.designated import another_class
from appliance.answer.findings import Finding, covered, is_asked, named_besides
from appliance.answer.single import asks_one_value
from appliance.answer.turned import other_case
from appliance.core.document import OUT_OF_FORCE
from appliance.core.evidence import Confidence, Conflict, Evidence, Statement
from appliance.core.files import shipped

FAIR = 0.75  # relevance below which the documents may well not bear on the question
COVERED = 0.3  # share of the question's words that the first statements should hold
FIRST = 2  # statements that count as the first
BELOW = 0.06  # below the bound of a grade: so much is one in ten less when rounded
SILENT = 0.6  # chance at most where no statement speaks of what a short question is about
MANY = 2  # things against an answer beyond which it is not to be relied on

_CHANCE = "estimated chance "


def confidence(
    evidence: Evidence,
    found: Sequence[Finding],
    statements: Sequence[Statement],
    statuses: Sequence[str],
    conflicts: Sequence[Conflict] = (),
    *,
    silent: str = "",
    unread: str = "",
    respelt: Sequence[str] = (),
) -> Confidence:
    """Return high, medium or low with the reasons; `statuses` are those of the documents cited first.

    `silent` says what of the question no statement speaks of, `unread` what of it no document does, and
    `respelt` which of its words were read as others.
    """
    if not found or not statements:
        return Confidence("low", ("nothing is stated",))
    model, signals = _model(), signals_of(evidence, found[0])
    sure = chance(signals)
    against = [
        *evidence.not_run,
        *filter(None, [silent.rstrip(".")]),
        *_of_several(evidence),
        *_unsure(evidence, found[0]),
        *_against(evidence, statements, statuses),
        *_elsewhere(evidence, found),
        *_of_another_case(evidence, found),
        *_unheaded(evidence, found[0]),
        *_uncounted(evidence, found[0]),
        *_contradicted(conflicts),
    ]
    beside = (*filter(None, [unread.rstrip(".")]), *respelt, *_beside(evidence, statements))
    level: Literal["high", "medium", "low"] = "medium"
    weak = bool(silent) and evidence.relevance < FAIR and signals["best"] < model["bounds"]["best"]
    if sure < model["low"] or len(against) > MANY or weak:
        level = "low"
    elif sure >= model["high"] and not against and evidence.relevance >= FAIR:
        level = "high"
    sure = min(agreeing(level, sure), SILENT if silent else 1.0)
    reasons = (f"{_CHANCE}{round(10 * sure)} in 10", *_words(signals), *against, *beside)
    return Confidence(level, tuple(dict.fromkeys(reasons)), sure, tuple(signals.items()))


def agreeing(level: str, sure: float) -> float:
    """Return a chance that agrees with a grade: what takes a grade away lowers the chance below its bound."""
    model = _model()
    bounds: dict[str, float] = {"medium": model["high"] - BELOW, "low": model["low"] - BELOW}
    return min(sure, bounds.get(level, sure))


def without_chance(reasons: Sequence[str]) -> tuple[str, ...]:
    """Return reasons without the one that tells the chance."""
    return tuple(reason for reason in reasons if not reason.startswith(_CHANCE))


def signals_of(evidence: Evidence, first: Finding) -> dict[str, float]:
    """Return the signals of an answer by their names in data/answer/confidence.toml."""
    query = evidence.query
    intent = query.intent
    return {
        "best": first.score,
        "value": float(intent == "value" or (intent == "comparison" and bool(query.kinds))),
        "table": float(first.place.kind == "table"),
        "definition": float(intent == "definition"),
    }


def chance(signals: Mapping[str, float]) -> float:
    """Return the chance (0..1) that an answer with these signals is right."""
    weights = _model()["weights"]
    return 1 / (1 + math.exp(-_model()["intercept"] - sum(weights[name] * signals[name] for name in weights)))


def _words(signals: Mapping[str, float]) -> Iterator[str]:
    """Yield what the signals that are there say, for or against the answer."""
    model = _model()
    for name, value in signals.items():
        bound = model["bounds"].get(name)
        holds = value >= bound if bound is not None else value > 0
        against = model["weights"][name] < 0 or not holds
        if holds or bound is not None:
            words = model["against" if against else "words"].get(name, "")
            yield from [words] if words else []


def _elsewhere(evidence: Evidence, found: Sequence[Finding]) -> Iterator[str]:
    """Yield that the first statement, or the one that fits best, is about another thing than asked for."""
    best = max(found, key=lambda finding: finding.score)
    for finding, what in ((found[0], "the first statement"), (best, "the statement that fits best")):
        if words := missed(evidence.query, evidence.hits, finding):
            named = " and ".join(f"“{word}”" for word in words)
            yield f"{what} does not name {named}, other places found do"
            return


def _of_another_case(evidence: Evidence, found: Sequence[Finding]) -> Iterator[str]:
    """Yield that the first statement is for another case or class than asked about, or may be."""
    if why := other_case(evidence.query, found):
        yield why
    elif another_class(evidence.query, found[0]):
        yield f"{found[0].place.label} is for another case than asked about"


def _unheaded(evidence: Evidence, first: Finding) -> Iterator[str]:
    """Yield that no heading names the one thing whose value is asked for: a sentence may say it of another.

    "How high must a room be" finds what a room for bins has over it. A row stands in its table.
    """
    query, place = evidence.query, first.place
    asked = things(query)
    if len(asked) != 1 or first.marked or "exact" in place.found_by or not asks_one_value(query):
        return
    word, over = asked[0], " ".join((place.title, *place.heading_path))
    if not spoken_by(query, word, over):
        yield f"no heading over the first statement names \u201c{word}\u201d: it may be about another thing"


def _uncounted(evidence: Evidence, first: Finding) -> Iterator[str]:
    """Yield that the first statement does not count what "how many" asks for."""
    if things_asked := uncounted(evidence.query, first):
        yield f"the first statement counts no \u201c{things_asked}\u201d"


def _unsure(evidence: Evidence, first: Finding) -> Iterator[str]:
    """Yield why no value of the table stated first is sure; one asked for by its name needs none."""
    if first.unsure and not (evidence.query.labels and "exact" in first.place.found_by):
        yield first.unsure


def _of_several(evidence: Evidence) -> Iterator[str]:
    """Yield that what a question names by its label alone stands in several places."""
    named: dict[str, dict[str, dict[str, None]]] = {}
    for hit in evidence.hits:
        for label in dict.fromkeys((hit.label, *hit.labels) if "exact" in hit.found_by else ()):
            if is_asked(evidence.query, label):
                named.setdefault(str(label), {}).setdefault(hit.document, {})[label.named] = None
    for printed, documents in named.items():
        if len(documents) > 1 and not evidence.query.documents:
            yield f"{printed} stands in {', '.join(documents)}: which document is meant?"
        elif not named_besides(evidence.query):
            for document, ways in documents.items():
                if len(ways) > 1:
                    yield f"{printed} of {document} may be {', '.join(ways)}: which one is meant?"


def _contradicted(conflicts: Sequence[Conflict]) -> Iterator[str]:
    for conflict in conflicts:
        one, other = conflict.sides
        yield f"{one.document} {one.label} and {other.document} {other.label} give different numbers"


def _against(evidence: Evidence, statements: Sequence[Statement], statuses: Sequence[str]) -> Iterator[str]:
    """Yield what speaks against an answer whatever its signals are."""
    if evidence.query.unreadable:
        yield evidence.query.unreadable
    first = evidence.hits[0]
    keys = {label.key for label in (first.label, *first.labels)}
    for choice in evidence.choices:
        if choice.parent == first.document and choice.target.key in keys and not choice.adopts:
            yield f"a {choice.what} decides about the first place ({choice.document} {choice.label})"
            break
    unconfirmed = [statement for statement in statements if not statement.confirmed]
    if unconfirmed:
        yield f"{len(unconfirmed)} of {len(statements)} statements not confirmed ({unconfirmed[0].why})"
    yield from (f"the first document cited is {status}" for status in statuses[:1] if status in OUT_OF_FORCE)


def _beside(evidence: Evidence, statements: Sequence[Statement]) -> Iterator[str]:
    """Yield what a reader should know besides."""
    ways = dict.fromkeys(_model()["ways"][channel] for channel in evidence.hits[0].found_by)
    yield f"first place found by {', '.join(ways)}"
    if evidence.relevance < FAIR:
        yield "the question is only partly met by the documents"
    share = covered(evidence.query, " ".join(statement.text for statement in statements[:FIRST]))
    if share < COVERED:
        yield f"the first statements hold {share:.0%} of the words of the question"
    if evidence.unresolved:
        number = len(evidence.unresolved)
        yield f"{number} {'reference' if number == 1 else 'references'} could not be followed"


@cache
def _model() -> dict[str, Any]:
    return shipped("answer/confidence")
