"""The card of real answers: what is listed stands by items, what is a formula as its page prints it."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from appliance.core.evidence import Grounded
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.web import served
from appliance.web.answers.cited_places import of_citations
from appliance.web.answers.view import ProvedCard, card_of
from appliance.web.app import create_app


def carded(demo: Library, question: str) -> ProvedCard:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    return card_of(demo, answer, of_citations(demo, answer))


def test_steps_are_said_one_by_one_under_their_printed_marks(demo: Library) -> None:
    first = carded(demo, "how do I work out the snow load on a roof step by step").proofs[0]
    assert [mark for mark, _ in first.steps if mark] == list("abcdefgh")


def test_a_formula_is_its_picture_and_its_signs_are_not_repeated_as_text(demo: Library) -> None:
    first = carded(demo, "formula for combination of actions for persistent situations").proofs[0]
    assert {str(item.formula.label) for item in first.formulas if item.formula} >= {"(6.5a)"}
    assert all(item.view for item in first.formulas)
    assert "γ" not in first.statement.text


def test_beside_a_value_no_other_row_of_its_table_is_said_or_boxed(demo: Library) -> None:
    shown = carded(demo, "Port Averil: what is the altitude?")
    assert shown.headline
    assert shown.headline.value == "15"
    assert not any(item.statement.text.startswith("Table NA.4") for item in shown.also)
    (first,) = shown.proofs
    assert first.view
    assert len(first.view.strong) == 1  # the cell of the value
    assert len(first.view.faint) == 2  # the row, and the heads of its columns


def test_of_what_else_bears_four_lines_are_in_sight_and_the_rest_unfolds(demo: Library) -> None:
    question = "how do I work out the snow load on a roof step by step"
    shown = carded(demo, question)
    assert (len(shown.also), len(shown.more) >= 4) == (4, True)
    page = create_app(demo, settings=Settings()).test_client().get("/ask", query_string={"q": question}).text
    assert f"<summary>{len(shown.more)} more</summary>" in page
    for item in shown.more:
        assert item.stop.id in page


def test_a_symbol_in_a_cell_is_no_value_to_show_large(demo: Library) -> None:
    assert carded(demo, "how wide must a door be?").headline is None


def test_a_note_that_two_rows_share_stands_once_beside_them(demo: Library) -> None:
    first = carded(demo, "imposed load on a balcony").proofs[0]
    assert first.statement.beside.count("4.0 kN/m² for balconies") == 1


def test_a_page_without_an_image_is_told_in_its_place(demo_library: Path, tmp_path: Path) -> None:
    with closing(Library.open(Path(shutil.copy(demo_library, tmp_path / "codes.db")))) as library:
        client = create_app(library, settings=Settings()).test_client()
        page = client.get(
            "/ask", query_string={"q": "Port Averil: what is the altitude?"}, buffered=True
        ).text
    card = page.partition('id="outcome-heading"')[2].partition("</section>")[0]
    assert "No image of this page" in card
    assert "<image" not in card


def test_a_box_that_lacks_page_images_says_so(demo_library: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(demo_library, tmp_path / "codes.db"))
    with closing(Library.open(path)) as library:
        app = create_app(library, settings=Settings())
        served.remember(app, path)
        told = {one["name"]: one for one in app.test_client().get("/api/v1/health").get_json()["checks"]}
    assert told["page images"]["state"] == "wrong"
