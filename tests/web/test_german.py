"""Every page in German: each sentence is either German or marked as the words of somebody else.

What a code says carries its language (`lang`), what a person typed its own direction (`dir="auto"`); all
other words of a page are ours and must come from the catalogue. The walk goes over the demo library, whose
codes are English, so that an English word of ours stands out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from appliance.library import Library
from appliance.web.app import create_app
from appliance.web.language import COOKIE

# Words that no German sentence holds; what both languages know ("in", "was") cannot tell.
ENGLISH = frozenset(
    word
    for line in (
        "the of is and with were not are for this that from be been has have by it its to on as at or",
        "which what where when how read found first pages page tables figure figures clause answer answers",
        "question questions no all more than under see open close back place places documents library",
        "half within",
        "chance one two number",
    )
    for word in line.split()
)
SHORTEST = 4  # letters of a name: a symbol is a letter of every word
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
QUESTIONS = (
    "snow load zone 3 at 250 m",
    "imposed load office floor",
    "partial factor permanent action unfavourable",
    "exposure coefficient of a windswept site in Northland",
    "snow load shape coefficient and wheel torque of a mars rover",
    "wheel torque of a mars rover",
    "what is an action",
    "what refers to 5.2 of DC 1-3",
    "what comes after 5.2 of DC 1-3",
    "page 9 of DC 1-1",
    "which edition replaces DC 1-3:2011",
    "where is the exposure coefficient dealt with",
    "list all clauses about snow",
    "Welche Schneelast gilt in Zone 3?",
    "§",
)
PATHS = (
    "/",
    "/ask?q=snow+load&d=DC-1-3-2011",
    "/search?q=snow&kind=table",
    "/d/DC-1-3",
    "/d/DC-1-3-2011",
    "/d/DC-1-3/c/5.2",
    "/d/DC-1-1/t/Table 6.2",
    "/d/DC-1-3/f/Figure 5.2",
    "/d/DC-1-3/e/(5.1)",
    "/d/DC-1-3/p/10?at=5.3.1",
    "/d/DC-1-3/p/99",
    "/d/NOPE",
    "/d/DC-1-3/c/99.99",
    "/compare",
    "/compare?a=DC-1-3-2011&b=DC-1-3",
    "/saved",
    "/saved/abcdef",
    "/history",
    "/print?q=imposed+load+office+floor",
    "/print?q=wheel+torque+of+a+mars+rover",
    "/box",
    "/figures",
    "/health",
    "/review",
    "/nothing",
    *(f"/ask?q={question}" for question in QUESTIONS),
)


class Ours(HTMLParser):
    """Gathers what a page says in its own name, and what of the engine it could not translate."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, str, bool]] = [("", "de", False)]
        self.said: list[str] = []
        self.untold: list[str] = []
        self._untold = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        _, language, theirs = self.open[-1]
        language = given.get("lang") or language
        theirs = theirs or tag in {"script", "style", "code", "title"} or "dir" in given
        self._untold = "data-untold" in given
        self.said += [given[name] or "" for name in ("placeholder", "aria-label") if given.get(name)]
        if tag not in VOID:
            self.open.append((tag, language, theirs))

    def handle_endtag(self, tag: str) -> None:
        at = next((at for at in range(len(self.open) - 1, 0, -1) if self.open[at][0] == tag), None)
        if at:
            del self.open[at:]

    def handle_data(self, data: str) -> None:
        _, language, theirs = self.open[-1]
        text = " ".join(data.split())
        if self._untold and text:
            self.untold.append(text)
            self._untold = False
        elif text and not theirs and language == "de":
            self.said.append(text)


def english(texts: list[str], names: frozenset[str]) -> Iterator[str]:
    """Yield the texts that hold an English word, names of documents and places apart."""
    called = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    for text in texts:
        left = called.sub(" ", text)
        if ENGLISH & {word.casefold() for word in re.findall(r"[A-Za-z]+", left)}:
            yield text


@pytest.fixture(scope="module")
def german(demo: Library) -> FlaskClient:
    client = create_app(demo).test_client()
    client.set_cookie(COOKIE, "de")
    return client


@pytest.fixture(scope="module")
def names(demo: Library) -> frozenset[str]:
    """Return what documents and places are called: words of the codes that our labels repeat."""
    infos = demo.overview().documents
    documents = [demo.document(info.id) for info in infos]
    named = {name for info in infos for name in (info.id, info.designation)}
    for one in documents:
        named |= {str(item.label) for item in one.clauses}
        named |= {str(item.label) for item in one.formulas} | {str(item.label) for item in one.terms}
        named |= {text for item in one.tables for text in (str(item.label), item.title)}
        named |= {text for item in one.figures for text in (str(item.label), item.title)}
    return frozenset(name for name in named if len(name) >= SHORTEST)


def told(html: str, names: frozenset[str]) -> list[str]:
    reader = Ours()
    reader.feed(html)
    return [*english(reader.said, names), *reader.untold]


@pytest.mark.parametrize("path", PATHS)
def test_no_sentence_of_ours_is_english(german: FlaskClient, names: frozenset[str], path: str) -> None:
    html = german.get(path).text
    assert '<html lang="de"' in html
    assert told(html, names) == []
