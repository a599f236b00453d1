"""Codes in made-up numberings, read whole: clauses, tables and figures under their printed numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ingest.paper import BOLD, LEAD, LEFT, Paper

LOADS = (
    ("Part", "Load kN", "Depth mm"),
    [(f"Beam {n}", f"{n}.5", f"{n}00") for n in range(1, 6)],
    (200, 100, 100),
)
TEXTS = (
    "The parts shall be designed so that they carry the loads of {table} for all of their long life.",
    "Where this cannot be shown the parts shall be tested as in {figure} and the result be kept.",
)


@dataclass(frozen=True, slots=True)
class Style:
    """How a code prints chapters with their sections, and what stands in section `s`, the `n`th."""

    chapters: tuple[tuple[str, str], ...]
    inside: str
    table: str
    figure: str


ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
STYLES = {
    "residential": Style(
        (
            ("CHAPTER 3 PLANNING", "SECTION R301|SECTION R302|SECTION R303"),
            ("CHAPTER 4 FOUNDATIONS", "SECTION R401|SECTION R402|SECTION R403"),
        ),
        "{s}.{i}",
        "TABLE {s}.2(1)",
        "FIGURE {s}.2(2)",
    ),
    "signs": Style(
        (("Part 1 General", "§ 1|§ 2|§ 3"), ("Part 2 Roofs", "§ 4|§ 5|§ 6")),
        "({i})",
        "Table {n} a",
        "Fig. {n}",
    ),
    "numerals": Style(
        (("4 GENERAL", "4.1 4.2 4.3"), ("5 DETAILS", "5.1 5.2 5.3")), "{s}.{i}", "TABLE {r}", "FIGURE A-{r}"
    ),
    "slashes": Style(
        (("3 Walls", "3/1 3/2 3/3"), ("4 Roofs", "4/1 4/2 4/3")), "{s}/{i}", "Table {s}", "Figure {s}"
    ),
    "annexes": Style(
        (
            ("1 GENERAL", "1.1 1.2 1.3"),
            ("2 LOADS", "2.1 2.2"),
            ("ANNEX A TESTS", "1 2 3"),
            ("ANNEX B PROOFS", "1 2 3"),
        ),
        "{s}.{i}",
        "Table {n}",
        "Plate {n}",
    ),
}


def _printed(style: Style) -> tuple[Paper, dict[str, list[str]]]:
    """Return the code and the labels that stand in it."""
    paper, n = Paper("CODE 7"), 0
    labels: dict[str, list[str]] = {"clauses": [], "tables": [], "figures": []}
    for chapter, sections in style.chapters:
        paper.turn()
        paper.put(chapter, LEFT, paper.y, 14, BOLD)
        paper.y += 26
        for section in sections.split("|" if "|" in sections else None):
            n += 1
            if paper.y > 450:
                paper.turn()
            bare = section.rpartition(" ")[2]
            held = section if section[0] == "§" else bare
            table, figure = (form.format(s=bare, n=n, r=ROMAN[n]) for form in (style.table, style.figure))
            paper.put(
                f"{section}  {('Walls in use', 'Roofs', 'Stairs of it')[n % 3]}", LEFT, paper.y, 11, BOLD
            )
            paper.y += 18
            part = f"{chapter[:7]}/" if chapter.startswith("ANNEX") else ""
            labels["clauses"].append(part + section)
            for i, text in enumerate(TEXTS, 1):
                number = style.inside.format(s=bare, i=i)
                labels["clauses"].append(part + (held if number[0] == "(" else "") + number)
                paper.prose(f"{number} {text.format(table=table, figure=figure)}")
            if n % 2:
                labels["tables"].append(table)
                paper.table(f"{table} Loads of parts", LOADS, "rows")
            else:
                labels["figures"].append(figure.replace("Fig.", "Fig"))
                for k in range(4):
                    x = LEFT + 60 + 30 * k
                    paper.page.draw_rect((x, paper.y + 8 * k, x + 120, paper.y + 100 - 5 * k))
                    paper.page.draw_line((x, paper.y + 10 * k), (x + 90, paper.y + 80))
                paper.y += 120
                paper.put(f"{figure} Arrangement of the parts", LEFT + 60, paper.y, 9.5, BOLD)
                paper.y += 26
    return paper, labels


@pytest.mark.parametrize("name", STYLES)
def test_a_code_of_an_unknown_numbering_is_read_whole(tmp_path: Path, name: str) -> None:
    paper, labels = _printed(STYLES[name])
    document = paper.read(tmp_path)
    clauses = {"/".join(clause.label.parts).casefold() for clause in document.clauses}
    assert {one.casefold() for one in labels["clauses"]} <= clauses
    assert [str(table.label).casefold() for table in document.tables] == [
        x.casefold() for x in labels["tables"]
    ]
    assert [str(one.label).casefold() for one in document.figures] == [
        x.casefold() for x in labels["figures"]
    ]
    assert all(len(table.cells) == 18 for table in document.tables)
    named = {one.number.casefold(): str(one.target) for one in document.references if one.target}
    assert {x.casefold() for x in (*labels["tables"], *labels["figures"])} <= {
        x.casefold() for x in named.values()
    }


def test_a_table_under_a_sketch_is_that_of_the_caption_above(tmp_path: Path) -> None:
    paper = Paper("CODE 7")
    for number, between in (("1", ""), ("2", " ".join(TEXTS))):
        paper.heading(number, "Loads")
        paper.prose(TEXTS[0].format(table=f"Table {number}"))
        paper.put(f"Table {number}: Coefficients around a sphere", LEFT, paper.y, font=BOLD)
        for k in range(3):
            paper.page.draw_circle((LEFT + 120 + 60 * k, paper.y + 60), 20 + 5 * k)
        paper.put("Wind", LEFT + 60, paper.y + 62)
        paper.y += 130
        paper.prose(between) if between else None
        top, right = paper.y - LEAD, LEFT + 400
        for row in LOADS[1]:
            for at, text in enumerate(row):
                paper.put(text, LEFT + 5 + 130 * at, paper.y - 2)
            paper.page.draw_line((LEFT, paper.y - LEAD), (right, paper.y - LEAD))
            paper.y += LEAD
        for x in (LEFT, LEFT + 130, LEFT + 260, right):
            paper.page.draw_line((x, top), (x, paper.y - LEAD))
        paper.page.draw_line((LEFT, paper.y - LEAD), (right, paper.y - LEAD))
        paper.y += 30
    tables = {str(table.label): len(table.cells) for table in paper.read(tmp_path).tables}
    assert (tables["Table 1"], tables["Table 2"]) == (15, 0)


def _labels(paper: Paper, folder: Path) -> list[str]:
    return ["/".join(clause.label.parts) for clause in paper.read(folder).clauses if clause.kind != "front"]


def test_sections_that_begin_again_belong_to_their_chapter(tmp_path: Path) -> None:
    paper = Paper("CODE 9")
    paper.put("Contents", LEFT, paper.y, 14, BOLD)
    chapters = {
        "1": ("Overview", "Terms", "Plans"),
        "2": ("Overview", "Costs", "Cash"),
        "3": ("Aims", "Bids", "Work"),
    }
    for chapter, titles in chapters.items():
        paper.y += LEAD
        paper.put(f"Chapter {chapter}: Part of the work", LEFT, paper.y)
        for at, title in enumerate(titles, 1):
            paper.y += LEAD
            paper.put(f"Section {at}: {title} {'. ' * 60} {chapter}-{at + 1}", LEFT, paper.y)
    for chapter, titles in chapters.items():
        paper.turn()
        paper.put(f"Chapter {chapter}: Part of the work", LEFT, paper.y, 16, BOLD)
        paper.y += 40
        for at, title in enumerate(titles, 1):  # what the chapter holds, without pages
            paper.put(f"Section {at}: {title}", LEFT + 20, paper.y)
            paper.y += LEAD
        for at, title in enumerate(titles, 1):
            paper.turn()
            paper.put(f"Section {at}: {title}", LEFT, paper.y, 13, BOLD)
            paper.y += 30
            paper.prose(
                "The work shall be done as it is told here and the cost of it be kept for the owner. " * 4
            )
    found = [label for label in _labels(paper, tmp_path) if "Section" in label.rpartition("/")[2]]
    assert found == [f"Chapter {chapter}/Section {at}" for chapter in chapters for at in (1, 2, 3)]


def test_a_title_without_a_number_is_that_of_the_grid_under_it(tmp_path: Path) -> None:
    paper = Paper("CODE 7")
    paper.heading("1", "Roofs")
    paper.prose(TEXTS[0].format(table="the table below"))
    paper.put("Loads of roofs", LEFT + 165, paper.y + 6, font=BOLD)
    paper.y += 12
    heads, rows, widths = LOADS
    top = paper.y
    for row in (heads, *rows):
        for at, text in enumerate(row):
            paper.put(
                text, LEFT + 5 + sum(widths[:at]), paper.y + LEAD, font=BOLD if row is heads else "helv"
            )
        paper.rule(paper.y, sum(widths))
        paper.y += LEAD + 6
    paper.rule(paper.y, sum(widths))
    for at in range(4):
        x = LEFT + sum(widths[:at])
        paper.page.draw_line((x, top), (x, paper.y), width=0.5)
    document = paper.read(tmp_path)
    (table,) = document.tables
    assert table.title == "Loads of roofs"
    assert not any("Beam 3" in clause.passage.text for clause in document.clauses)
