"""What a document is: designation, title, edition and status, from its first pages and running heads."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from appliance.core.document import DocumentStatus
from appliance.core.files import shipped
from appliance.core.runs import runs
from appliance.ingest.layout.lines import vocabulary, whole_words
from appliance.ingest.page import Line, PageLayout, Source
from appliance.ingest.references.named_documents import find_hosts
from appliance.ingest.references.part_words import load_words
from appliance.ingest.structure.schemes import Scheme
from appliance.text.designations import with_amendments

LARGE = 1.15  # of the usual type size: a title
NEAR = 0.9  # of the type size: white space within a paragraph
LEAST = 4  # words in small letters that a sentence has
_SMALL = re.compile(r"(?<![\w-])[^\W\d_A-Z]{2,}(?!\w)")
_NUMBERED = re.compile(r"\(?[A-Z]{0,2}\.?\d+(?:[.\-/]\d+)*[).]?\s")
_STOPS = re.compile(r"[.;][\"”’)\]]*$")
_ENDS = re.compile(r"[.;:!?][\"”’)\]]*$")


def in_sentences(lines: Sequence[Line], layouts: Sequence[PageLayout]) -> frozenset[int]:
    """Return the places of the lines of a page that belong to sentences."""
    usual = usual_size(layouts)
    found, end = set[int](), 0
    for run in runs(lines, _is_near):
        start, end = end, end + len(run)
        text = " ".join(line.text for line in run)
        large = run[0].size >= LARGE * usual
        stops = _STOPS if large else _ENDS
        numbered = not large and _NUMBERED.match(text)
        if len(_SMALL.findall(text)) >= LEAST and (numbered or stops.search(text)):
            found.update(range(start, end))
    return frozenset(found)


def usual_size(layouts: Sequence[PageLayout]) -> float:
    """Return the type size, in points, of most characters of a document."""
    sizes = Counter[float]()
    for page in layouts:
        for line in page.lines:
            sizes[round(line.size, 1)] += sum(map(str.isalpha, line.text))  # not the dots of a contents list
    return max(sizes, key=lambda size: (sizes[size], -size), default=0.0)


def _is_near(run: Sequence[Line], line: Line) -> bool:
    """Tell whether a line stands close below the last of a run in one type with it."""
    above = run[-1]
    alike = abs(line.size - above.size) < 0.1 * above.size
    return alike and line.y0 - above.y1 <= NEAR * line.size and line.y1 >= above.y0


def _is_alike(run: Sequence[Line], line: Line) -> bool:
    """Tell whether a line follows the last of a run in one size of type with it."""
    alike = abs(line.size - run[-1].size) < 0.03 * line.size and len(run) < TITLE_LINES
    return alike and -line.size < line.y0 - run[-1].y1 <= line.size


MOST = 0.5  # of the pages that have running heads


def own_names(layouts: Sequence[PageLayout], cover: Sequence[Line], large: float) -> Mapping[str, bool]:
    """Return the names, and whether the `cover` gives them; `large` is the type size of a title."""
    data = shipped("names")
    patterns, others = [re.compile(pattern) for pattern in data["own"]], set(data["others"])

    def names_in(line: Line) -> set[str]:
        return {name for name in _found(line.text, patterns) if not others & set(re.findall(r"[A-Z]+", name))}

    headed = [page.margins for page in layouts if page.margins]
    said = Counter(name for margins in headed for name in set[str]().union(*map(names_in, margins)))
    repeated = {name for name, count in said.items() if len(headed) > 1 and count > MOST * len(headed)}
    on_cover = [(name, line) for line in cover for name in names_in(line)]
    titled = {name for name, line in on_cover if line.size >= large and name == _plain(line.text)}
    return {name: any(name == other for other, _ in on_cover) for name in repeated | titled}


def _found(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterator[str]:
    """Yield the designations in a text, as they are printed but for white space."""
    return (_plain(match.group()) for pattern in patterns for match in pattern.finditer(text))


def _plain(text: str) -> str:
    return re.sub(r"\s*([:+])\s*", r"\1", " ".join(text.split()))


FIRST = 3  # pages that may say what the document is
HEADS = 10.0  # weight of a name in every running head; on a first page or in the PDF's title: 2
OWN = 1.0  # more of a name that makes a line of its own, is set as a title, or is in the PDF's title
RIVAL = 0.75  # of the weight of the best name: another that is as likely
_BESIDE = 6  # letters and digits beside a name that makes a line of its own: a page number, a language
_FILE_NAME = re.compile(r"(?i)\.[a-z]\w{2,3}\b|^microsoft|^untitled|^layout \d|_\w+_")
_PUBLISHERS = re.compile(r"(?:[A-Z]{2,5} )*")
SCATTERED = 2  # words of a line that may be a piece of one
_EDGES = " :–—-,;"
TITLE_LINES, TITLE_WORDS = 6, 16
METADATA = 8.0  # worth of the title that the file itself gives; of a running head 1, of a line its size
USED = 0.25  # of the pages: a word on so many is one of the subject
USE_POWER = 0.25  # of the share of its words that are used; .25 to .6 read 78 to 80 of 87 titles
UNUSED = 0.01  # share of the words of a title that are used again, at least: a scan has no text
SINGLE = 0.8  # of the worth of a title of one word
REPEATED = 0.4  # of the pages, that print a running head of the whole document
_WORDS = re.compile(r"[^\W\d_]{4,}")  # shorter ones join words


@dataclass(frozen=True, slots=True)
class Front:
    """The document's own name, as printed."""

    designation: str
    title: str
    edition: str
    status: DocumentStatus
    aliases: tuple[str, ...]
    doubt: str = ""  # why the designation may be another


