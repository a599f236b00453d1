"""The documents and editions that a question names, loaded or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from appliance.core.document import OUT_OF_FORCE
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped
from appliance.ingest.structure.schemes import load_schemes
from appliance.retrieval.query.labels import AskedLabel
from appliance.retrieval.query.lexicon import Lexicon
from appliance.store.records import DocumentInfo
from appliance.text.designations import ANNEX, fold_designation, names_of
from appliance.text.terms import fold, words

SHORT_NAME = 3  # letters of what tells the documents of one series apart ("K" of "Approved Document K")
ANNEX_WORDS = 7  # words of the name of a national annex: "UK National Annex to BS EN 1991-1-3"
NAME_WORDS = 4  # words of a name that is written in another form
REMEMBERED_NAMES = 4_000  # whose patterns are kept
REMEMBERED_TEXTS = 64  # whose names are
BETWEEN = r"[\s.:_-]*"  # the words of a name
SERIES_DIGITS = 4  # digits of the name of a series ("EN 1991"); fewer name too much

_BARE = re.compile(r"\d{4,5}(?:-\d{1,2})+")  # the number of a standard without the letters of its body
_BODY = re.compile(r"^[^\d]*(?=\d)")
_APART = re.compile(r"(?<=\d)\s+(?=\d{1,2}-\d)")  # between a series and the number of its Part: "EC1 1-4"
_NUMBERED_ANNEX = re.compile(rf"{re.escape(ANNEX)}[A-Z]+\d+(?:-\d{{1,2}})*")
_PARTED = re.compile(r"(?P<series>[A-Z]+\d+)-(?P<number>\d{1,2})")
_NUMBERED = re.compile(r"(?P<body>[A-Z]+)\d{4,5}(?:-\d{1,2})*")

Mention = tuple[int, int, str]


def work(info: DocumentInfo) -> str:
    """Return what the editions of one work share: the designation without its year."""
    return re.sub(r"\s*:\s*(?:19|20)\d\d.*$", "", fold(info.designation)).strip()


@lru_cache(maxsize=REMEMBERED_TEXTS)
def by_name(folded: str, documents: tuple[DocumentInfo, ...]) -> tuple[Mention, ...]:
    """Return every name of a document in the text: its id, its designation, an alias, or a shorter form."""
    volume_behind = re.compile(rf"[\s,:(]*\b(?:{any_of('volumes')})\b\.?\s*(?P<number>\w+)")
    found: list[Mention] = []
    for info in documents:
        for name, volume in _names(info).items():
            for pattern in _patterns(name):
                for match in pattern.finditer(folded):
                    start, end = match.span("name")
                    behind = volume_behind.match(folded, end) if volume else None
                    if behind is None or behind["number"] == volume:
                        found.append((start, behind.end() if behind else end, info.id))
    return tuple(found)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def in_other_form(folded: str, documents: tuple[DocumentInfo, ...]) -> tuple[Mention, ...]:
    """Return where a text names a document in another form: "EC1-1-3", "1991-1-3", "EC1-3".

    A whole series ("EC1") names all of its Parts. A short form may leave out the Part that its one document
    of this number is of.
    """
    known = [(name.key, info.id) for info in documents for name in names_of(info)]
    known += [(_BODY.sub("", key), document) for key, document in known if not key.startswith(ANNEX)]
    found: list[Mention] = []
    short = {(start, end) for start, end, _ in short_forms(folded)}
    for start, end, key in (*_keys(folded), *annexes(folded)):
        if any(a <= start and end <= b and b - a > end - start for a, b in short):
            continue  # "EC1" of "EC1 1-4"
        named = [document for name, document in known if name == key or name.startswith(f"{key}-")]
        if not named and (start, end) in short and (parted := _PARTED.fullmatch(key)):
            inside = re.compile(rf"{re.escape(parted['series'])}-\d-{parted['number']}")
            named = [document for name, document in known if inside.fullmatch(name)]
            named = named if len(set(named)) == 1 else []
        found += [(start, end, document) for document in named]
    return tuple(found)


def short_forms(text: str) -> Iterator[Mention]:
    """Yield where a text names a numbered document in a short form, with the whole one: "EC2", "EN1992"."""
    for start, end, key in _keys(fold(text)) if len(fold(text)) == len(text) else ():
        written = re.sub(r"\s+", "", text[start:end]).upper()
        named = _NUMBERED.fullmatch(key)
        if named and not written.startswith(named["body"]) and key not in written:
            yield start, end, key


def annexes(text: str) -> Iterator[Mention]:
    """Yield where a text names the national annex to a document, loaded or not, with its designation."""
    folded = fold(text)
    tokens = list(re.finditer(r"[^\s,;?!()]+", folded if len(folded) == len(text) else ""))
    article = rf"\s+(?:{any_of('articles')})\s+"
    for at, last in enumerate(tokens):
        for opening in reversed(tokens[max(0, at + 1 - ANNEX_WORDS) : at]):
            written = folded[opening.start() : last.end()].rstrip(".:")
            if not any(map(str.isdigit, written)):
                continue
            key = fold_designation(re.sub(article, " ", written)).key
            if _NUMBERED_ANNEX.fullmatch(key) and written[-1:].isalnum():
                yield opening.start(), opening.start() + len(written), key
                break


def _keys(folded: str) -> Iterator[Mention]:
    """Yield what may be the name of a document, as its folded designation.

    Words before the letters of a body may pass for those of a national one ("does EN 1991-1-3"), so of the
    names with one end and one meaning the shortest counts.
    """
    tokens = list(re.finditer(r"[^\s,;?!()]+", folded))
    for at, last in enumerate(tokens):
        told: set[str] = set()
        for opening in reversed(tokens[max(0, at + 1 - NAME_WORDS) : at + 1]):
            written = folded[opening.start() : last.end()].rstrip(".:")
            key = fold_designation(_APART.sub("-", written)).key
            numbered = sum(map(str.isdigit, key)) >= SERIES_DIGITS
            if key not in told and numbered and (re.search(r"[A-Z]", key) or _BARE.fullmatch(key)):
                told.add(key)
                yield opening.start(), opening.start() + len(written), key


def _names(info: DocumentInfo) -> dict[str, str]:
    """Return the names of a document with the volume that it is, "" where the name itself says so."""
    at_end = re.compile(rf"\s*,?\s*\b(?:{any_of('volumes')})\.?\s*(?P<number>\w+)\s*$")
    designation = work(info)
    volume = at_end.search(designation)
    found: dict[str, str] = {}
    for name in (info.id, info.designation, designation, *info.aliases):
        found.setdefault(name, "")
        if volume:
            folded = fold(name)
            shorter, cut = at_end.sub("", folded), folded.removesuffix(volume["number"])
            if shorter == folded:
                shorter = cut if cut != folded and cut[-1:].isalpha() else ""  # "AD-M1"
            found.setdefault(shorter, volume["number"])
    found.pop("", None)
    return found


@lru_cache(maxsize=REMEMBERED_NAMES)
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a name however it is spaced or dashed, none for one of a single word.

    Where its last word is short there is one for a list of its like: "Approved Documents K and M", and the
    words that all of a series have may be shorter: "Doc K".
    """
    parts = words(name)
    if len(parts) < 2:
        return ()
    last = re.escape(parts[-1])
    apart = parts[-2].isalpha() and (len(parts[-2]) > SHORT_NAME or parts[-1].isalpha())
    parted = r"[\s.:_-]+" if apart else BETWEEN
    behind = r"(?!\w|[.-]\d)"
    if len(parts[-1]) > SHORT_NAME:
        return (re.compile(rf"(?<![\w-])(?P<name>{_spaced(parts[:-1])}{parted}{last}){behind}"),)
    others = rf"(?:[^\W_]{{1,{SHORT_NAME}}}(?:\s*,\s*|\s+(?:{any_of('listed')})\s+|\s*&\s*))"
    said = shipped("retrieval/editions")
    heads = [_spaced(parts[:-1])]  # the words before the last, as printed and as they are shortened
    if len(parts) > 2 and parts[-1].isalpha() and parts[-1] not in said["small"]:
        heads += (rf"{re.escape(form)}\.?" for form in said["shortened"].get(parts[-2], ()))
    found = []
    for head in heads:
        found.append(re.compile(rf"(?<![\w-])(?P<name>{head}{parted}{last}){behind}"))
        found.append(re.compile(rf"(?<![\w-]){head}s\s+{others}*(?P<name>{last})(?![\w-]){behind}"))
    return tuple(found)


