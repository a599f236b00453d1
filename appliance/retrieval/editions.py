"""Which documents a question names, and which edition of them.

Rules of this module: pure. A document is named by its id, its designation with or without the year,
an alias, or its Part, a volume by the name of the whole too; of names that stand inside one another the
longest counts. Editions of one work
have the same designation but for the year: the year that a question names decides among them, without
one those in force do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from appliance.document import OUT_OF_FORCE
from appliance.ingest.designations import fold_designation, names_of
from appliance.retrieval.labels import AskedLabel
from appliance.retrieval.lexicon import Lexicon
from appliance.shipped import shipped
from appliance.store.values import DocumentInfo
from appliance.store.words import fold, words

LEADING = 5  # places of an edition that is named by its year which come before all others
SHORT_NAME = 3  # letters of what tells the documents of one series apart ("K" of "Approved Document K")
NAME_WORDS = 4  # words of a name that is written in another form
KEPT = 4_000  # names whose patterns are remembered
SERIES_DIGITS = 4  # digits of the name of a series ("EN 1991"); fewer name too much
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?!\d|\.\d|-\d)")
_LETTERS = re.compile(r"^[A-Z]+(?=\d)")
_BARE = re.compile(r"(?:19|20)\d\d(?:-\d{1,2})+")  # a Part without the letters of its body
_BEHIND = re.compile(r"\s?[:(]?\s?((?:19|20)\d\d)(?!\d|\.\d|-\d)")  # the year behind the name of a document


def work(info: DocumentInfo) -> str:
    """Return what the editions of one work share: the designation without its year."""
    return re.sub(r"\s*:\s*(?:19|20)\d\d.*$", "", fold(info.designation)).strip()


def years(info: DocumentInfo) -> frozenset[str]:
    """Return the years of an edition, that of its amendments among them."""
    return frozenset(_YEAR.findall(f"{fold(info.designation)} {fold(info.edition)}"))


def named_documents(
    folded: str, labels: Sequence[AskedLabel], documents: Sequence[DocumentInfo]
) -> tuple[str, ...]:
    """Return the ids of the documents that a question names, in the edition that it means."""
    parts = [fold(label.printed.split()[-1]) for label in labels if label.kind == "part"]
    other_forms = list(_folded(folded, documents))
    named = _longest([*_mentions(folded, documents), *other_forms])
    said = " ".join(folded[start:end] for start, end, _ in other_forms)
    parts = [part for part in parts if part not in _words_of(said)]  # "Eurocode 1 Part 1-3" has said it
    named |= {info.id for info in documents if any(_is_part(part, work(info)) for part in parts)}
    asked = frozenset(_YEAR.findall(folded))
    meant: set[str] = set()
    for name in {work(info) for info in documents if info.id in named}:
        editions = [info for info in documents if work(info) == name]
        dated = [info for info in editions if years(info) & asked]
        mentioned = [info for info in editions if info.id in named]
        in_force = [info for info in mentioned if info.status not in OUT_OF_FORCE]
        meant |= {info.id for info in dated or in_force or mentioned}
    return tuple(info.id for info in documents if info.id in meant)


def named_editions(
    folded: str, named: Sequence[str], documents: Sequence[DocumentInfo], lexicon: Lexicon
) -> tuple[str, ...]:
    """Return the ids of the documents whose edition a question names by its year.

    The year stands in the name of the document or with a word such as "edition"; a mere year names none.
    """
    said = {year for year in _YEAR.findall(folded) if _with_edition(folded, year, lexicon)}
    asked = frozenset(_YEAR.findall(folded))
    by_name = tuple(info.id for info in documents if info.id in named and years(info) & asked)
    return by_name or tuple(info.id for info in documents if not named and years(info) & said)


def asked_years(folded: str, documents: Sequence[DocumentInfo], lexicon: Lexicon) -> frozenset[str]:
    """Return the years of the editions that a question asks for: "the 2011 edition", "DC 1-1:2011"."""
    behind = (_BEHIND.match(folded, end) for _, end in mentioned(folded, documents))
    said = {year for year in _YEAR.findall(folded) if _with_edition(folded, year, lexicon)}
    return frozenset({*said, *(found[1] for found in behind if found)})


def mentioned(text: str, documents: Sequence[DocumentInfo]) -> tuple[tuple[int, int], ...]:
    """Return where a text names documents, the widest names only; none where folding moves its letters."""
    folded = fold(text)
    if len(folded) != len(text):
        return ()
    spans = {(start, end) for start, end, _ in (*_mentions(folded, documents), *_folded(folded, documents))}
    return tuple(sorted(s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)))


def in_force_first(
    ranked: Sequence[int], owners: Mapping[int, str], documents: Sequence[DocumentInfo], limit: int
) -> list[int]:
    """Return a ranking in which, of the places of one work among the first, those in force come first.

    The places of a work trade places among themselves alone; what is in force of one work does not
    move what another says.
    """
    kept = list(ranked)
    infos = {info.id: info for info in documents}
    works: dict[str, list[int]] = {}
    for position, chunk in enumerate(kept[:limit]):
        works.setdefault(work(infos[owners[chunk]]), []).append(position)
    for positions in works.values():
        chunks = sorted(
            (kept[at] for at in positions), key=lambda chunk: infos[owners[chunk]].status in OUT_OF_FORCE
        )
        for at, chunk in zip(positions, chunks, strict=True):
            kept[at] = chunk
    return kept


def edition_first(ranked: Sequence[int], owners: Mapping[int, str], editions: Sequence[str]) -> list[int]:
    """Return a ranking led by the best places of the editions that the question names."""
    leading = [chunk for chunk in ranked if owners[chunk] in editions][:LEADING]
    return [*leading, *(chunk for chunk in ranked if chunk not in leading)]


def _any(name: str) -> str:
    """Return the words of a list of data/retrieval/editions.toml as alternatives."""
    return "|".join(map(re.escape, shipped("retrieval/editions")[name]))


def _with_edition(folded: str, year: str, lexicon: Lexicon) -> bool:
    """Tell whether a year stands with a word for an edition: "the 2011 snow code", "edition of 2011"."""
    said = "|".join(map(re.escape, sorted(lexicon.edition_words)))
    before = _any("before_year")
    pattern = rf"\b{year}( [^\W\d]+)?? (?:{said})\b|\b(?:{said})( (?:{before}))? {year}\b"
    return bool(said) and re.search(pattern, folded) is not None


def _mentions(folded: str, documents: Iterable[DocumentInfo]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, id) for every name of a document in the text, however it is spaced or dashed."""
    for info in documents:
        for name in dict.fromkeys((info.id, info.designation, work(info), *info.aliases)):
            for pattern in _patterns(name):
                yield from ((*match.span("name"), info.id) for match in pattern.finditer(folded))
        yield from ((start, end, info.id) for start, end in _as_volume(folded, info))


