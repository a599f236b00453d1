"""The theme and the language of a device: by the system, by a form without script, by two cookies."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from appliance.web.language import LANGUAGES
from appliance.web.pages import THEMES

HERE = {"Origin": "http://localhost"}


def media(page: str, sheet: str) -> str:
    """Return when the sheet of a theme applies."""
    line = next(line for line in page.splitlines() if f'data-sheet-of="{sheet}"' in line)
    return line.partition('media="')[2].partition('"')[0]


@pytest.mark.parametrize(
    ("theme", "dark", "sunlight"),
    [
        ("light", "not all", "not all"),
        ("dark", "screen", "not all"),
        ("sunlight", "not all", "screen"),
        ("nonsense", "screen and (prefers-color-scheme: dark)", "screen and (prefers-contrast: more)"),
        ("", "screen and (prefers-color-scheme: dark)", "screen and (prefers-contrast: more)"),
    ],
)
def test_a_theme_is_a_sheet_that_applies(client: FlaskClient, theme: str, dark: str, sunlight: str) -> None:
    client.set_cookie("codes_theme", theme)
    page = client.get("/").text
    assert media(page, "dark") == dark
    assert media(page, "sunlight").startswith(sunlight)


@pytest.mark.parametrize(("field", "values"), [("theme", THEMES), ("language", LANGUAGES)])
def test_a_choice_is_kept_and_leads_back(client: FlaskClient, field: str, values: dict[str, str]) -> None:
    for value in values:
        reply = client.post("/choose", data={field: value, "back": "/d/SNOW/c/5.2?s=c1"}, headers=HERE)
        assert (reply.status_code, reply.headers["Location"]) == (303, "d/SNOW/c/5.2?s=c1")
        page = client.get("/d/SNOW").text
        assert f'name="{field}" value="{value}"' in page
        pressed = page.partition(f'name="{field}" value="{value}"')[2].partition(">")[0]
        assert 'aria-pressed="true"' in pressed


@pytest.mark.parametrize(
    "back", ["//evil.example/", "https://evil.example/", "javascript:alert(1)", "/\\evil.example", ""]
)
def test_a_choice_leads_nowhere_else(client: FlaskClient, back: str) -> None:
    reply = client.post("/choose", data={"theme": "dark", "back": back}, headers=HERE)
    assert reply.headers["Location"] == "./"


def test_a_choice_of_another_page_is_refused(client: FlaskClient) -> None:
    for origin in ({}, {"Origin": "http://evil.example"}):
        assert client.post("/choose", data={"theme": "dark"}, headers=origin).status_code == 403


def test_what_is_not_offered_is_not_kept(client: FlaskClient) -> None:
    reply = client.post("/choose", data={"theme": "neon", "language": "xx"}, headers=HERE)
    assert "Set-Cookie" not in reply.headers


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "", "de"),
        ("fr,de;q=0.8,en;q=0.9", "", "en"),
        ("fr", "", "en"),
        ("", "", "en"),
        ("en", "de", "de"),
        ("de", "en", "en"),
        ("de", "xx", "de"),
    ],
)
def test_the_language_is_the_choice_else_the_browsers_else_english(
    client: FlaskClient, accepted: str, cookie: str, language: str
) -> None:
    if cookie:
        client.set_cookie("codes_language", cookie)
    response = client.get("/ask?q=snow", headers={"Accept-Language": accepted})
    assert f'<html lang="{language}"' in response.text
    assert response.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in response.headers["Vary"].split(",")}
    assert ("Was durchsucht wurde" in response.text) == (language == "de")
    assert ("What was searched" in response.text) == (language == "en")


def test_the_words_of_a_code_keep_their_language(client: FlaskClient) -> None:
    text = client.get("/ask?q=snow", headers={"Accept-Language": "de"}).text
    assert "<mark>0.8</mark>" in text
    assert 'class="said" dir="auto" lang="en"' in text


def test_the_script_is_answered_without_a_page(client: FlaskClient) -> None:
    reply = client.post("/choose", data={"theme": "dark", "quiet": "yes", "back": "/"}, headers=HERE)
    assert (reply.status_code, reply.data) == (204, b"")
    assert 'data-theme="dark"' in client.get("/").text