def _spaced(parts: Sequence[str]) -> str:
    """Return a pattern of words however they are spaced or dashed, a comma before the word for a volume."""
    volumes = shipped("retrieval/editions")["volumes"]
    commas = [r",?" if part in volumes else "" for part in parts[1:]]
    first, *rest = map(re.escape, parts)
    return first + "".join(f"{comma}{BETWEEN}{part}" for comma, part in zip(commas, rest, strict=True))


def any_of(name: str) -> str:
    """Return the words of a list of data/retrieval/editions.toml as alternatives."""
    return "|".join(map(re.escape, shipped("retrieval/editions")[name]))


LEADING = 5  # places of an edition that is named by its year which come before all others
_YEAR = re.compile(r"(?<![\d.])(?:19|20)\d\d(?!\d|\.\d|-\d)")
_BEHIND = re.compile(r"\s?[:(]?\s?((?:19|20)\d\d)(?!\d|\.\d|-\d)")  # the year behind the name of a document


def years(info: DocumentInfo) -> frozenset[str]:
    """Return the years of an edition, that of its amendments among them."""
    return frozenset(_YEAR.findall(f"{fold(info.designation)} {fold(info.edition)}"))


@mechanism("query.documents", without=lambda *_: ())
def named_documents(
    folded: str, labels: Sequence[AskedLabel], documents: tuple[DocumentInfo, ...]
) -> tuple[str, ...]:
    """Return the ids of the documents that a question names, in the edition that it means."""
    parts = [fold(label.printed.split()[-1]) for label in labels if label.kind == "part"]
    # the letter of a Part that is not typed as a label: "part m"
    parts += re.findall(
        rf"\b(?:{any_of('parts')})\s+(?!(?:{any_of('small')})\b)([^\W\d_])\b(?!\s+(?:{any_of('owned')})\b)",
        folded,
    )
    other_forms = list(in_other_form(folded, documents))
    said = " ".join(folded[start:end] for start, end, _ in other_forms)
    told = [word.rstrip(".:,;") for word in said.split()]
    parts = [part for part in parts if part not in told]  # "Eurocode 1 Part 1-3" has said it
    # "K" of "Document K", "1-3" of "EN 1991-1-3"
    ending = "|".join(re.escape(part) for part in parts if not part.isdigit())
    parted = re.compile(rf"(?:\s|\d{{3,}}-)(?:{ending})(?=$|[\s:+])" if ending else r"(?!)")
    of_part = {info.id for info in documents if parted.search(work(info))}
    of_series = {found[2] for found in other_forms} & of_part  # "Part 1-3 of Eurocode 1"
    if of_series:
        series = {found[:2] for found in other_forms if found[2] in of_series}
        other_forms = [found for found in other_forms if found[:2] not in series or found[2] in of_series]
        of_part = of_series
    spans = [*by_name(folded, documents), *other_forms]
    named = of_part | {  # of the mentions those that stand inside no longer one
        name
        for start, end, name in spans
        if not any(a <= start and end <= b and b - a > end - start for a, b, _ in spans)
    }
    named = _with_annexes(named, labels, documents)
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
    folded: str, named: Sequence[str], documents: tuple[DocumentInfo, ...], lexicon: Lexicon
) -> tuple[str, ...]:
    """Return the ids of the documents whose edition a question names by its year.

    The year stands in the name of the document or with a word such as "edition"; a mere year names none.
    """
    asked = frozenset(_YEAR.findall(folded))
    by_name = tuple(info.id for info in documents if info.id in named and years(info) & asked)
    said = _edition_years(folded, lexicon)
    return by_name or tuple(info.id for info in documents if not named and years(info) & said)