def read_front(source: Source, layouts: Sequence[PageLayout], scheme: Scheme) -> Front:
    """Return what the document says it is."""
    names = _names(source, layouts, scheme)
    # the heaviest name, or a fuller one ("BS EN ..." for "EN ...") of like weight
    best, most = max(names.items(), key=lambda item: (item[1], len(item[0]), item[0]), default=("", 0.0))
    fuller = [name for name, other in names.items() if best in name and other >= 0.5 * most]
    designation = max(fuller, key=lambda name: (len(name), names[name]), default=best)
    aliases = _aliases(designation, names)
    weight = max((w for name, w in names.items() if name in designation), default=0.0)
    heavy = (name for name, other in names.items() if other >= RIVAL * weight)
    # other documents that this one may be just as well
    rivals = sorted(name for name in heavy if name not in designation and designation not in name)
    texts = list[str]()
    for page in layouts[:FIRST]:
        citing = in_sentences(page.lines, layouts)
        said = ((line.text, at in citing) for at, line in enumerate(page.lines))
        texts += (_without_names(text, scheme) if cites else text for text, cites in said)
        texts += (line.text for line in page.margins)
    statuses: tuple[DocumentStatus, ...] = ("withdrawn", "superseded", "in force")
    told = (
        status
        for status in statuses
        if any(pattern.search(text) for pattern in scheme.statuses.get(status, ()) for text in texts)
    )
    own = [_without_cited(text, (designation, *aliases), scheme) for text in texts]
    return Front(
        designation=designation,
        title=_title(source, layouts, scheme),
        edition=_edition(designation, own, layouts, scheme),
        status=next(told, "unknown"),
        aliases=aliases,
        doubt=f"The document is taken for {designation}; it may be {' or '.join(rivals)}." if rivals else "",
    )


def _names(source: Source, layouts: Sequence[PageLayout], scheme: Scheme) -> Mapping[str, float]:
    """Return the designations printed in heads, first pages and the PDF's title, weighed."""
    names: dict[str, float] = defaultdict(float)
    share = HEADS / max(1, len(layouts))
    for page in layouts:
        for name in {n for line in page.margins for n in _found(line.text, scheme.designations)}:
            names[name] += share
    citing = in_sentences(layouts[0].lines, layouts) if layouts else ()
    cover = [line for page in layouts[:1] for at, line in enumerate(page.lines) if at not in citing]
    large = LARGE * usual_size(layouts)
    said = [(name, line) for line in cover for name in _found(line.text, scheme.designations)]
    own = set(_found(source.title, scheme.designations))
    for name, line in said:  # as its own: alone, or in the type of a title
        beside = len(re.sub(r"[\W_]", "", line.text)) - len(re.sub(r"[\W_]", "", name))
        if beside <= _BESIDE or line.size >= large:
            own.add(name)
    for name in own.union(name for name, _ in said):
        names[name] += 2 + OWN * (name in own)
    if not names.keys() & (own | {name for name, weight in names.items() if weight > HEADS / 2}):
        for name, given in own_names(layouts, cover, large).items():
            names[name] += HEADS + 2 * given
    return names


