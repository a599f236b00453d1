"""Script in what the codes say and in what people type: shown as text, run nowhere, in a real Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints
from urllib.parse import quote

import pytest
from playwright.sync_api import Dialog, Page

from appliance.core.document import Document
from appliance.core.settings import ServeSettings, Settings
from appliance.web.serve import make_server
from tests.web.conftest import Visitor
from tests.web.fake_library import FakeLibrary
from tests.web.serving import serving

pytestmark = pytest.mark.browser

SOAK = bool(os.environ.get("SOAK"))  # each order on each page, all payloads in each address
ROUNDS = 8 if SOAK else 2
RUN = "window.stolen=1"
VECTORS = (
    f"<script>{RUN}</script>",
    f"<ScRiPt\n>{RUN}</sCrIpT >",
    f"<img src=x onerror={RUN}>",
    f"<img/src=x/onerror={RUN}//",
    f"<svg onload={RUN}>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<body onload={RUN}>",
    f"<input autofocus onfocus={RUN}>",
    f"<details open ontoggle={RUN}><summary>x</summary></details>",
    f"<video><source onerror={RUN}></video>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f'<iframe src="javascript:parent.{RUN}"></iframe>',
    f'<a href="javascript:{RUN}" autofocus onfocus={RUN}>x</a>',
    f"<math><mtext><img src=x onerror={RUN}></mtext></math>",
    f'<object data="data:text/html,<script>opener.{RUN}</script>"></object>',
    f"<style>@keyframes x{{}}</style><b style=animation-name:x onanimationstart={RUN}>x</b>",
    f"<template><script>{RUN}</script></template><script>{RUN}</script>",
    f"{{{{constructor.constructor('{RUN}')()}}}}",
    f"${{{RUN}}}",
    f"&lt;img src=x onerror={RUN}&gt;",
    f"\\u003cscript\\u003e{RUN}\\u003c/script\\u003e",
    f"<<script>{RUN}//<</script>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'>",
)
BEFORE = ("", '">', "'>", "</script></title></textarea>", "]]>--></style>")
PAYLOADS = tuple(before + vector for vector in VECTORS for before in BEFORE)
PAGES = (
    "", "ask?q=snow", "ask?q=mars", "ask?q=break", "search?q=snow", "d/SNOW", "d/SNOW/c/5.2", "d/SNOW/c/1.2",
    "d/SNOW/c/1",
    "d/SNOW/t/Table 5.2", "d/SNOW/f/Figure 5.1", "d/SNOW/e/(5.1)", "d/SNOW/p/1?at=5.2",
    "health", "d/BASIS/c/1.5",
)  # fmt: skip
TYPED = (
    "ask?q={}", "search?q=snow&kind={}", "d/SNOW/p/1?at={}", "ask?q=snow&d={}", "ask?q=snow&s={}",
    "ask?q=snow&after={}", "d/{}", "d/SNOW/c/{}", "ask?q=snow&mode={}",
)  # fmt: skip
KEPT = frozenset({"id", "sha256", "document"})  # names, by which the places of a page are found


def test_there_are_120_of_them() -> None:
    assert len(set(PAYLOADS)) == 120


def poisoned(value: Any, text: str) -> Any:
    """Return a value with a text after each of its words; labels, by which it is found, stay."""
    if isinstance(value, tuple):
        return tuple(poisoned(item, text) for item in value)
    if not is_dataclass(value) or isinstance(value, type) or type(value).__name__ == "Label":
        return value
    hints = get_type_hints(type(value))
    changed = {}
    for field in fields(value):
        present = getattr(value, field.name)
        if hints[field.name] is str and field.name not in KEPT:
            changed[field.name] = present + text
        elif isinstance(present, tuple) or is_dataclass(present):
            changed[field.name] = poisoned(present, text)
    return replace(value, **changed)


class Poisoned(FakeLibrary):
    """A library whose every word is followed by script."""

    def poison(self, text: str) -> None:
        self.plain: dict[str, Document] = getattr(self, "plain", None) or dict(self.loaded)
        self.loaded = {name: poisoned(document, text) for name, document in self.plain.items()}


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Poisoned:
    return Poisoned(tmp_path_factory.mktemp("poisoned"))


@pytest.fixture(scope="module")
def evil_port(evil: Poisoned) -> Iterator[int]:
    server = make_server(evil, Settings(serve=ServeSettings(port=0)))
    with serving(server) as port:
        yield port


def dismissed(dialog: Dialog) -> None:
    dialog.dismiss()


@pytest.fixture
def page(visitor: Visitor, evil_port: int) -> Iterator[Page]:
    visit = visitor.visit("d/SNOW/p/1", port=evil_port)
    visit.complaints.clear()
    visit.page.on("dialog", dismissed)
    yield visit.page
    failed = "Failed to load resource"  # an answer with a status of failure, as it should be
    assert [words for words in visit.complaints if failed not in words] == [], (
        "nothing for the policy to stop"
    )
    visit.page.remove_listener("dialog", dismissed)


def nothing_ran(page: Page, address: str) -> None:
    assert page.evaluate("window.stolen") is None, address
    grown = (
        "main script:not([type]), main iframe, main object, main img[src=x], main [onerror], main [onload]"
    )
    assert page.locator(grown).count() == 0, address


@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_word_of_a_code_is_run(page: Page, evil: Poisoned, number: int) -> None:
    first = number * len(PAYLOADS) // ROUNDS
    evil.poison(" ".join((*PAYLOADS[first:], *PAYLOADS[:first])))
    for path in PAGES if SOAK else PAGES[number::ROUNDS]:
        page.goto(path)
        nothing_ran(page, path)
        if path == "d/SNOW/c/1.2":
            assert RUN in page.locator("main").inner_text(), "it is shown as it stands in the code"


def groups(most: int = 1_500) -> list[str]:
    """Return the payloads side by side, in as many texts as a question has room for."""
    found = [""]
    for payload in PAYLOADS:
        if len(found[-1]) + len(payload) > most:
            found.append("")
        found[-1] += payload
    return found


@pytest.mark.parametrize("address", TYPED)
def test_nothing_that_an_address_holds_is_run(page: Page, evil: Poisoned, address: str) -> None:
    evil.poison("")
    texts = groups()
    for text in texts if SOAK else texts[TYPED.index(address) % 2 :: 2]:
        page.goto(address.replace("{}", quote(text, safe="")))
        nothing_ran(page, address)


def test_nothing_that_a_form_sends_is_run(page: Page, evil: Poisoned, tmp_path: Path) -> None:
    evil.poison("")
    everything = "\n".join(PAYLOADS)
    page.goto("review")
    page.locator("textarea[name=text]").fill(everything)
    with page.expect_navigation():
        page.locator("main form button").first.click()
    nothing_ran(page, "review")
    upload = tmp_path / "<img src=x onerror=window.stolen=1>.txt"
    upload.write_text(everything, encoding="utf-8")
    page.goto("review")
    page.locator("input[type=file]").set_input_files(upload)
    with page.expect_navigation():
        page.locator("main form button").first.click()
    nothing_ran(page, "review, a file")
