"""What a follow-up question puts in the place of what has its role in the question before."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from appliance.core.files import shipped
from appliance.retrieval.query.spelling import is_sign
from appliance.text.terms import fold

MOST = 4  # words of a wanted quantity
PAUSE = r"\s*[,;:.?!](?!\S)|\s+[-\u2013\u2014](?!\S)"  # a sign that ends what is said of a thing


def with_quantity(question: str, said: str, before: str) -> str:
    """Return the question before about another quantity, "" where none is named: `said` is "the going?".

    What a small word opens ("and for a ramp?") is a thing.
    """
    opening = question[: len(question) - len(said)]
    if re.search(rf"\b{small_words()}\s*$", opening, re.IGNORECASE):
        return ""
    if turned := _with_bound(_core(said), before):
        return turned
    name = _quantity(said)
    if name and (found := _how().match(before.strip().rstrip("?. "))):
        return _of_thing(_core(said), name, found)
    found = _wanted().match(before.strip().rstrip("?. "))
    if not name or found is None:
        return ""
    rest = _behind_quantity(found["wanted"]) + (found["rest"] or "")
    return f"{found['opening']}{name}{rest}?" if rest and found["wanted"].strip() else ""


def _of_thing(said: str, name: str, before: re.Match[str]) -> str:
    """Return "how wide is a landing" about another quantity: its thing stays, whatever it is asked with."""
    if fold(said) in _data()["asked_as"]:
        return f"{said}{before['verb']}{before['thing']}?"
    thing = re.sub(rf"\s{_any('being')}(?=\s|$)", "", before["thing"], count=1)
    return f"{name} of{thing}?"


@cache
def _how() -> re.Pattern[str]:
    """Return what tells the thing that a question such as "how wide must a door be in a flat" asks of."""
    verb, article = f"(?:{_any('linked_by')}|{_any('inverted')})", _any("articles")
    how = "|".join(map(re.escape, sorted(_data()["asked_as"], key=len, reverse=True)))
    return re.compile(rf"(?:{how})(?P<verb>\s+{verb})(?P<thing>\s+(?:{article}\s+)?\S.*)$", re.IGNORECASE)


def _with_bound(bound: str, before: str) -> str:
    """Return the question before with its bound turned to the opposite one, "" where `bound` is not that."""
    for pair in _data()["opposites"]:
        for one, other in (pair, pair[::-1]):
            turned, times = re.subn(rf"\b{one}\b", other, before.strip().rstrip("?. "), flags=re.IGNORECASE)
            if fold(bound) == other and times and other not in fold(before).split():
                return f"{turned}?"
    return ""


def _core(said: str) -> str:
    """Return what a question names without what opens it or points back: "going" of "the going of it"."""
    name = said.strip().rstrip("?. ")
    for pattern in (_pointing(), _opening(), re.compile(rf"^{_any('articles')}\s+", re.IGNORECASE)):
        name = pattern.sub("", name)
    return name


def _quantity(said: str) -> str:
    """Return the quantity that a text names and nothing else, "" for none: "the going?", "how wide"."""
    name = _core(said)
    asked: dict[str, str] = _data()["asked_as"]
    return asked.get(fold(name)) or (name if name and _is_quantity(name) else "")


def _behind_quantity(wanted: str) -> str:
    """Return what stands behind the quantity in "imposed load office floor", with a small word before it."""
    said = wanted.split()
    last = max((at for at, word in enumerate(said) if _is_quantity(word)), default=len(said))
    return f" {_data()['linking']} {' '.join(said[last + 1 :])}" if said[last + 1 :] else ""


def with_subject(said: str, before: str) -> str:
    """Return the question before about another thing, "" where it cannot be told what is replaced."""
    earlier, article = before.strip().rstrip("?. "), _any("articles")
    new = re.fullmatch(
        rf"(?P<small>{small_words()})?\s*(?P<thing>{article}\s+\S.*)",
        said.strip().rstrip("?. "),
        re.IGNORECASE,
    )
    if new is None or re.search(rf"\s{small_words()}\s", new["thing"], re.IGNORECASE):
        return ""
    things = list(
        re.finditer(
            rf"\b(?P<small>{small_words()})\s+(?P<thing>{article}\s+.*?)(?=\s{small_words()}\s|{PAUSE}|$)",
            earlier,
            re.IGNORECASE,
        )
    )
    same = [found for found in things if new["small"] and fold(found["small"]) == fold(new["small"])]
    old = (same or things if len(same or things) == 1 else same[-1:]) or None
    if not old:
        return ""
    return f"{earlier[: old[0].start('thing')]}{new['thing']}{earlier[old[0].end('thing') :]}?"


def _is_quantity(name: str) -> bool:
    """Tell whether a name ends in a word for something that is measured."""
    words = fold(name).split()
    return len(words) <= MOST and (words[-1] in _data()["quantities"] or is_sign(name))


@cache
def _wanted() -> re.Pattern[str]:
    """Return what tells the quantity that a question wants from how it opens and what it is asked of."""
    return re.compile(
        rf"(?P<opening>(?:{_before_quantity()})?)(?P<wanted>.*?)(?P<rest>\s{small_words()}\s.*)?$",
        re.IGNORECASE,
    )


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(rf"^{_before_quantity()}", re.IGNORECASE)


@cache
def _pointing() -> re.Pattern[str]:
    """Return what points back at the end of a question: "for it", "is it", "must they be"."""
    before, being = f"(?:{small_words()}|{_any('inverted')})", _any("being")
    return re.compile(rf"\s+{before}\s+{_any('pointing')}(?:\s+{being})?$", re.IGNORECASE)


def _before_quantity() -> str:
    """Return the pattern of what stands before a quantity that is asked for: "what should be the", "the"."""
    verb, the = rf"\s+{_any('linked_by')}(?:\s+{_any('being')})?", _any("definite")
    return rf"(?:{_any('asking')}(?:{verb})?(?:\s+{the})?\s+|{the}\s+)"


@cache
def small_words() -> str:
    """Return the pattern of the small words behind which a thing stands."""
    return _any("small")


def _any(name: str) -> str:
    """Return the pattern of any word of a list."""
    return f"(?:{'|'.join(map(re.escape, _data()[name]))})"


@cache
def _data() -> dict[str, Any]:
    return shipped("retrieval/parts")
