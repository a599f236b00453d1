"""A question in the words of the library, as the dense channel and the reranker are given it."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.core.evidence import Concept
from appliance.core.mechanisms import mechanism
from appliance.retrieval.query.question import Question
from appliance.store.channels import Vocabulary
from appliance.store.connection import Stem
from appliance.text.terms import words

PREFERRED = 2.0  # times more chunks must hold another name than the one asked with
FEWEST = 2  # chunks more, so that in a small library one mention decides nothing


def as_meant(question: Question) -> str:
    """Return the question as spelt, without names of documents and the verb that only asks what they say."""
    verb = question.frame.verb if question.frame else frozenset()
    kept = (
        word
        for word in (question.besides or question.spelt).split()
        if not verb or verb.isdisjoint(words(word))
    )
    return " ".join(kept)


@mechanism(
    "query.library_words",
    "The names that the library has for the ideas of a question are encoded with it.",
    without=lambda question, _vocabulary, _stem: as_meant(question),
)
def in_own_words(question: Question, vocabulary: Vocabulary, stem: Stem) -> str:
    """Return the question with the names that the library has for its ideas behind it."""
    names = dict.fromkeys(_preferred(question.query.concepts, vocabulary, stem))
    return f"{as_meant(question)} ({', '.join(names)})" if names else as_meant(question)


def _preferred(ideas: tuple[Concept, ...], vocabulary: Vocabulary, stem: Stem) -> Iterator[str]:
    def held(name: str) -> int:
        return min((vocabulary.chunks.get(stem(word), 0) for word in words(name)), default=0)

    for idea in ideas:
        best = max(idea.others, key=held, default="")
        if held(best) > PREFERRED * held(idea.words) + FEWEST:
            yield best
