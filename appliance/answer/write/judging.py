"""What the evidence lacks for its question, as a language model sees it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from appliance.answer.review import Need, follow, links_of, with_round
from appliance.answer.write.asking import Asker, Silent
from appliance.answer.write.numbered_evidence import Sentence, renumbered
from appliance.core.evidence import Evidence, Link, Place, Round
from appliance.models.prompts import load_prompt
from appliance.store.read import Store

ADDED = 6  # places that one review may add
LABELS = 12  # references that are offered to be followed
NAMES = 80  # characters told of labels that are not followed

Offered = dict[str, tuple[tuple[str, Link], ...]]  # label as printed -> ids that print it, with its reference


class Judgement(msgspec.Struct, frozen=True):
    """What the model says: ids that bear on it, that do not, labels to follow, ids to read around, the rest.

    Whether it is complete, and what is missing.
    """

    r: tuple[str, ...] = ()
    x: tuple[str, ...] = ()
    f: tuple[str, ...] = ()
    n: tuple[str, ...] = ()
    c: str = ""
    m: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What a review is about: the question, the documents it may reach into, the seconds it may take."""

    question: str
    documents: frozenset[str]
    seconds: float


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The evidence with the places that a review added, the ids that it calls relevant and irrelevant."""

    evidence: Evidence
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...]
    added: tuple[Place, ...]


def offered(store: Store, sentences: Sequence[Sentence], evidence: Evidence) -> Offered:
    """Return what may be followed by its label as printed: the ids that print it, each with its reference."""
    shown = {(hit.document, label.key) for hit in evidence.hits for label in (hit.label, *hit.labels)}
    found: dict[str, tuple[tuple[str, Link], ...]] = {}
    places = list(dict.fromkeys(sentence.place for sentence in sentences))
    known = links_of(store, places)
    for sentence in sentences:
        for link in known.get(sentence.place.chunk, ()):
            label = " ".join(link.words.split())
            new = (link.to_document, link.to_label.key) not in shown
            if new and label and _prints(sentence.shown, label):
                found[label] = (*found.get(label, ()), (sentence.id, link))
    return dict(list(found.items())[:LABELS])


def _prints(text: str, label: str) -> bool:
    """Tell whether a text prints a label by itself, not as the beginning or end of a longer one."""
    return re.search(rf"(?<![\w.]){re.escape(label)}(?![\w(]|\.\d)", text) is not None


def judged(
    asker: Asker, store: Store, evidence: Evidence, sentences: Sequence[Sentence], request: Request
) -> Reviewed:
    """Return what one review says of the evidence; raises Silent, GivenUp."""
    labels = offered(store, sentences, evidence)
    texts = {"evidence": "\n".join(sentence.line for sentence in sentences), "question": request.question}
    lists = {"sentences": [sentence.id for sentence in sentences], "labels": list(labels)}
    wrote = asker.ask("review", load_prompt("review").render(texts, lists), seconds=request.seconds)
    judgement = _read(wrote.text) if wrote.whole else None
    if judgement is None:
        asker.found("no judgement")
        raise Silent(wrote.ending or "wrote no judgement")
    known = {sentence.id: sentence for sentence in sentences}
    followed = _followed(judgement, labels)
    wanted = tuple(dict.fromkeys(link for links in followed.values() for link in links))
    near = [known[name].place for name in dict.fromkeys(judgement.n) if name in known]
    need = Need(
        _why(judgement, wanted, near),
        links=wanted,
        near=tuple((place, way) for place in near for way in ("before", "after")),
    )
    there = {hit.chunk for hit in evidence.hits}
    met = {
        place.chunk: place for place in follow(store, evidence, need) if place.document in request.documents
    }
    added = tuple(place for chunk, place in met.items() if chunk not in there)[:ADDED]
    asker.found(
        "; ".join(
            [need.why, *_put_last(judgement, known), *_left_out(followed), f"{len(added)} places added"]
        )
    )
    if added:
        evidence = with_round(evidence, Round(f"the model asked: {need.why}", added))
    relevant = tuple(name for name in judgement.r if name in known)
    return Reviewed(evidence, relevant, tuple(_irrelevant(judgement, known)), added)


def _followed(judgement: Judgement, labels: Offered) -> dict[str, tuple[Link, ...]]:
    """Return the labels asked for with their references, none for one that no named sentence prints."""
    named = {*judgement.r, *judgement.n}
    return {
        label: tuple(link for name, link in labels.get(label, ()) if name in named) for label in judgement.f
    }


def _left_out(followed: Mapping[str, Sequence[Link]]) -> list[str]:
    """Return in words which labels were asked for and are not followed."""
    named = (label for label, links in followed.items() if not links)
    names = ", ".join(named)[:NAMES]
    return [f"not followed, for no sentence that it names prints it: {names}"] if names else []


def relevant_first(
    sentences: Sequence[Sentence], relevant: Collection[str], irrelevant: Collection[str] = ()
) -> tuple[Sentence, ...]:
    """Return all sentences, those called relevant first, those called irrelevant last, numbered anew."""
    return renumbered(
        sorted(sentences, key=lambda item: 0 if item.id in relevant else 2 if item.id in irrelevant else 1)
    )


def _irrelevant(judgement: Judgement, known: Collection[str]) -> list[str]:
    """Return what a judgement calls irrelevant, but for what it names otherwise."""
    named = {*judgement.r, *judgement.n}
    return [name for name in dict.fromkeys(judgement.x) if name in known and name not in named]


def _put_last(judgement: Judgement, known: Collection[str]) -> list[str]:
    """Return in words what a judgement calls irrelevant."""
    names = ", ".join(_irrelevant(judgement, known))
    return [f"put last, for it does not bear on the question: {names}"[: NAMES * 2]] if names else []


def _read(text: str) -> Judgement | None:
    try:
        return msgspec.json.decode(text.strip().encode(), type=Judgement)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


def _why(judgement: Judgement, links: Sequence[Link], near: Sequence[Place]) -> str:
    """Return a judgement in words."""
    complete = {"yes": "the evidence is enough", "partial": "something is missing"}
    said = complete.get(judgement.c, "the evidence is not enough")
    if judgement.c != "yes" and judgement.m and judgement.m != "none":
        said = f"missing: {judgement.m[:20]}"
    wanted = [f"follow {link.to_label} from {link.from_label}" for link in links]
    wanted += [f"what stands beside {place.label}" for place in dict.fromkeys(near)]
    return "; ".join([said, *wanted])
