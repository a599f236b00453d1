"""A compound question taken apart: the questions in it, and a follow-up completed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.core.evidence import SubQuestion
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.query.follow_up import small_words, with_quantity, with_subject
from appliance.retrieval.query.labels import with_number
from appliance.text.numbers import spelt_numbers
from appliance.text.quantities import unit_behind
from appliance.text.terms import fold, words

MOST = 4  # parts of one question; what is left stays in the last
HALF = 2  # words of a part that leaves the rest to another: "how wide"
FEW = 2  # words with meaning below which a part leans on what came before
EXACT = frozenset(
    {"label", "document", "edition", "quantity"}
)  # kinds of slots that no other words belong to

_CODED = re.compile(r"(?P<noun>[^\W\d_]{3,}) (?P<code>[A-Za-z]?\d{1,2}[a-z]?|[A-Z])(?![.,:/]?\w)")

Content = Callable[[str], Sequence[str]]
"""The words of a text that carry meaning."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a text names at [start, end), which another of its kind may replace: "timber" is a material."""

    kind: str
    start: int
    end: int
    words: str


Slots = Callable[[str], Sequence[Slot]]
"""What a text names, in order, none inside another."""


@mechanism(
    "query.parts",
    "A compound question is cut into the questions in it.",
    without=lambda question, _content, _generic=(): (SubQuestion(question, question),),
)
def parts(question: str, content: Content, generic: Collection[str] = ()) -> tuple[SubQuestion, ...]:
    """Return the questions in a question, in order; one that cannot be cut is its only part.

    A part whose words are all `generic` ("which clause covers it") says too little to stand alone.

    A sentence that asks nothing ("I am designing a bridge.") is said with every part after it.
    """
    sentences = _sentences(question)
    marked = any(sentence.endswith("?") for sentence in sentences)
    asking: list[str] = []
    told: list[str] = []
    for sentence in sentences:
        whole = marked and not sentence.endswith("?")
        for piece, joined in [(sentence, False)] if whole else _cut(sentence):
            if asking and _asks_what_is_left_out(piece):
                asking[-1] = f"{asking[-1].rstrip('?. ')} and {piece}"
                continue
            asks = _asks(piece, marked) or (joined and _names_quantity(piece))
            (asking if asks else told).append(piece)
    if not asking or len(asking) + len(told) < 2:
        return (SubQuestion(question, question),)
    setting = " ".join(told)
    asking = _completed(asking)
    kept = [*asking[: MOST - 1], " ".join(asking[MOST - 1 :])] if len(asking) > MOST else asking
    return tuple(_resolved(kept, setting, content, generic))


def followed(question: str, before: str, content: Content, slots: Slots) -> str:
    """Return a question as it is meant after another one; one that says enough is returned unchanged.

    "And for timber?" after one about concrete is that question about timber: what it names takes the
    place of what is named there of the same kind. What names nothing of a kind is added to it.
    """
    if not before.strip():
        return question
    if said := _polite().match(question.strip()):  # "thanks, and the height?"
        meant = followed(said["rest"], before, content, slots)
        return question if meant == said["rest"] else meant
    bare = _stripped(question)
    continues = bare != question.strip() and not _asking_words() & set(words(bare))
    if continues or not content(question) or _is_bare(question, content):
        return with_quantity(question.strip(), bare, before) or _replaced(bare, before, content, slots)
    if not _leans(question, content):
        return question
    if other := with_quantity(question.strip(), question, before):
        return other
    lacking = _lacking(before, set(content(question)), content)
    return f"{question.strip().rstrip('?. ')} ({' '.join(lacking)})?" if lacking else question


def _is_bare(question: str, content: Content) -> bool:
    """Tell whether a question names a thing and asks nothing: "timber?"."""
    return not _opens_with("openings", fold(question)) and len(content(question)) < FEW