def _as_volume(folded: str, info: DocumentInfo) -> Iterator[tuple[int, int]]:
    """Yield where a text names the whole that a document is a volume of, but not another volume of it."""
    volume = _volume().search(work(info))
    if volume is None:
        return
    whole, number = work(info)[: volume.start()], volume["number"]
    file = info.id.removesuffix(number)  # "AD-M" of "AD-M1"
    for name in (whole, *([file] if file != info.id and file[-1:].isalpha() else [])):
        for match in (found for pattern in _patterns(name) for found in pattern.finditer(folded)):
            behind = _volume_behind().match(folded, match.end("name"))
            if behind is None or behind["number"] == number:
                yield match.start("name"), behind.end() if behind else match.end("name")


@cache
def _volume() -> re.Pattern[str]:
    """Return what finds the number of a volume at the end of the name of a document."""
    return re.compile(rf"[\s,:]+(?:{_any('volumes')})\s+(?P<number>\w+)$")


@cache
def _volume_behind() -> re.Pattern[str]:
    """Return what finds the number of a volume behind the name of a document."""
    return re.compile(rf"[\s,:(]*(?:{_any('volumes')})\b\.?\s*(?P<number>\w+)")


@lru_cache(maxsize=KEPT)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a name however it is spaced or dashed, none for one of a single word.

    Where its last word is short there is one for a list of its like: "Approved Documents K and M".
    """
    parts = words(name)
    if len(parts) < 2:
        return ()
    *head, last = map(re.escape, parts)
    between = r"[\s.:_-]*"
    parted = r"[\s.:_-]+" if parts[-2].isalpha() and len(parts[-2]) > SHORT_NAME else between  # "Documents"
    alone = re.compile(rf"(?<![\w-])(?P<name>{between.join(head)}{parted}{last})(?!\w|[.-]\d)")
    if len(parts[-1]) > SHORT_NAME:
        return (alone,)
    others = rf"(?:[^\W_]{{1,{SHORT_NAME}}}(?:\s*,\s*|\s+(?:{_any('listed')})\s+|\s*&\s*))"
    return alone, re.compile(rf"(?<![\w-]){between.join(head)}s\s+{others}*(?P<name>{last})(?![\w-])")


def _folded(folded: str, documents: Sequence[DocumentInfo]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, id) where a text names a document in another form: "EC1-1-3".

    A whole series ("EC1") names all of its Parts; a Part may stand without the letters ("1991-1-3"). Words
    before the letters of a body may pass for those of a national one ("does EN 1991-1-3"), so of the names
    with one end and one meaning the shortest counts.
    """
    known = [(name.key, info.id) for info in documents for name in names_of(info)]
    known += [(_LETTERS.sub("", key), document) for key, document in known if _LETTERS.match(key)]
    tokens = list(re.finditer(r"[^\s,;?!()]+", folded))
    for at, last in enumerate(tokens):
        told: set[str] = set()
        for opening in reversed(tokens[max(0, at + 1 - NAME_WORDS) : at + 1]):
            written = folded[opening.start() : last.end()].rstrip(".:")
            key = fold_designation(written).key
            lettered = re.search(r"[A-Z]", key) or _BARE.fullmatch(key)
            if key in told or not lettered or len(re.findall(r"\d", key)) < SERIES_DIGITS:
                continue
            told.add(key)
            for name, document in known:
                if name == key or name.startswith(f"{key}-"):
                    yield opening.start(), last.end(), document


def _words_of(text: str) -> list[str]:
    """Return what stands between the spaces of a text, without stops at its end."""
    return [word.rstrip(".:,;") for word in text.split()]


def _longest(found: Sequence[tuple[int, int, str]]) -> set[str]:
    """Return the ids of the mentions that stand inside no longer one."""
    return {
        name
        for start, end, name in found
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in found)
    }


def _is_part(number: str, designation: str) -> bool:
    """Tell whether a designation is that of a Part: "K" of "Document K", "1-3" of "EN 1991-1-3"."""
    if number.isdigit():
        return False
    return re.search(rf"(?:\s|\d{{3,}}-){re.escape(number)}(?=$|[\s:+])", designation) is not None