def asked_years(folded: str, documents: tuple[DocumentInfo, ...], lexicon: Lexicon) -> frozenset[str]:
    """Return the years of the editions that a question asks for: "the 2011 edition", "DC 1-1:2011"."""
    behind = (_BEHIND.match(folded, end) for _, end in mentioned(folded, documents))
    return frozenset({*_edition_years(folded, lexicon), *(found[1] for found in behind if found)})


def mentioned(text: str, documents: tuple[DocumentInfo, ...]) -> tuple[tuple[int, int], ...]:
    """Return where a text names documents, the widest names only; none where folding moves its letters."""
    folded = fold(text)
    if len(folded) != len(text):
        return ()
    found = (*by_name(folded, documents), *in_other_form(folded, documents))
    spans = {(start, end) for start, end, _ in found}
    return tuple(sorted(s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)))


def replaced_spans(text: str, spans: Sequence[tuple[int, int]], instead: str = " ") -> str:
    """Return a text with another one in the place of each of these stretches, which follow one another."""
    for start, end in reversed(spans):
        text = f"{text[:start]}{instead}{text[end:]}"
    return text


@mechanism("rank.in_force", without=lambda ranked, _owners, _documents, _first: list(ranked))
def in_force_first(
    ranked: Sequence[int], owners: Mapping[int, str], documents: tuple[DocumentInfo, ...], limit: int
) -> list[int]:
    """Return a ranking in which, of the places of one work among the first, those in force come first.

    The places of a work trade places among themselves alone; what is in force of one work does not
    move what another says.
    """
    kept = list(ranked)
    infos = {info.id: info for info in documents}
    works = grouped((work(infos[owners[chunk]]), position) for position, chunk in enumerate(kept[:limit]))
    for positions in works.values():
        chunks = sorted(
            (kept[at] for at in positions), key=lambda chunk: infos[owners[chunk]].status in OUT_OF_FORCE
        )
        for at, chunk in zip(positions, chunks, strict=True):
            kept[at] = chunk
    return kept