def _replaced(bare: str, before: str, content: Content, slots: Slots) -> str:
    """Return the question before with what was named now in the place of what was named there."""
    earlier, said = before.strip().rstrip("?. "), bare.strip().rstrip("?. ")
    last = {slot.kind: slot for slot in slots(earlier)}
    pairs = [(last[slot.kind], slot) for slot in slots(said) if slot.kind in last]
    taken = [(slot.start, slot.end) for slot in slots(earlier) if slot.kind in EXACT - {"quantity"}]
    if not pairs and (numbered := with_number(said, earlier, taken, spelt_numbers(), small_words())):
        return numbered
    pairs = [_whole(*pair, earlier, said, content) for pair in pairs or _of_one_noun(earlier, said, content)]
    pairs = [_with_head(*pair, earlier, said, content) for pair in pairs]
    if not pairs:
        elsewhere = any(slot.kind in {"document", "edition"} for slot in slots(said))  # where, not of what
        in_place = "" if elsewhere else with_subject(bare, before)
        return in_place or (f"{earlier}, {said}?" if said and content(said) else before)
    text, rest = earlier, said
    for old, new in sorted({old.kind: (old, new) for old, new in pairs}.values(), key=lambda p: -p[0].start):
        text = text[: old.start] + new.words + text[old.end :]
    for _, new in pairs:
        rest = rest.replace(new.words, " ")
    unsaid = [word for word in content(rest) if word not in content(text)]
    return f"{text}, {said}?" if unsaid else f"{text}?"


def _of_one_noun(earlier: str, said: str, content: Content) -> list[tuple[Slot, Slot]]:
    """Return the noun that ends a following question where the question before names it too."""
    if coded := _of_one_code(earlier, said):
        return [coded]
    names = [[slot for slot in _each_word(text) if content(slot.words)] for text in (earlier, said)]
    new = names[1][-1] if names[1] else None
    old = [slot for slot in names[0] if new and fold(slot.words) == fold(new.words)]
    return [(old[-1], new)] if new and old else []


def _of_one_code(earlier: str, said: str) -> tuple[Slot, Slot] | None:
    """Return the code that ends a following question and the earlier one behind the same noun: "zone 4"."""
    new = next(_codes(said), None)
    if new is None or said[new.end() :].strip():
        return None
    old = [found for found in _codes(earlier) if fold(found["noun"]) == fold(new["noun"])]
    return (_slot("code", old[-1]), _slot("code", new)) if old else None


def _codes(text: str) -> Iterator[re.Match[str]]:
    """Yield the codes of a text with the nouns before them; a number with a unit is none ("zone 2 kPa")."""
    return (found for found in _CODED.finditer(text) if not unit_behind(text, found.end()))


def _with_head(old: Slot, new: Slot, earlier: str, said: str, content: Content) -> tuple[Slot, Slot]:
    """Return two names with the nouns behind each: "school corridor" stands for "office floor".

    A noun that the question before names elsewhere stays there: "the wall is concrete", "a timber wall".
    """
    if old.kind.split()[0] in {*EXACT, "noun", "code"}:
        return old, new
    ends = [_run_end(slot, text, content) for slot, text in ((old, earlier), (new, said))]
    head = fold(said[new.end : ends[1]]).split()
    if not head or said[ends[1] :].strip() or (ends[0] == old.end and set(head) <= set(words(earlier))):
        return old, new
    return (
        replace(old, end=ends[0], words=earlier[old.start : ends[0]]),
        replace(new, end=ends[1], words=said[new.start : ends[1]]),
    )


def _run_end(slot: Slot, text: str, content: Content) -> int:
    """Return where the words with meaning end that follow a slot one after the other."""
    end = slot.end
    for word in (word for word in _each_word(text) if word.start >= slot.end):
        if text[end : word.start].strip() or not content(word.words):
            break
        end = word.end
    return end


def _slot(kind: str, found: re.Match[str]) -> Slot:
    return Slot(kind, *found.span(), found.group())


