"""What narrows a search stays: in the address, in every link of the page, in what is asked on."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.web.fake_library import FakeLibrary

ADDRESS = "q=snow&d=SNOW&kind=table&kind=clause&tag=roof&status=normative&after=load&reading=SNOW:5.2"


def chips(text: str) -> dict[str, str]:
    """Return the words of each chip with the address that its link leads to."""
    found = re.findall(r'<a class="chip" href="([^"]*)"[^>]*><span[^>]*>([^<]*)</span>', text)
    return {words: unescape(link) for link, words in found}


def test_every_filter_is_a_chip_that_leads_to_the_page_without_it(client: FlaskClient) -> None:
    found = chips(client.get(f"/ask?{ADDRESS}").text)
    assert list(found) == ["TC 1-3:2024", "Tables", "Clauses", "roof", "Normative", "Reading SNOW 5.2"]
    assert "kind=clause" in found["Tables"]
    assert "kind=table" not in found["Tables"]
    assert "tag=" not in found["roof"]
    assert "reading=" not in found["Reading SNOW 5.2"]
    for link in found.values():
        assert "q=snow" in link
        assert client.get(f"/{link}").status_code == 200


@pytest.mark.parametrize("path", ["ask", "search"])
def test_a_tap_on_a_source_without_script_keeps_all_filters(client: FlaskClient, path: str) -> None:
    text = client.get(f"/{path}?{ADDRESS}").text
    links = [unescape(link) for link in re.findall(r'data-(?:stop|turn)="[^"]*" href="([^"]*)"', text)]
    assert links
    for link in links:
        for part in (
            "d=SNOW",
            "kind=table",
            "tag=roof",
            "status=normative",
            "after=load",
            "reading=SNOW:5.2",
        ):
            assert part in link.replace("%3A", ":"), f"{part} in {link}"


def test_what_is_asked_on_keeps_the_filters_and_names_the_question_before_once(client: FlaskClient) -> None:
    text = client.get(f"/ask?{ADDRESS}").text
    form = text[text.index('class="go-on"') : text.index("</form>", text.index('class="go-on"'))]
    for part in ('name="d" value="SNOW"', 'name="tag" value="roof"', 'name="kind" value="table"'):
        assert part in form
    assert form.count('name="after"') == 1


def test_kinds_narrow_an_answer_too(client: FlaskClient, library: FakeLibrary) -> None:
    library.given.clear()
    client.get("/ask?q=snow&kind=table")
    assert library.given[0][0].kinds == ("table",)


@pytest.mark.parametrize("path", ["/d/SNOW/c/5.2", "/d/SNOW/t/Table 5.2", "/d/SNOW/f/Figure 5.1"])
def test_what_is_open_is_a_chip_that_can_be_unticked(client: FlaskClient, path: str) -> None:
    text = client.get(path).text
    key = path.rpartition("/")[2]
    assert f'type="checkbox" name="reading" value="SNOW:{key}" checked' in text


def test_a_choice_of_one_is_not_offered(client: FlaskClient) -> None:
    legends = re.findall(r"<legend>([^<]*)</legend>", client.get("/").text)
    assert "Documents" in legends
    assert "Family" not in legends


@pytest.mark.parametrize(("limit", "listed"), [("", 20), ("50", 50), ("100", 100), ("30", 30)])
def test_a_long_list_grows_by_steps(
    client: FlaskClient, library: FakeLibrary, limit: str, listed: int
) -> None:
    assert client.get(f"/search?q=snow&limit={limit}").status_code == 200
    assert library.limits[-1] == listed


@pytest.mark.parametrize(
    ("path", "heading", "links"),
    [
        ("/search?q=snow", "", []),  # all that holds the word is listed
        ("/search?q=snow+often", "best of", ["from=0"]),
        ("/search?q=snow+often&from=0", "Places 1 to 50 of", ["from=50"]),
        ("/search?q=snow+often&from=50&kind=clause", "Places 51 to ", ["from=0", "from=100"]),
        ("/search?q=snow+often&from=99999", "No place found", []),
    ],
)
def test_a_list_says_how_many_there_are_and_goes_on_through_all(
    client: FlaskClient, path: str, heading: str, links: list[str]
) -> None:
    text = client.get(path).text
    assert heading in text
    ways = re.findall(r'class="button plain" rel="nofollow" href="([^"]*)"', text)
    assert [re.search(r"from=\d+", way)[0] for way in ways if "from=" in way] == links  # type: ignore[index]  # has it
    assert all("kind=clause" in way for way in ways) or "kind=clause" not in path


def test_another_place_of_a_list_is_one_of_the_same_part(client: FlaskClient) -> None:
    text = client.get("/search?q=snow+often&from=50&limit=50").text
    shown = re.findall(r'href="([^"]*s=h2[^"]*)"', text)
    assert shown
    assert all("from=50" in way and "limit=50" in way for way in shown)
