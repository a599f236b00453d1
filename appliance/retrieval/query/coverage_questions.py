"""How a question asks whether, what or where documents speak of a subject."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from appliance.core.files import shipped
from appliance.text.terms import words

Form = Literal["whether", "what", "which", "where"]
LONGEST = 400  # characters of a question that is read so: longer ones tell a story


@dataclass(frozen=True, slots=True)
class Frame:
    """What a question asks of documents, the words it asks about, and those that only ask, all folded.

    `verb` are those of them that mean something else beside other words ("cover").
    """

    form: Form
    subject: tuple[str, ...]
    asking: frozenset[str]
    verb: frozenset[str]


def frame_of(folded: str, named: Sequence[tuple[int, int]]) -> Frame | None:
    """Return how a folded question asks for what documents speak of, None where it asks something else.

    `named` is where it names documents.
    """
    text = folded.rstrip("?!. ")
    for form, pattern in _patterns() if len(text) <= LONGEST else ():
        found = pattern.match(text)
        if found is None:
            continue
        said = found.groupdict()
        span = found.span("where") if said.get("where") else None
        if span is not None and not _is_document(text, span, named):
            continue
        subject = tuple(words(said["subject"]))
        if subject and not _asking().intersection(subject):
            kept = {*subject, *words(said.get("where") or "")}
            verb = frozenset(words(said["verb"])) - kept
            asking = verb if form == "where" else frozenset(words(text)) - kept
            return Frame(form, subject, asking, verb)
    return None


def sorts_of(folded: str) -> frozenset[str]:
    """Return the words of a folded question for what of a subject is wanted: "requirements for ramps".

    Words for a kind of place are among them. One at the end is where no subject stands behind another:
    "list all ramp requirements", but not "list all rules for limits".
    """
    text = folded.rstrip("?!. ")
    found = [one for pattern in (*_sorts(), _kinds()) for one in pattern.finditer(text)]
    return frozenset(word for one in found for word in words(one["sort"]))


def defining_of(folded: str) -> frozenset[str]:
    """Return the words of a folded question that only ask what a term means: "definition of going"."""
    return _asking_in("defining", folded)


def calculating_of(folded: str) -> frozenset[str]:
    """Return the words of a folded question that only ask how a quantity is found: "calculate", "formula"."""
    return _asking_in("calculating", folded)


def _asking_in(name: str, folded: str) -> frozenset[str]:
    text = folded.rstrip("?!. ")
    said = (one.groupdict() for pattern in _data()[name] for one in re.finditer(pattern, text))
    return frozenset(word for groups in said for found in groups.values() for word in words(found or ""))


def kind_of(folded: str) -> str:
    """Return the kind of place that a folded question lists, "" for none: "list all tables on wind"."""
    found = _kinds().search(folded.rstrip("?!. "))
    return next((kind for kind in _data()["kinds"] if found and found[kind]), "")


@cache
def _sorts() -> tuple[re.Pattern[str], re.Pattern[str]]:
    sort, of = rf"(?P<sort>{_any_of('sorts')})", rf"(?:{_any_of('of')})\b"
    opening = rf"\b(?:{_any_of('listing')})\b(?:(?! {of}).)* "
    return re.compile(rf"\b{sort} {of}"), re.compile(rf"{opening}{sort}$")


@cache
def _kinds() -> re.Pattern[str]:
    """Return what finds the words for the kind of place that is listed, with a group for each kind."""
    of = rf"(?:{_any_of('of')})\b"
    kinds = "|".join(f"(?P<{kind}>{'|'.join(ways)})" for kind, ways in _data()["kinds"].items())
    between = rf"(?: (?!{of})[^\W\d_]+)*?"  # "list all the ventilation tables"
    return re.compile(rf"\b(?:{_any_of('listing')})\b{between} (?P<sort>{kinds})(?= {of}|$)")


def _is_document(text: str, span: tuple[int, int], named: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the words at a span are a document by its name, or end in a word for documents."""
    said = text[slice(*span)]
    rest = said
    for start, end in reversed(named):
        if span[0] <= start and end <= span[1]:
            rest = f"{rest[: start - span[0]]} {rest[end - span[0] :]}"
    if rest != said and not set(words(rest)) - set(_data()["small"]):
        return True
    return _generic().search(said) is not None


@cache
def _generic() -> re.Pattern[str]:
    codes, behind, pronouns = (_any_of(name) for name in ("codes", "behind", "pronouns"))
    numbered = rf"(?:{codes}) [^\W\d_]?[\d.-]*"  # "part k"
    return re.compile(rf"^(?:{pronouns})$|\b(?:{codes}|{numbered})(?: (?:{behind}) .+)?$|{_data()['coded']}")


@cache
def _patterns() -> tuple[tuple[Form, re.Pattern[str]], ...]:
    known = {
        name: _any_of(name) for name, value in _data().items() if isinstance(value, list) and name != "frame"
    }
    frames: Sequence[Mapping[str, Any]] = _data()["frame"]
    return tuple(
        (frame["form"], re.compile(re.sub(r"\{(\w+)\}", lambda m: known[m[1]], pattern)))
        for frame in frames
        for pattern in frame["patterns"]
    )


@cache
def _asking() -> frozenset[str]:
    return frozenset(_data()["asking"])


def _any_of(name: str) -> str:
    return "|".join(_data()[name])


@cache
def _data() -> dict[str, Any]:
    return shipped("retrieval/frames")