def _whole(old: Slot, new: Slot, earlier: str, said: str, content: Content) -> tuple[Slot, Slot]:
    """Return what takes whose place with the words that say which: "utility stair" for "private stair".

    Where no small word shows where the earlier name begins ("rise private stair"), both stay as they are.
    """
    if old.kind.split()[0] in EXACT:
        return old, new
    (start, _), (opened, bounded) = _begun(new, said, content), _begun(old, earlier, content)
    if start == new.start or not bounded:
        return old, new
    return (
        replace(old, start=opened, words=earlier[opened : old.end]),
        replace(new, start=start, words=said[start : new.end]),
    )


def _begun(slot: Slot, text: str, content: Content) -> tuple[int, bool]:
    """Return where the name of a slot begins, and whether a small word stands before it."""
    start = slot.start
    for word in reversed([word for word in _each_word(text) if word.end <= slot.start]):
        if text[word.end : start].strip():
            return start, True
        if not content(word.words):
            return start, True
        start = word.start
    return start, False


def _each_word(text: str) -> list[Slot]:
    found = re.finditer(r"[^\W_]+(?:[-'][^\W_]+)*", text)
    return [Slot("noun", *match.span(), match.group()) for match in found]


def _resolved(
    asking: Sequence[str], setting: str, content: Content, generic: Collection[str]
) -> Iterator[SubQuestion]:
    """Yield each part with the setting as told, and with the words of the first where it leans on it."""
    for number, piece in enumerate(asking):
        said = {*content(piece)}
        told = setting.rstrip(" .,;") if any(word not in said for word in content(setting)) else ""
        lean = asking[0] if number and _leans(piece, content, generic) else ""
        topic = " ".join(_lacking(lean, {*said, *content(setting)}, content))
        unsaid = "; ".join(filter(None, (told, topic)))
        yield SubQuestion(piece, f"{piece} ({unsaid})" if unsaid else piece)


def _completed(asking: Sequence[str]) -> list[str]:
    """Return the pieces of a question, with what those leave to another that are only its opening.

    "How wide" and "how high must a door be" are "how wide must a door be" and "how high must a door be".
    """
    said = [piece.rstrip("?. ").split() for piece in asking]
    opened = [len(piece) <= HALF and not _words("verbs") & {*words(" ".join(piece))} for piece in said]
    found = list(asking)
    for at in (at for at, half in enumerate(opened) if half):
        near = sorted((abs(other - at), said[other]) for other, half in enumerate(opened) if not half)
        alike = (piece for _, piece in near if fold(piece[0]) == fold(said[at][0]))
        if left := next(alike, ())[len(said[at]) :]:
            found[at] = " ".join((*said[at], *left)) + "?"
    return found


def _lacking(topic: str, said: Collection[str], content: Content) -> list[str]:
    """Return the words of a topic that a part does not say, with the negations before them."""
    known, negations = set(content(topic)), _words("negations")
    kept = [word for word in words(topic) if word in negations or (word in known and word not in said)]
    turned = [*kept[1:], "no"] if kept else []  # a negation is kept before what it turns
    return list(
        dict.fromkeys(
            word for word, behind in zip(kept, turned, strict=True) if not {word, behind} <= negations
        )
    )


def _leans(piece: str, content: Content, generic: Collection[str] = ()) -> bool:
    """Tell whether a part points back, or says too little to be searched alone."""
    own = [word for word in content(piece) if word not in generic]
    return bool(_words("pointing") & set(words(piece))) or len(own) < FEW


def _sentences(question: str) -> list[str]:
    found = re.split(r"(?<=[?!;])\s+|(?<=[^\W\d]{2}\.)\s+(?=[A-Z])", question)
    return [part.strip() for part in found if part.strip()]