def _aliases(designation: str, names: Mapping[str, float]) -> tuple[str, ...]:
    """Return other printed forms of the same name ("EN 1991-1-1"), not those of wider ones ("EN 1991")."""
    found = []
    for name in names:
        before, inside, after = designation.partition(name)
        publisher = _PUBLISHERS.fullmatch(before)  # not "NA to ", which is another document
        if inside and name != designation and publisher and after[:1] in {"", ":", "+", " "}:
            found.append(name)
    return tuple(sorted(found))


def _title(source: Source, layouts: Sequence[PageLayout], scheme: Scheme) -> str:
    """Return what may be the title, set largest and of words that the text goes on to use."""
    usual = usual_size(layouts)
    printed = ({word for line in page.lines for word in _content(line.text)} for page in layouts)
    pages = Counter(word for words in printed for word in words)

    def judged(one: tuple[str, float]) -> float:
        words = _content(one[0])
        again = [min((pages[word] - 1) / (USED * max(len(layouts) - 1, 1)), 1.0) for word in words]
        use = sum(again) / (len(again) or 1)
        fits = 1 <= len(words) <= TITLE_WORDS
        worth: float = one[1] * max(use, UNUSED) ** USE_POWER
        return fits * worth * (SINGLE if len(words) == 1 else 1.0)

    large = [
        (" ".join(line.text for line in run), run[0].size / (usual or 1.0) / 2**at)
        for at, page in enumerate(layouts[:FIRST])
        for run in runs((each for each in page.lines if each.upright and _WORDS.search(each.text)), _is_alike)
    ]
    heads = Counter(text for page in layouts for text in {line.text for line in page.margins})
    repeated = [text for text, count in heads.items() if count > REPEATED * len(layouts)]
    named = [] if _FILE_NAME.search(source.title) or len(source.title.split()) < 2 else [source.title]
    found = [(text, METADATA) for text in named] + [(text, 1.0) for text in repeated]
    found += [one for one in large if one[1] >= LARGE] or large
    found = [(_without_names(text, scheme), weight) for text, weight in found]
    best = max(found, key=judged, default=("", 0.0))
    if not judged(best):
        return ""
    fuller = [  # a running head may say the title and more words
        head
        for head in (_without_names(text, scheme) for text in repeated)
        if head.casefold().startswith(best[0].casefold())
        and len(_content(best[0])) < len(_content(head)) <= TITLE_WORDS
    ]
    return whole_words(max(fuller, key=len, default=best[0]), vocabulary(layouts))


def _content(text: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(text)]


def _without_names(text: str, scheme: Scheme) -> str:
    for pattern in scheme.designations:
        text = pattern.sub("", text)
    return " ".join(text.split()).strip(_EDGES)


def _without_cited(text: str, own: Collection[str], scheme: Scheme) -> str:
    """Return a line without the other documents that it names: their years are not this one's."""
    hosts = find_hosts(text, load_words(scheme.name, scheme.language)).values()
    for host in sorted(hosts, key=lambda host: -host.start):
        name = text[host.start : host.end]
        if not any(name in known or known in name for known in own if known):
            text = f"{text[: host.start]} {text[host.end :]}"
    return text


def _edition(designation: str, texts: Sequence[str], layouts: Sequence[PageLayout], scheme: Scheme) -> str:
    heads = [line.text for page in layouts[FIRST : FIRST + 20] for line in page.margins]
    # lines of one or two words that stand one after another, joined: large or turned type
    runs = groupby(texts, lambda text: len(text.split()) <= SCATTERED)
    wrapped = [" ".join(run) for short, run in runs if short]

    def editions(pattern: re.Pattern[str], texts: Iterable[str]) -> Iterator[str]:
        matches = (match for text in texts if (match := pattern.search(text)))
        return (" ".join(match.group().split()).strip(_EDGES) for match in matches)

    for pattern in scheme.editions:
        found = next(editions(pattern, (designation, *texts, *heads, *wrapped)), None)
        if found is not None:
            # as it is printed word by word, where that begins alike and says more
            fuller = [text for text in editions(pattern, wrapped) if text != found]
            fuller = [text for text in fuller if text.casefold().startswith(found.casefold())]
            return with_amendments(max(fuller, key=len, default=found), texts)
    return ""
