"""The names in the boxes of a flow chart open no clause; headings in boxes, and cells of grids, do."""

import pytest

from appliance.ingest.layout.pages import arrange
from appliance.ingest.layout.typography import charted
from appliance.ingest.page import PageContent, PageLayout, Source, Stroke, Word
from appliance.ingest.structure.outline import build_clauses
from appliance.ingest.structure.schemes import GENERIC, load_schemes

NAMES = ("5.1 General", "5.2 Ways to comply", "5.3 Rules", "5.4 Papers")
PITCH = 40.0


def said(text: str, x: float, y: float, size: float = 10.0, *, bold: bool = False) -> list[Word]:
    words = []
    for word in text.split():
        width = 0.5 * size * len(word)
        words.append(Word(word, x, y, x + width, y + size, "F", size, bold))
        x += width + 0.3 * size
    return words


def boxes(width: float = 140.0, height: float = 24.0, pitch: float = PITCH) -> list[Stroke]:
    return [
        Stroke(180, 300 + pitch * n, 180 + width, 300 + pitch * n + height, "curve")
        for n in range(len(NAMES))
    ]


def arrows(height: float = 24.0) -> list[Stroke]:
    return [
        Stroke(250, 300 + PITCH * n + height, 250, 300 + PITCH * (n + 1), "line")
        for n in range(len(NAMES) - 1)
    ]


def grid() -> list[Stroke]:
    """Return cells drawn as rectangles, those between two names blank."""
    return [Stroke(180, 300 + PITCH / 2 * n, 320, 320 + PITCH / 2 * n, "rect") for n in range(2 * len(NAMES))]


def page(strokes: list[Stroke], pitch: float = PITCH, *, number: int = 1, below: int = 0) -> PageContent:
    words = said("5 Envelope", 60, 60, 15.0, bold=True)
    words += said("This section is about what stands between inside and outside.", 60, 90)
    for n, name in enumerate(NAMES):
        words += said(name, 190, 306 + pitch * n)
    for n in range(below):
        words += said(NAMES[n], 60, 520 + 40 * n, 12.0, bold=True)
        words += said("What stands here is the provision itself, in words.", 60, 540 + 40 * n)
    return PageContent(number, 600, 800, "", tuple(words), tuple(strokes), ())


def laid(content: PageContent) -> PageLayout:
    return arrange(Source("", "", (content,), ()))[0]


@pytest.mark.parametrize(
    ("strokes", "pitch", "lines"),
    [
        (boxes() + arrows(), PITCH, 4),
        (boxes() + [Stroke(182, 302 + PITCH * n, 318, 322 + PITCH * n, "curve") for n in range(4)] + arrows(),
         PITCH, 4),  # double borders
        (boxes()[:2] + arrows()[:1], PITCH, 0),  # two boxes are no chart
        (boxes(), PITCH, 0),  # nothing leads from one to the next
        (boxes(400) + arrows(), PITCH, 0),  # panels as wide as the text
        (boxes(pitch=24.0), 24.0, 0),  # cells of a grid touch
        (grid(), PITCH, 0),  # cells of a grid, some of them blank
        (arrows(), PITCH, 0),
        ([], PITCH, 0),
    ],
)  # fmt: skip
def test_what_a_flow_chart_is(strokes: list[Stroke], pitch: float, lines: int) -> None:
    layout = laid(page(strokes, pitch))
    found = charted(layout)
    assert len(found) == lines
    assert all(layout.lines[at].text.startswith("5.") for at in found)


def test_the_provisions_are_found_where_they_stand_and_no_word_of_the_chart_is_lost() -> None:
    scheme = next(scheme for scheme in load_schemes(None) if scheme.name == GENERIC)
    content = page(boxes() + arrows(), below=len(NAMES))
    clauses, problems = build_clauses((laid(content),), frozenset(), scheme)
    numbered = [clause for clause in clauses if str(clause.label).startswith("5.")]
    assert [str(clause.label) for clause in numbered] == ["5.1", "5.2", "5.3", "5.4"]
    assert all("provision itself" in clause.passage.text for clause in numbered)
    assert not problems
    chart = next(clause for clause in clauses if str(clause.label) == "5")
    assert "Ways to comply" in chart.passage.text