def _cut(sentence: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a sentence, cut where one that opens like a question is joined to another.

    Each comes with whether a word joins it to the next ("X and which Y"), not a mere comma or dash.

    What stands before a mere comma and opens with a word such as "when" or "if" is a condition of
    what follows.
    """
    start = 0
    for match in _joint().finditer(sentence):
        before = sentence[start : match.start()].strip(" ,;-")
        rest = sentence[match.end() :]
        if len(before.split()) > 1 and _opens(rest) and not _is_half(before, rest):
            yield before, any(char.isalpha() for char in match.group())
            start = match.end()
    yield sentence[start:].strip(" ,;-"), False


def _names_quantity(piece: str) -> bool:
    """Tell whether a part without a verb names what is to be measured: "imposed load of an office floor"."""
    said = set(words(piece))
    told = _opens_with("conditions", fold(piece)) or said & _words("verbs")
    return not told and bool(said & _words("quantities"))


def _opens(rest: str) -> bool:
    """Tell whether what follows a joint opens a question: "has it", not "has 6000 mm2"."""
    first, second = (*words(rest)[:2], "", "")[:2]
    return first not in _words("inverted") or second in _words("subjects")


def _is_half(piece: str, rest: str) -> bool:
    """Tell whether a part leaves its verb to the next: "what factor and what rate are applied".

    One whose thing the next points back to ("what size of trap and how many decibels may it make") does not.
    """
    both = _opens_with("determiners", fold(piece)) and _opens_with("determiners", fold(rest))
    said = words(rest)
    points = bool(_words("pointing") & set(said)) and bool(_words("small") & set(words(piece)))
    if points or _words("verbs") & set(said[1:2]):  # "what does it cost" asks about no noun
        return False
    return both and not _words("verbs") & set(words(piece))


def _asks(piece: str, marked: bool) -> bool:
    """Tell whether a part asks; `marked` where the whole has question marks, so that a condition shows."""
    folded = fold(piece)
    if piece.endswith("?"):
        return True
    if _opens_with("conditions", folded):
        return _is_inverted(folded)
    return _opens_with("openings", folded) and (marked or len(folded.split()) > 1)


def _asks_what_is_left_out(piece: str) -> bool:
    """Tell whether a piece only turns what is asked before it: "what not?", "what does it not?"."""
    said, negations = words(piece), _words("negations")
    small = {word for name in ("openings", "pointing", "joining") for word in _words(name) if " " not in word}
    return bool(negations & set(said)) and small.issuperset(word for word in said if word not in negations)


def _is_inverted(folded: str) -> bool:
    """Tell whether a part turns verb and subject: "when can that be" asks, "when it can be" does not."""
    _, verb, subject = (*words(folded)[:3], "", "", "")[:3]
    return verb in _words("inverted") and subject in _words("subjects")


def _stripped(question: str) -> str:
    """Return a question without the words by which it goes on from another."""
    return _continuing().sub("", question.strip(), count=1)


@cache
def _polite() -> re.Pattern[str]:
    """Return what finds words of thanks before a following question."""
    ways = "|".join(map(re.escape, sorted(_data()["polite"], key=len, reverse=True)))
    return re.compile(rf"(?:(?:{ways})\b[\s,;:.!-]*)+(?P<rest>[^\W_].*)$", re.IGNORECASE | re.DOTALL)


@cache
def _joint() -> re.Pattern[str]:
    """Return what joins two questions: a joining word or a comma before a word that opens one."""
    joining = "|".join(map(re.escape, _data()["joining"]))
    openings = "|".join(map(re.escape, _data()["openings"]))
    before = rf"(?:,\s*|\s+[-–—]\s+)(?:(?:{joining})\s+)?|\s+(?:{joining})\s+"
    return re.compile(rf"(?:{before})(?=(?:{openings})\b)", re.IGNORECASE)


def _opens_with(name: str, folded: str) -> bool:
    return re.match(rf"(?:{'|'.join(map(re.escape, _data()[name]))})\b", folded) is not None


@cache
def _continuing() -> re.Pattern[str]:
    ways = sorted(_data()["continuing"], key=len, reverse=True)
    return re.compile(rf"^(?:{'|'.join(map(re.escape, ways))})\b,?\s*", re.IGNORECASE)


@cache
def _asking_words() -> frozenset[str]:
    """Return the words that open a question wherever they stand ("for a flat roof, what is ...")."""
    return _words("openings") - _words("inverted") - _words("conditions")


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_data()[name])


@cache
def _data() -> dict[str, list[str]]:
    return shipped("retrieval/parts")
