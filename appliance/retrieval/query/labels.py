"""What a question names: labels, pages, and of its case materials, uses, locations and quantities."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from appliance.core.evidence import Concept, Condition, Stated
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import Slot
from appliance.retrieval.query.lexicon import Lexicon, Tag, Words
from appliance.store.connection import Stem
from appliance.text.numbers import spelt_numbers, unit_pattern, value
from appliance.text.quantities import Quantity, quantities, unit_behind
from appliance.text.terms import Name, fold, fold_label, numbered, words

WORD = 3  # letters from which what stands behind a number is a unit only where it is a known one
LONGEST_RANGE = 12  # numbers that "3.16 to 3.20" may stand for; of a longer range only the ends are looked up


_BRACKETED = r"\((?P<number>(?:[A-Z]{1,2}\.)?\d+(?:[.-]\d+)*[a-z]?)\)"
_ANNOUNCED = re.compile(rf"(?P<word>[^\W\d_]+)\.?\s*{_BRACKETED}")
_ALONE = re.compile(rf"(?<![\w)]){_BRACKETED}")
_GRADE = re.compile(r"[^\W\d_]\d{3,}")  # "S355" is a grade of steel, no place


@dataclass(frozen=True, slots=True)
class AskedLabel:
    """A label that the question names.

    `kind` is what a word before it says it is, "" where none does; `forms` are the folded ways to
    print it, for the whole number first, then for what holds it ("5.3.2(7)", "5.3.2"); `sure` tells a
    label from a number, `follows` that nothing but a comma stands between it and the label before.
    """

    printed: str
    kind: str
    number: str
    forms: tuple[tuple[str, ...], ...]
    sure: bool
    follows: bool = False


@dataclass(frozen=True, slots=True)
class _Seen:
    """A number with its word and kind, "" where none announces it."""

    name: Name
    word: str
    kind: str


def asked_labels(text: str, lexicon: Lexicon) -> Iterable[AskedLabel]:
    """Yield the labels that a question names, in order, each once."""

    def without_brackets(found: re.Match[str]) -> str:  # the number of a formula right behind the word for it
        formula = lexicon.label_kind(fold(found["word"])) == "formula"
        return f"{found['word']} {found['number']}" if formula else found.group()

    text = _ANNOUNCED.sub(without_brackets, text)
    bracketed = frozenset(fold(found["number"]) for found in _ALONE.finditer(text))
    found = list(_names(text, lexicon))
    alone = False
    if len(found) == 1:  # no word stands beside the one number and what announces it
        (name,) = found
        announcing = name.words if name.words and lexicon.label_kind(name.words[-1]) else ()
        own = {*announcing, *words(name.number), *(name.unit if len(name.unit) == 1 else ())}
        alone = own.union(lexicon.stop).issuperset(words(text))
    labels: dict[AskedLabel, None] = {}
    for one in (*_numbered(found, lexicon, _values(text, lexicon), alone=alone), *_lettered(text, lexicon)):
        if one.number in bracketed and not one.kind and "." in one.number:  # with its brackets first
            labels[replace(one, forms=((fold_label(f"({one.number})"),), *one.forms))] = None
        else:
            labels[one] = None
    yield from labels


def behind_documents(text: str, spans: Iterable[tuple[int, int]], lexicon: Lexicon) -> Iterator[AskedLabel]:
    """Yield the dotted numbers right behind the documents that a text names: places, whatever follows.

    One with a unit is a value.
    """
    for _, end in spans:
        number = re.match(r"[\s,:]{1,2}(\d+(?:\.\d+)+)(?![\w.-])\s?", text[end:])
        unit = re.compile(rf"(?:{unit_pattern().pattern})(?![^\W_])")
        if number and not unit.match(text[end + number.end() :]):
            yield from asked_labels(number[1], lexicon)


def names_part(label: AskedLabel) -> bool:
    """Tell whether a label has the shape of a Part ("H1", "RA2", "B"), whose numbers start again in it."""
    return re.fullmatch(r"[^\W\d_]{1,3}\d*", label.number) is not None


def qualified(labels: Sequence[AskedLabel], position: int) -> Iterator[AskedLabel]:
    """Yield a label as it prints in each Part that the other labels may name, the likeliest Part first.

    "2.33" may be that of "H1" in "H1 2.33" and in "2.33 of H1": Parts print before their numbers.
    """
    asked = labels[position]
    before, after = labels[:position][::-1], labels[position + 1 :]
    likely = [*before[:1], *after, *before[1:]] if asked.follows else [*after, *before]
    for part in likely:
        if names_part(part):
            forms = tuple(tuple(fold_label(part.number) + form for form in ways) for ways in asked.forms)
            yield replace(asked, forms=forms)


def _names(text: str, lexicon: Lexicon) -> Iterator[Name]:
    """Yield the numbers of a text that may be labels, the two of a range that is printed as one apart."""
    folded = fold(text)
    for name in numbered(text):
        number, glued = re.escape(name.number), name.number + name.unit
        # a unit ("m²", folded to m2), half a grade ("C30/37")
        if re.fullmatch(r"[^\W\d_]{1,2}\d+", name.number):
            behind = re.search(rf"\d ?(?:[^\W\d_]+/)?{number}(?!\w)", folded)
            if (behind and unit_pattern().fullmatch(name.number)) or re.search(
                rf"(?<!\w){number}/\d", folded
            ):
                continue
        announced = bool(name.words) and lexicon.label_kind(name.words[-1]) is not None
        if announced and name.unit and re.search(rf"{re.escape(glued)}(?![^\W_])", folded):
            name = Name(name.words, glued, "")  # noqa: PLW2901 - letters that are glued to it belong to it
        if ends := re.fullmatch(r"(\d+(?:\.\d+)+)-(\d+(?:\.\d+)+)", name.number):  # "3.16-3.20"
            yield Name(name.words, ends[1], "")
            yield Name(("-",), ends[2], name.unit)
        else:
            yield name


def _values(text: str, lexicon: Lexicon) -> frozenset[str]:
    """Return the numbers of a question that a unit or a size makes values, both of a range."""
    number, joints = r"\d+(?:\.\d+)?", lexicon.joining | lexicon.spanning
    between, size = ("|".join(map(re.escape, sorted(known))) for known in (joints, lexicon.sizes))
    after = f"{unit_pattern().pattern}|{size}"
    valued = rf"(?<![\w.]){number}(?: ?(?:{between}) ?{number})?[ -]?(?:{after})(?![^\W_])"
    found = re.finditer(valued, fold(text), re.IGNORECASE)
    return frozenset(each for one in found for each in re.findall(rf"(?<![\w.]){number}", one.group()))


def _numbered(
    found: Sequence[Name], lexicon: Lexicon, values: Collection[str], *, alone: bool
) -> Iterator[AskedLabel]:
    last: _Seen | None = None
    for name in found:
        seen = _seen(name, last, lexicon)
        for each in (*_between(last, seen, lexicon), seen):
            value = _is_value(each.name, lexicon) or any(  # with its unit glued to it: "2.4m", "1.5-metre"
                re.fullmatch(rf"{re.escape(number)}(?:-?[^\W\d_].*)?", each.name.number) for number in values
            )
            label = _label(each, lexicon, alone=alone, value=value)
            if label:
                yield replace(label, follows=last is not None and not name.words)
        last = seen


def _seen(name: Name, last: _Seen | None, lexicon: Lexicon) -> _Seen:
    """Return a number with what announces it: its own word, or that of the number it is listed with."""
    word = name.words[-1] if name.words else ""
    if kind := lexicon.label_kind(word) if word else None:
        return _Seen(name, word, kind)
    if last and last.kind and set(name.words) <= {*lexicon.joining, *lexicon.spanning}:
        mine, its = (  # with digits and letters made alike, one of each: "a.n.n"
            re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "n", one.number)) for one in (name, last.name)
        )
        if mine == its and not _is_value(name, lexicon):
            return _Seen(name, last.word, last.kind)
    return _Seen(name, "", "")


def _between(last: _Seen | None, seen: _Seen, lexicon: Lexicon) -> Iterator[_Seen]:
    """Yield the numbers inside a range, "3.17" of "3.16 to 3.20"."""
    if last is None or not seen.name.words or seen.name.words[-1] not in lexicon.spanning:
        return
    first, end = (re.fullmatch(r"(.*?)(\d+)", item.name.number) for item in (last, seen))
    if first and end and first[1] == end[1] and "." in first[1]:
        inside = range(int(first[2]) + 1, int(end[2]))
        for number in inside if len(inside) < LONGEST_RANGE else ():
            yield _Seen(Name((), f"{first[1]}{number}", ""), seen.word, seen.kind)


def _is_value(name: Name, lexicon: Lexicon) -> bool:
    """Tell whether a number has a unit; one that begins with a letter ("H3 asks") has none.

    A short word behind a number may be no unit ("1.14 ramp").
    """
    if not name.unit or name.unit in lexicon.stop or not name.number[:1].isdigit():
        return False
    return len(name.unit) < WORD or unit_pattern().fullmatch(name.unit) is not None


def _label(seen: _Seen, lexicon: Lexicon, *, alone: bool, value: bool) -> AskedLabel | None:
    """Return the label that a number is, None for a mere number or a value."""
    number, kind = seen.name.number, seen.kind or None
    shaped = bool(re.search(r"[.(-]|^[^\W\d_]", number))
    telling = kind is not None or "(" in number or number.count(".") > 1
    if not telling and (value or not (shaped or alone) or _GRADE.fullmatch(number)):
        return None
    # the words before a number make it a label: "according to 1.35"
    led = any(seen.name.words[-len(phrase) :] == phrase for phrase in lexicon.leading)
    sure = telling or alone or (shaped and led)
    printed = f"{seen.word} {number}" if kind else number
    forms: list[tuple[str, ...]] = []
    for whole in Name((), number, "").forms or (fold_label(number),):
        ways = [fold_label(f"{word} {whole}") for word in sorted(lexicon.label_words[kind])] if kind else []
        if kind in {None, "clause", "part", "requirement", "annex"}:
            ways.append(whole)
        elif kind == "formula":
            ways.append(fold_label(f"({whole})"))
        forms.append(tuple(ways))
    return AskedLabel(printed, kind or "", number, tuple(forms), sure)


def _lettered(text: str, lexicon: Lexicon) -> Iterator[AskedLabel]:
    """Yield labels whose number is one capital letter: "Annex B", "appendix A"."""
    for match in re.finditer(r"([^\W\d_]{4,}) ([A-Z])(?![\w.])", text):
        if (kind := lexicon.label_kind(fold(match[1]))) in {"annex", "part"}:
            ways = tuple(fold_label(f"{word} {match[2]}") for word in sorted(lexicon.label_words[kind]))
            yield AskedLabel(match.group(), kind, fold(match[2]), (ways,), sure=True)


MOST_PAGES = 20  # pages that "pages 10 to 14" may stand for


def asked_pages(text: str, lexicon: Lexicon, printed: Container[str]) -> tuple[str, ...]:
    """Return the pages that a question names by number: "page 34", "pages 12 to 14", "p. iv".

    A word that the documents print themselves names none: "P1" is a fire class there.
    """
    said = "|".join(
        rf"{re.escape(word)}(?=\.? ?\d|\. ?[ivxlc])" if len(word) == 1 else re.escape(word)
        for word in sorted(lexicon.page_words, key=len, reverse=True)
    )
    spanning = (rf"\b{re.escape(word)}\b" if word.isalpha() else re.escape(word) for word in lexicon.spanning)
    between = re.compile("|".join(spanning))
    joints = "|".join(map(re.escape, sorted(lexicon.spanning | lexicon.joining)))
    number = r"(\d{1,4}|[ivxlc]{1,7})"
    joint = rf"(?:\s?(?:{joints}|,)\s?{number})?"
    found: dict[str, None] = {}
    for match in re.finditer(rf"\b(?:{said})\.? ?{number}\b{joint}(?![\w.]\d)", fold(text)):
        if match.group() in printed:
            continue
        first, last = match[1], match[2]
        spans = bool(last) and between.search(match.group()) is not None
        if spans and first.isdigit() and last.isdigit() and 0 < int(last) - int(first) < MOST_PAGES:
            found.update(dict.fromkeys(map(str, range(int(first), int(last) + 1))))
        else:
            found.update(dict.fromkeys(filter(None, (first, last))))
    return tuple(found)


# -- what a question states of its case

_WORD = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+\d*")
ENDING = 3  # letters by which the forms of a word differ at most
PHRASE = 4  # words of the longest name of an idea


def conditions(text: str, tags: Sequence[Tag], stem: Stem) -> tuple[Condition, ...]:
    """Return the conditions that a question states, in its order, each once."""
    first: dict[tuple[str, str], Condition] = {}
    for tag, start, end in _tagged(text, tags, stem):
        said = Condition(tag.kind, tag.name, text[start:end])  # type: ignore[arg-type]  # load_conditions
        first.setdefault((tag.kind, tag.name), said)
    return tuple(first.values())


def condition_slots(text: str, tags: Sequence[Tag], stem: Stem) -> list[Slot]:
    """Return where the conditions stand in a text."""
    return [Slot(tag.kind, start, end, text[start:end]) for tag, start, end in _tagged(text, tags, stem)]


def _tagged(text: str, tags: Sequence[Tag], stem: Stem) -> list[tuple[Tag, int, int]]:
    """Return the tags of a text with their places; the longest of those that overlap, all of one place."""
    known = _by_first(tuple(tags), stem)
    tokens = [(stem(fold(match.group())), *match.span()) for match in _WORD.finditer(text)]
    found: list[tuple[Tag, int, int]] = []
    for position, (first, start, _) in enumerate(tokens):
        for phrase, name, tag in known.get(first, ()):
            said = tokens[position : position + len(phrase)]
            end = said[-1][2]  # "apart" has the stem of "apartment" and is no form of it
            if tuple(word for word, *_ in said) == phrase and abs(end - start - len(name)) <= ENDING:
                found.append((tag, start, end))
    whole = [
        item
        for item in found
        if not any(a <= item[1] and item[2] <= b and b - a > item[2] - item[1] for _, a, b in found)
    ]
    return sorted(whole, key=lambda item: item[1])


@lru_cache(maxsize=8)
def _by_first(tags: tuple[Tag, ...], stem: Stem) -> dict[str, list[tuple[Words, str, Tag]]]:
    known: dict[str, list[tuple[Words, str, Tag]]] = {}
    for tag in tags:
        for name in tag.names:
            phrase = tuple(map(stem, words(name)))
            known.setdefault(phrase[0], []).append((phrase, name, tag))
    return known


def concepts(
    text: str,
    groups: Sequence[tuple[Words, ...]],
    stop: Collection[str],
    stem: Stem,
    nearest: Sequence[tuple[Words, tuple[Words, ...]]] = (),
) -> Iterator[Concept]:
    """Yield the ideas of a question that have other names, with those names; the longest phrase counts.

    `nearest` are the names that stand for one word and not for one another.
    """
    tokens = [(stem(fold(match.group())), *match.span()) for match in _WORD.finditer(text)]
    known = _phrases(tuple(groups), tuple(nearest), stem)
    position = 0
    while position < len(tokens):
        stems = tuple(token[0] for token in tokens[position : position + PHRASE])
        length = next((n for n in range(len(stems), 0, -1) if stems[:n] in known), 0)
        if not length or fold(text[tokens[position][1] : tokens[position][2]]) in stop:
            position += 1
            continue
        said = text[tokens[position][1] : tokens[position + length - 1][2]]
        yield Concept(said, known[stems[:length]])
        position += length


@lru_cache(maxsize=8)
def _phrases(
    groups: tuple[tuple[Words, ...], ...], nearest: tuple[tuple[Words, tuple[Words, ...]], ...], stem: Stem
) -> dict[Words, tuple[str, ...]]:
    """Return the other names of each stemmed phrase."""
    known: dict[Words, dict[str, None]] = {}
    for group in groups:
        stems = [tuple(map(stem, phrase)) for phrase in group]
        for own in stems:
            others = (" ".join(phrase) for phrase, other in zip(group, stems, strict=True) if other != own)
            known.setdefault(own, {}).update(dict.fromkeys(others))
    for asked, names in nearest:
        known.setdefault(tuple(map(stem, asked)), {}).update(dict.fromkeys(map(" ".join, names)))
    return {phrase: tuple(others) for phrase, others in known.items()}


_NUMBER = re.compile(r"[-\u2212]?\d+(?:[., ]\d+)*")
_FIRST_NUMBER = r"(?<![\w.,:/-])([-\u2212]?\d+(?:[.,]\d+)*)"
_REST = re.compile(r"[·/*^²³\w.()-]*[²³\w)]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTED = re.compile(r"[ -]([^\W\d_]{3,})")


def stated(text: str, names: Iterable[str] = ()) -> tuple[Stated, ...]:
    """Return the quantities of a question in its order; `names` are labels and documents as typed in it."""
    taken = [match.span() for name in names for match in re.finditer(re.escape(name), text, re.IGNORECASE)]
    kept: list[tuple[int, Stated]] = []
    for found in sorted(quantities(text), key=lambda item: (item.kinds == {"count"}, item.start)):
        for start, each in _read(text, found):
            span = (start, start + len(each.words))
            if not any(a < span[1] and span[0] < b for a, b in taken):
                taken.append(span)
                kept.append((start, each))
    return tuple(each for _, each in sorted(kept, key=lambda item: item[0]))


def _read(text: str, found: Quantity) -> Iterator[tuple[int, Stated]]:
    """Yield (start, quantity), for a range both of its ends."""
    words, kinds = text[found.start : found.end], tuple(sorted(found.kinds))
    if found.kinds == {"count"}:
        if (counted := _COUNTED.match(text, found.end)) and not _YEAR.fullmatch(words):
            whole = text[found.start : counted.end()]
            yield found.start, Stated(whole, _number(words), counted[1], kinds)
        return
    number = _NUMBER.match(words)
    unit = unit_behind(words, number.end()) if number else ""
    if number and unit:
        rest = _REST.match(text, found.end)
        if rest and text[found.end] in "/·*^²³m":
            words, unit, kinds = words + rest.group(), unit + rest.group(), ()
        # the first number of a range or size: "10 to", "2 x"
        between = "|".join(map(re.escape, shipped("retrieval/parts")["between"]))
        joint = rf"(?:{between}|[-\u2013\u00d7])\s?$"
        if first := re.search(rf"{_FIRST_NUMBER}\s?{joint}", text[: found.start], re.IGNORECASE):
            yield first.start(1), Stated(first[1], _number(first[1]), unit, kinds)
    yield found.start, Stated(words, _number(number.group()) if number and unit else None, unit, kinds)


def _number(text: str) -> float | None:
    """Return a number as typed: "2,500" is two thousand five hundred, "2,5" is two and a half."""
    try:
        return value(text)
    except ValueError:
        return spelt_numbers().get(text.strip().lower())
