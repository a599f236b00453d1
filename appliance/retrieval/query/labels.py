"""The labels and pages that a question names."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.retrieval.query.lexicon import Lexicon
from appliance.text.numbers import unit_pattern
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
    named = [name for name in numbered(text) if not _is_unit(name, text)]
    found = [part for name in named for part in _ends(_whole(name, text, lexicon))]
    alone = len(found) == 1 and not _other_words(text, found[0], lexicon)
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


def _is_unit(name: Name, text: str) -> bool:
    """Tell whether a "number" is the unit of one ("m²", folded to m2), or half of a grade ("C30/37")."""
    if not re.fullmatch(r"[^\W\d_]{1,2}\d+", name.number):
        return False
    number, folded = re.escape(name.number), fold(text)
    behind = re.search(rf"\d ?(?:[^\W\d_]+/)?{number}(?!\w)", folded) is not None
    grade = re.search(rf"(?<!\w){number}/\d", folded) is not None
    return grade or (behind and unit_pattern().fullmatch(name.number) is not None)


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


def _whole(name: Name, text: str, lexicon: Lexicon) -> Name:
    """Return the number with the letters that are glued to it, where a word announces it as a label."""
    glued = name.number + name.unit
    announced = bool(name.words) and lexicon.label_kind(name.words[-1]) is not None
    if announced and name.unit and re.search(rf"{re.escape(glued)}(?![^\W_])", fold(text)):
        return Name(name.words, glued, "")
    return name


def _ends(name: Name) -> tuple[Name, ...]:
    """Return the two numbers of a range that is printed as one ("3.16-3.20"), else the number."""
    ends = re.fullmatch(r"(\d+(?:\.\d+)+)-(\d+(?:\.\d+)+)", name.number)
    return (Name(name.words, ends[1], ""), Name(("-",), ends[2], name.unit)) if ends else (name,)


def _values(text: str, lexicon: Lexicon) -> frozenset[str]:
    """Return the numbers of a question that a unit or a size makes values, both of a range."""
    joints = lexicon.joining | lexicon.spanning
    found = (match.group() for match in _value_pattern(lexicon.sizes, joints).finditer(fold(text)))
    return frozenset(number for text in found for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text))


@cache
def _value_pattern(sizes: frozenset[str], joints: frozenset[str]) -> re.Pattern[str]:
    number = r"\d+(?:\.\d+)?"
    between, size = ("|".join(map(re.escape, sorted(known))) for known in (joints, sizes))
    after = f"{unit_pattern().pattern}|{size}"
    return re.compile(
        rf"(?<![\w.]){number}(?: ?(?:{between}) ?{number})?[ -]?(?:{after})(?![^\W_])", re.IGNORECASE
    )


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
    return AskedLabel(printed, kind or "", number, tuple(_forms(seen.name, kind, lexicon)), sure)


def _other_words(text: str, name: Name, lexicon: Lexicon) -> list[str]:
    """Return the words of a question beside its one number and what announces it."""
    announcing = name.words if name.words and lexicon.label_kind(name.words[-1]) else ()
    own = {*announcing, *words(name.number), *(name.unit if len(name.unit) == 1 else ())}
    return [word for word in words(text) if word not in own and word not in lexicon.stop]


def _forms(name: Name, kind: str | None, lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    """Yield for the whole number and then its parts the folded ways in which the code may print it."""
    for number in Name((), name.number, "").forms or (fold_label(name.number),):
        announced = sorted(lexicon.label_words[kind]) if kind else ()
        ways = [fold_label(f"{word} {number}") for word in announced]
        if kind in {None, "clause", "part", "requirement", "annex"}:
            ways.append(number)
        elif kind == "formula":
            ways.append(fold_label(f"({number})"))
        yield tuple(ways)


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
