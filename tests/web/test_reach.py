"""What a reader on a phone has in reach: filters, feedback, how an edition stands, the name of a page."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup

from appliance.core.document import Label
from appliance.web.answers.cited_places import Stop
from appliance.web.answers.view import Source
from appliance.web.reading.marks import Rect, View
from tests.web.conftest import Visitor


def test_right_and_wrong_stand_behind_the_answer_and_before_what_else_was_found(client: FlaskClient) -> None:
    text = client.get("/ask?q=snow").text
    behind = text.index('name="verdict" value="wrong"')
    assert text.index('id="outcome-heading"') < behind
    assert all(behind < text.index(f'id="{name}-heading"') for name in ("must", "searched"))


def test_the_viewer_says_how_the_edition_stands_and_the_page_was_read(client: FlaskClient) -> None:
    text = client.get("/ask?q=snow").text
    viewer = text[text.index("data-where") : text.index("data-zoom")]
    assert "badge" in viewer[viewer.index("data-standing") : viewer.index("data-trust-badge")]


def test_a_page_without_a_printed_number_is_counted_in_the_file(client: FlaskClient) -> None:
    macros = client.application.jinja_env.get_template("macros.html").module
    words = macros.page_words  # type: ignore[attr-defined]  # a macro of the template
    with client.application.test_request_context("/"):
        assert [" ".join(str(words(59, printed)).split()) for printed in ("", "59", "49")] == [
            "page 59 of the file",
            "page 59",
            'page 59 <span class="printed">(printed 49)</span>',
        ]


def test_every_filter_that_is_set_is_seen_whole_on_a_phone(visitor: Visitor) -> None:
    asked = "/ask?q=snow&d=SNOW&kind=clause&kind=table&reading=SNOW:5.2"
    page = visitor.visit(asked, width=360, height=740).page
    boxes = [chip.bounding_box() for chip in page.locator(".top a.chip .icon").all()]
    assert len(boxes) == 4
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)


@pytest.mark.parametrize(
    ("printed", "said"),
    [("7", "page 3 (printed 7)"), ("3", "page 3"), ("", "page 3 of the file")],
)
def test_a_source_names_the_page_that_is_printed_or_that_none_is(
    client: FlaskClient, printed: str, said: str
) -> None:
    macros = client.application.jinja_env.get_template("macros.html").module
    words = macros.pages_words  # type: ignore[attr-defined]  # a macro of the template
    view = View("D", 3, printed, "digital", 1, 1, "", "", (), (), Rect(0, 0, 1, 1))
    source = Source("1", Stop("c1", "D", Label(("5",)), "clause", "", (view,)), (), (3,))
    with client.application.test_request_context("/"):
        assert Markup(words(source)).striptags() == said