@mechanism("rank.editions", without=lambda ranked, _owners, _editions: list(ranked))
def edition_first(ranked: Sequence[int], owners: Mapping[int, str], editions: Sequence[str]) -> list[int]:
    """Return a ranking led by the best places of the editions that the question names."""
    leading = [chunk for chunk in ranked if owners[chunk] in editions][:LEADING]
    return [*leading, *(chunk for chunk in ranked if chunk not in leading)]


def _edition_years(folded: str, lexicon: Lexicon) -> set[str]:
    """Return the years that stand with a word for an edition: "the 2011 snow code", "edition of 2011"."""
    said, before = "|".join(map(re.escape, lexicon.edition_words)), any_of("before_year")
    found: set[str] = set()
    for year in _YEAR.findall(folded) if said else ():
        pattern = rf"\b{year}( [^\W\d]+)?? (?:{said})\b|\b(?:{said})( (?:{before}))? {year}\b"
        if re.search(pattern, folded):
            found.add(year)
    return found


def _with_annexes(
    named: set[str], labels: Sequence[AskedLabel], documents: tuple[DocumentInfo, ...]
) -> set[str]:
    """Return the documents that are named, for a place of a national annex ("NA.2.7") the annex.

    The annex has to be loaded; the code itself stays where another place is named besides.
    """
    of_annex = [label for label in labels if re.match(rf"(?:{any_of('annexed')})[.\d]", label.number)]
    codes = {info.id: {name.key for name in names_of(info)} for info in documents}
    found = {
        code: {other for other, keys in codes.items() if keys & {f"{ANNEX}{key}" for key in codes[code]}}
        for code in named
    }
    if not of_annex or not any(found.values()):
        return named
    kept = {code for code in named if not found[code] or len(of_annex) < len(labels)}
    return kept.union(*found.values())


DIGITS = 3  # of a number of a document, with its parts; fewer may be said of anything

_LETTERED = re.compile(r"\w \w+ [A-Z]$")  # a document of a series by its letter, behind two words


def not_loaded(text: str, documents: tuple[DocumentInfo, ...]) -> str:
    """Return in a sentence which documents a text names that are not loaded, "" for none."""
    named = list(dict.fromkeys(" ".join(text[a:b].split()) for a, b in absent(text, documents)))
    if not named:
        return ""
    *others, last = named
    return f"{', '.join(others)} and {last} are not loaded." if others else f"{last} is not loaded."


def absent(text: str, documents: tuple[DocumentInfo, ...]) -> tuple[tuple[int, int], ...]:
    """Return where a text names documents that are not loaded, in order, none inside another."""
    if text == text.upper():
        return ()
    loaded = mentioned(text, documents)
    keys = {name.key for info in documents for name in names_of(info)}
    annexed = {(start, end): key for start, end, key in annexes(text)}
    found: list[tuple[int, int]] = []
    for span in sorted({*_named(text), *annexed}, key=lambda span: (span[0], -span[1])):
        key = annexed.get(span) or fold_designation(text[slice(*span)]).key
        apart = () if span in annexed else loaded  # what is named in it is another document
        taken = any(a < span[1] and span[0] < b for a, b in (*apart, *found))
        own = {known for known in keys if known.startswith(ANNEX) or span not in annexed}
        if not taken and not any(_is_of(key, known) or _is_of(known, key) for known in own):
            found.append(span)
    return tuple(found)


def _named(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text names documents, loaded or not, as they are numbered and in short forms."""
    patterns = (pattern for scheme in load_schemes() for pattern in scheme.designations)
    for found in (one for pattern in patterns for one in pattern.finditer(text)):
        around = text[found.start() - 1 : found.start()] + text[found.end() : found.end() + 1]
        numbered = sum(map(str.isdigit, found.group())) >= DIGITS or _LETTERED.search(found.group())
        if numbered and not any(map(str.isalnum, around)):
            yield found.span()
    yield from ((start, end) for start, end, _ in short_forms(text))


def _is_of(key: str, known: str) -> bool:
    """Tell whether a name is a loaded one, one with fewer letters before it, or the series of it."""
    at = known.find(key)
    ends = at + len(key) if at >= 0 else -1
    return at >= 0 and not known[at - 1 : at].isdigit() and known[ends : ends + 1] in {"", "-", ":"}
