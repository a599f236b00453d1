"""What a document says it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.structure.front_matter import Front, read_front
from tests.ingest.made import BOLD, Print, column, scheme, source

CITED = "This Standard is to be read with AS/NZS 1170.0:2002 and"
BODY = "Text of the code that fills its pages from the first line to the last one"


def _front(folder: Path, family: str, cover: list[Print], head: str = "", title: str = "") -> Front:
    pages = [
        [*column(*[f"{n} {BODY}"] * 9), Print(70, 40, head, 8)] if head else column(BODY) for n in range(5)
    ]
    read = source(folder, cover, *pages, title=title)
    return read_front(read, arrange(read), scheme(family))


@pytest.mark.parametrize(
    ("head", "title", "says"),
    [
        (
            "BS EN 1991-1-3:2003",
            "EN 1991-1-3: Eurocode 1: Snow loads",
            ("BS EN 1991-1-3:2003", "2003", ("EN 1991-1-3", "EN 1991-1-3:2003")),
        ),
        ("EN 1993-1-8 : 2005 (E)", "", ("EN 1993-1-8:2005", "2005", ())),
        ("NA to DC 1-3:2024", "", ("NA to DC 1-3:2024", "2024", ())),
        ("NA to BS EN 1991-1-3:2003", "BS EN 1991-1-3:2003", ("NA to BS EN 1991-1-3:2003", "2003", ())),
        (
            "NA to BS EN 1992-1-1:2004+A1:2014",
            "",
            ("NA to BS EN 1992-1-1:2004+A1:2014", "2004+A1:2014", ()),
        ),
        ("NA to BS EN 1992-1-1+A1", "", ("NA to BS EN 1992-1-1+A1", "", ())),
        (
            "NA+A1:2014 to BS EN 1993-1-1:2005+A1:2014",
            "",
            ("NA+A1:2014 to BS EN 1993-1-1:2005+A1:2014", "2014", ()),
        ),
        (
            "NA to I.S. EN 1992-1-1:2005+AC:2010",
            "",
            ("NA to I.S. EN 1992-1-1:2005+AC:2010", "2005+AC:2010", ()),
        ),
        (
            "BS EN 1992-1-1:2004 + A1:2014",
            "",
            ("BS EN 1992-1-1:2004+A1:2014", "2004+A1:2014", ("EN 1992-1-1:2004+A1:2014",)),
        ),
        ("BS EN 1992-1-1:2004+AC", "", ("BS EN 1992-1-1:2004+AC", "2004+AC", ("EN 1992-1-1:2004+AC",))),
        ("", "", ("", "", ())),
    ],
)
def test_the_running_head_names_the_code(
    tmp_path: Path, head: str, title: str, says: tuple[str, str, tuple[str, ...]]
) -> None:
    cover = [Print(70, 200, "Snow loads", 24, BOLD), Print(70, 240, "See also EN 1990:2002 and EN 1991.")]
    front = _front(tmp_path, "eurocode", cover if head else cover[:1], head, title)
    assert (front.designation, front.edition, front.aliases) == says


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Approved Document J: Combustion appliances", "Combustion appliances"),
        ("ADJ_ONLINEx.pdf", "Heat producing appliances and fuel"),
        ("Microsoft Word - draft 3 final", "Heat producing appliances and fuel"),
        ("", "Heat producing appliances and fuel"),
    ],
)
def test_the_title_is_the_pdfs_own_or_the_largest_type(tmp_path: Path, title: str, wanted: str) -> None:
    cover = [
        Print(70, 150, "The Building Regulations 2010", 18),
        Print(70, 200, "Heat producing appliances", 28, BOLD),
        Print(70, 232, "and fuel", 28, BOLD),
        Print(450, 500, "J", 120, BOLD),
        Print(70, 700, "2013 edition incorporating 2022 amendments", 18),
    ]
    front = _front(tmp_path, "approved_document", cover, "Approved Document J", title)
    assert (front.title, front.designation) == (wanted, "Approved Document J")
    assert front.edition == "2013 edition incorporating 2022 amendments"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("WITHDRAWN", "withdrawn"),
        ("Status Withdrawn - superseded by DC 1-3:2024", "withdrawn"),
        ("This standard has been superseded by a new one.", "superseded"),
        ("Status Current edition", "in force"),
        ("Supersedes DC 1-3:2011, which is withdrawn", "unknown"),
        ("Conflicting national standards shall be withdrawn by March 2010.", "unknown"),
    ],
)
def test_the_status_is_the_documents_own(tmp_path: Path, line: str, status: str) -> None:
    assert _front(tmp_path, "eurocode", [Print(70, 200, line)]).status == status


CITED = "2.1 Loads shall be taken from EN 1993-1-1:2005, 6.3."


@pytest.mark.parametrize("family", ["eurocode", "decimal"])
@pytest.mark.parametrize(
    "rows",
    [
        [CITED],
        ["The loads of the roof shall be taken from the table of", "EN 1993-1-1:2005, 6.3."],
        ["2.1 Loads of the roof shall always be taken from", "EN 1993-1-1:2005 and from the map"],
        ["NOTE The loads are those of EN 1993-1-1:2005."],
    ],
)
def test_a_code_cited_in_a_sentence_is_not_the_document(tmp_path: Path, family: str, rows: list[str]) -> None:
    front = _front(tmp_path, family, column("# Guide to roofs", *rows))
    assert (front.designation, front.edition, front.aliases) == ("", "", ())


@pytest.mark.parametrize(
    ("own", "head", "says"),
    [
        ("CP 511:2029", "", "CP 511:2029"),
        ("Jetties", "TSR 77 - Depots", "TSR 77"),
        ("PART 3", "SECTION 12", ""),
        ("LONDON 2013", "", ""),
        ("Rules for jetties CP 511 of ports", "", ""),
    ],
)
def test_a_publisher_that_no_family_knows(tmp_path: Path, own: str, head: str, says: str) -> None:
    cited = "1.1.2 The code of practice shall be read with BS 6349-1:2000."
    cover = [Print(70, 150, own, 18, BOLD), Print(70, 400, cited, 12)]
    assert _front(tmp_path, "decimal", cover, head).designation == says


@pytest.mark.parametrize("size", [10, 16])
def test_a_code_named_as_a_title_is_the_document(tmp_path: Path, size: float) -> None:
    cover = [Print(70, 150, "EN 1993-1-1:2005", size), *column("", "", "", "", "", "", CITED)]
    front = _front(tmp_path, "eurocode", cover)
    assert (front.designation, front.edition) == ("EN 1993-1-1:2005", "2005")


def test_nothing_printed_is_nothing_said(tmp_path: Path) -> None:
    read = source(tmp_path, [])
    assert read_front(read, arrange(read), scheme("decimal")) == Front("", "", "", "unknown", ())


@pytest.mark.parametrize(
    ("lines", "edition"),
    [
        (["Incorporating corrigendum March 2009"], "2003, incorporating corrigendum March 2009"),
        (
            ["incorporating corrigenda December 2004 and March 2009"],
            "2003, incorporating corrigenda December 2004 and March 2009",
        ),
        (["It replaces the edition incorporating Amendment No 1."], "2003"),
        (["Incorporating the comments of users"], "2003"),
    ],
)
def test_an_edition_is_named_with_what_it_takes_in(tmp_path: Path, lines: list[str], edition: str) -> None:
    cover = [
        Print(70, 200, "Snow loads", 24, BOLD),
        *(Print(70, 300 + 60 * n, text) for n, text in enumerate(lines)),
    ]
    assert _front(tmp_path, "eurocode", cover, "BS EN 1991-1-3:2003").edition == edition


def test_an_edition_printed_word_by_word_is_read_whole(tmp_path: Path) -> None:
    words = ["2010", "edition", "incorporating", "2010,", "2013", "and", "2022", "amendments"]
    cover = [
        Print(70, 100, "Heat producing appliances and fuel", 24, BOLD),
        *(Print(70, 200 + 40 * at, word) for at, word in enumerate(words)),
    ]
    front = _front(tmp_path, "approved_document", cover, "Approved Document J, 2010 edition")
    assert front.edition == " ".join(words)


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("IS 9999 : 2019", ("IS 9999:2019", "2019")),
        ("IS 875 (Part 3) : 2015", ("IS 875 (Part 3):2015", "2015")),
        ("AS 1657-2018", ("AS 1657-2018", "")),
    ],
)
def test_a_year_apart_from_its_number_is_the_edition(
    tmp_path: Path, head: str, says: tuple[str, str]
) -> None:
    front = _front(tmp_path, "decimal", [Print(70, 200, "Stairs", 24, BOLD)], head, "")
    assert (front.designation, front.edition) == says


@pytest.mark.parametrize(
    ("own", "cited", "says", "doubtful"),
    [
        # a short name set as the title, a longer one in the text of the same page
        (Print(70, 100, "AS 9917.3:2032", 16), CITED, "AS 9917.3:2032", False),
        (Print(70, 100, "AS 9917.3:2032 1"), CITED, "AS 9917.3:2032", False),
        # two that are set alike: said, not decided in silence
        (Print(70, 100, "AS 9917.3:2032"), "AS/NZS 1170.0:2002", "AS/NZS 1170.0:2002", True),
    ],
)  # fmt: skip
def test_a_cited_name_is_not_the_documents_own(
    tmp_path: Path, own: Print, cited: str, says: str, *, doubtful: bool
) -> None:
    front = _front(tmp_path, "decimal", [own, Print(70, 200, cited), Print(70, 230, "Loads of walkways", 14)])
    assert (front.designation, bool(front.doubt)) == (says, doubtful)
    assert "AS 9917.3:2032" in (front.doubt or "AS 9917.3:2032")


def test_the_line_of_the_name_is_no_title(tmp_path: Path) -> None:
    cover = [Print(70, 100, "EUROPEAN STANDARD prEN 19931-4", 16), Print(70, 160, "Design of ropeways", 14)]
    text = [column(*(f"{at}.{row} The design of ropeways" for row in range(9 + at))) for at in range(1, 7)]
    read = source(tmp_path, cover, *text)
    front = read_front(read, arrange(read), scheme("eurocode"))
    assert (front.title, front.designation) == ("Design of ropeways", "prEN 19931-4")


@pytest.mark.parametrize(
    ("cover", "head", "wanted"),
    [
        ([("Thanks for ordering", 16), ("Licence", 14)], "Ham: Water By-law", "Ham: Water By-law"),
        ([("lajpukvksa osQ HkwdEijks", 24), ("Design of water tanks", 18)], "", "Design of water tanks"),
        ([("Water tanks", 24), ("Part 2", 24)], "Water tanks and pipes", "Water tanks and pipes"),
    ],
)  # fmt: skip
def test_the_title_is_of_words_that_the_text_goes_on_to_use(
    tmp_path: Path, cover: list[tuple[str, float]], head: str, wanted: str
) -> None:
    first = [Print(70, 150 + 60 * at, text, size) for at, (text, size) in enumerate(cover)]
    text = [
        [
            *([Print(70, 20, head, 8)] if head else []),
            *column(
                *(f"{at}.{row} Water of tanks, and design of pipes by this by-law." for row in range(9 + at))
            ),
        ]
        for at in range(1, 7)
    ]
    read = source(tmp_path, first, *text)
    assert read_front(read, arrange(read), scheme("decimal")).title == wanted


def test_a_title_has_no_soft_hyphens(tmp_path: Path) -> None:
    read = replace(source(tmp_path, [Print(70, 100, "EN 1999", 9)]), title="Design of plat\u00ad forms")
    assert read_front(read, arrange(read), scheme("eurocode")).title == "Design of platforms"
