"""Web pages, Markdown and text are read like PDFs; nothing that they ask for is fetched."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from appliance.core.settings import Settings
from appliance.ingest.html import printing
from appliance.library import Library
from appliance.library_building import BuildReport, build
from tests.conftest import CHROMIUM
from tests.crawl.regulation import ARTICLES, CHAPTER, DIVISION, TITLE, headed, long_section

needs_chromium = pytest.mark.skipif(not any(map(shutil.which, CHROMIUM)), reason="no Chromium here")
PAGE = """<!-- saved from url=(0029)https://law.example/title-5 -->
<!doctype html><html lang=en><title>Title 5. Roofs</title>
<meta http-equiv=refresh content="0;url=https://evil.example/"><style>.unseen { display: none }</style>
<nav>Other titles</nav><script>document.body.textContent = "a script ran"</script>
<h1 id=title5>Title 5 Roofs</h1>
<h2 id=s1>1 Scope</h2><p>This title applies to roofs with a slope of 30 degrees or less.</p>
<p class=unseen>Nobody sees this.</p><iframe src="file:///etc/passwd"></iframe><img src="../secret.png">
<h2 id=s2>2 Loads</h2><p>The snow load shall be at least 1.5 kN/m² as in Table 1.</p>
<table><caption>Table 1 - Snow loads</caption>
<tr><th rowspan=2>Zone</th><th colspan=2>Load (kN/m²)</th></tr><tr><th>flat</th><th>steep</th></tr>
<tr><td>A</td><td>1.5</td><td>1.2</td></tr><tr><td>B</td><td>2.0</td><td>1.6</td></tr></table>
"""
LEVELS = [TITLE, DIVISION, CHAPTER, f"Article 3 {ARTICLES[3][0]}", "Section 5303"]
MARKDOWN = """# Code of walls

## 1 Scope

This code applies to walls.

## 2 Thickness

A wall of brick shall be at least 215 mm thick.
"""
TEXT = (
    "CODE OF STAIRS\n\n1 Scope\n\nThis code is for stairs.\n\n2 Rise\n\nThe rise shall be at most 220 mm.\n"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BuildReport]:
    folder = tmp_path_factory.mktemp("web")
    (folder / "roofs.html").write_text(PAGE, encoding="utf-8")
    (folder / "walls.md").write_text(MARKDOWN, encoding="utf-8")
    (folder / "moorings.html").write_text(
        f"<title>Section 5303</title><h1>Section 5303</h1>{headed(LEVELS)}{long_section(20_000)}"
    )
    (folder / "stairs.txt").write_text(TEXT, encoding="utf-8")
    library = folder / "library" / "codes.db"
    return library, build([folder], library, Settings())


@needs_chromium
def test_each_kind_of_file_becomes_a_document(built: tuple[Path, BuildReport]) -> None:
    assert [document.id for document in built[1].documents] == ["moorings", "roofs", "stairs", "walls"]
    assert not built[1].broken
    library = Library.open(built[0])
    texts = {
        name: " ".join(f"{clause.title} {clause.passage.text}" for clause in library.document(name).clauses)
        for name in ("roofs", "stairs", "walls")
    }
    assert "slope of 30 degrees or less" in texts["roofs"]
    assert "at least 215 mm" in texts["walls"]
    assert "at most 220 mm" in texts["stairs"]
    for word in ("Nobody", "Other titles", "script", "root:"):
        assert word not in texts["roofs"]
    assert {str(clause.label) for clause in library.document("walls").clauses} >= {"1", "2"}
    library.close()


@needs_chromium
def test_a_long_page_of_many_levels_loses_no_line_and_each_level_stands_in_the_one_above(
    built: tuple[Path, BuildReport],
) -> None:
    """No line that is alike on each printed page is a running head; each level has another word, once."""
    library = Library.open(built[0])
    clauses = library.document("moorings").clauses
    above = [str(clause.label) for clause in library.clause("moorings", "Section 5303").path]
    library.close()
    assert [*above, "Section 5303"] == [" ".join(name.split()[:2]) for name in LEVELS]
    texts = [clause.passage.text for clause in clauses if clause.kind == "paragraph"]
    assert len(texts) == long_section(20_000).count("<p>")
    assert all(text.startswith("A bollard") and text.endswith("as before.") for text in texts)


@needs_chromium
def test_spans_of_a_table_are_those_of_the_page(built: tuple[Path, BuildReport]) -> None:
    library = Library.open(built[0])
    (table,) = library.document("roofs").tables
    cells = {cell.text: (cell.row, cell.column, cell.row_span, cell.column_span) for cell in table.cells}
    assert cells["Zone"] == (0, 0, 2, 1)
    assert cells["Load (kN/m²)"] == (0, 1, 1, 2)
    assert cells["1.6"] == (3, 2, 1, 1)
    library.close()


@needs_chromium
def test_a_citation_names_the_address_and_the_anchor(built: tuple[Path, BuildReport]) -> None:
    library = Library.open(built[0])
    assert library.store.address("roofs", "1") == "https://law.example/title-5#s1"
    assert library.store.address("roofs", "2") == "https://law.example/title-5#s2"
    assert library.store.address("walls", "1") == "walls.md#1-scope"
    assert library.store.address("walls", "2") == "walls.md#2-thickness"
    answer = library.ask("What is the snow load in zone B for a flat roof?")
    assert "https://law.example/title-5#s2" in {one.address for one in answer.citations}  # type: ignore[union-attr]
    assert all(image.large for image in (library.page("roofs", 1),))
    library.close()


@needs_chromium
def test_an_unchanged_page_is_not_printed_again(
    built: tuple[Path, BuildReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def printed(jobs: list[tuple[Path, Path]], _: float) -> tuple[()]:
        asked.extend(path for path, _ in jobs)
        return ()

    monkeypatch.setattr(printing, "printed", printed)
    folder = built[0].parents[1]
    (folder / "stairs.txt").write_text(TEXT.replace("220", "210"), encoding="utf-8")
    build([folder], built[0], Settings())
    assert [path.name for path in asked] == ["stairs.txt"]


def test_without_chromium_a_file_says_what_to_install_and_the_others_are_built(
    tmp_path: Path, demo_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "walls.md").write_text(MARKDOWN, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(printing.NoBrowser, match=r"\[web\]"), printing.chromium():
        pass
    missing = printing.Printed(
        tmp_path / "walls.md", tmp_path / "x.pdf", f"it needs Chromium: {printing.MEND}"
    )
    monkeypatch.setattr(printing, "printed", lambda *_: iter([missing]))
    report = build([tmp_path, demo_pdfs / "DC-1-1.pdf"], tmp_path / "codes.db", Settings())
    assert [document.id for document in report.documents] == ["DC-1-1"]
    assert [item.reason for item in report.broken] == [f"walls.md was not read: {missing.reason}."]


@needs_chromium
def test_a_page_that_takes_too_long_is_given_up_alone(tmp_path: Path) -> None:
    slow = "".join(f"div:has(div>div:nth-child({n}n+1) ~ div) div{{color:red}}" for n in range(300))
    heavy = f"<style>{slow}</style>{'<div>' * 400}x{'<div>y</div>' * 20_000}"
    (tmp_path / "a.html").write_text(heavy, encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    jobs = [(tmp_path / name, tmp_path / f"{name}.pdf") for name in ("a.html", "b.txt")]
    first, second = printing.printed(jobs, 15.0)
    assert "more than 15 seconds" in first.reason
    assert not second.reason
    assert second.pdf.exists()
