"""Web pages, Markdown and text are read like PDFs; nothing that they ask for is fetched."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from appliance.core.settings import Settings
from appliance.ingest.html import printing
from appliance.library import Library
from appliance.library_building import BuildReport, build, find_sources
from appliance.web.app import create_app
from tests.crawl.regulation import ARTICLES, CHAPTER, DIVISION, TITLE, headed, long_section
from tests.ingest.made import MUPDF

needs_chromium = pytest.mark.skipif(
    not any(map(shutil.which, printing.INSTALLED_AS)), reason="no Chromium here"
)
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


SITE = "https://law.example/t24/"
LEVELS_ABOVE = (
    "Title 24. Building Standards",
    "Division 1. Access",
    "Chapter 1. General",
    "Article 2. Works",
)
NAMES = (
    ("Access", "Envelope"),
    ("General rules", "Special rules"),
    ("Public works of any kind", "Other works"),
)
SECTIONS = {
    (1, 1, 1): ("110.html", "Drains"),
    (1, 1, 2): ("130.html", "Stairs"),
    (2, 2, 2): ("140.html#b", "Glass"),
}
ABSENT = "120.html", "Tests of all drains"


def tree() -> tuple[str, list[str]]:
    """Return the page with the nested lists of the site, and what stands in what on it."""
    page, standing = "<h1>Title 24. Building Standards</h1><ul>", ["Title 24<"]
    for division, access in enumerate(NAMES[0], 1):
        page += f"<li>Division {division}. {access}<ul>"
        standing.append(f"Division {division}<Title 24")
        for chapter, rules in enumerate(NAMES[1], 1):
            page += f"<li>Chapter {chapter}. {rules}<ul>"
            standing.append(f"Chapter {chapter}<Division {division}")
            for article, works in enumerate(NAMES[2], 1):
                page += f"<li>Article {article}. {works}<ul>"
                for to, name in (SECTIONS.get((division, chapter, article), ABSENT), ABSENT):
                    page += f"<li><a href={to}>§ {to[:3]}. {name}</a>"
                page += "</ul>"
                standing.append(f"Article {article}<Chapter {chapter}")
            page += "</ul>"
        page += "</ul>"
    return page, standing


GUARDS = """<!doctype html><title>Guards</title><nav><a href="#s1">Section 1</a></nav>
<h1>Rules for guards</h1><h2 id=s1>Section 1 Scope</h2><p>1.1 These rules apply to all balconies.</p>
<h2 id=s2>Section 2 Guards</h2>
<p id=p21>2.1 A guard shall be at least 1100 mm high. See <a href="#s3">Section 3</a>.</p>
<table id=t21><caption>Table 2.1 Heights</caption><tr><th>Use<th>Height (mm)<tr><td>Dwelling<td>900</table>
<h2><a name=s3></a>Section 3 Drainage</h2><p>3.1 A balcony shall drain.</p>"""
STANDING = {
    "tree": ", ".join(tree()[1]),
    "s130": """Title 24<, Division 1<Title 24, Chapter 1<Division 1, Article 2<Chapter 1, § 130<Article 2,
        § 130(a)<§ 130, § 130(b)<§ 130""",
    "lone": "Section 2<, 2.1<Section 2",
    "s1234": """Title 24<, Division 1<Title 24, Chapter 1<Division 1, Article 2<Chapter 1, § 1234.5<Article 2,
        § 1234.5(a)<§ 1234.5""",
    "lists": """§ 102<, § 102(a)<§ 102, § 102(b)<§ 102, § 102(b)(i)<§ 102(b), § 102(b)(ii)<§ 102(b), § 103<,
        § 103(A)<§ 103""",
    "water": "Article 4<, § 64431<Article 4, § 64431(a)<§ 64431, § 64432<Article 4, § 64432(a)<§ 64432",
    "levels": "Title 24<, Part 3<Title 24",
    "guards": """Rules for guards<, Section 1<, 1.1<Section 1, Section 2<, 2.1<Section 2, Section 3<,
        3.1<Section 3""",
}
WATER = """<h1>Article 4. Water</h1><h2>§ 64431. Levels</h2><p>(a) The level is <del>44</del> 55 mg.</p>
<p><span style="text-decoration: line-through">No level is needed.</span></p>
<h2>§ 64432. Monitoring</h2><p>(a) See section 64431.</p>"""
LISTS = """<h1>§ 102. Works</h1><p>These are:</p><ol type=a><li>new works;</li><li>others:
<ol type=i><li>repairs;</li><li>alterations.</li></ol></li></ol>
<h1>§ 103. Rooms</h1><p>These are:</p><ol type=A><li>halls.</li></ol>"""
SEEN = """<style>.heard { position: absolute; width: 1px; height: 1px; overflow: hidden }
.far { position: absolute; left: -999em }</style><h1 id=x>1 Scope<a href="#x">¶</a></h1><p>These rules are
<span aria-hidden=true>for roofs</span>
<i class=heard>heard</i><i class=far>far</i><noscript>scriptless</noscript>alone.</p><p hidden>hidden</p>"""
NESTED = """<table><tr><td>Left of all.<td><h1>1 Doors</h1><table><caption>Table 1 Doors</caption>
<tr><th>Use<th>Width (mm)<th>Notes<tr><td>Office<td>900<td>free<tr><td>Shop<td><table><tr><th>Leaf<th>Clear
<tr><td>single<td>1010<tr><td>double<td>1620</table><td>two sorts<tr><td>School<td>850<td>guarded
</table></table>"""
NOTED = """# Code of walls

## 1 Loads

The load is as tested[^1].

```
q = 0.5 * v
F = q * A
```

A wall is thick.

## 2 Height

A wall is high[^b] and wide.

[^b]: On flat ground.

    On slopes, less.
[^1]: Or as agreed.

## 3 Zones

| Zone | Load |
|------|------|
| A    | 1.5  |
| B    | 2.5  |
| C    | 3.5  |
"""
WIDE = 20  # columns, which no page of paper holds in the type of its text
COLUMNS = "".join(f"<th>Column {column} heading" for column in range(WIDE))
CELLS = "".join(f"<tr>{''.join(f'<td>{row}.{column:03}' for column in range(WIDE))}" for row in range(4))


def of_site(name: str, body: str, above: tuple[str, ...] = ()) -> str:
    """Return a page as a crawl keeps it, its levels in a breadcrumb alone."""
    trail = "<a href=/>Home</a> &gt; " + "".join(f"<a href=/t24/>{level}</a> &gt; " for level in above)
    title = body.partition("<h1>")[2].partition("</h1>")[0]
    crumbs = f"<nav class=breadcrumb>{trail}</nav>" if above else ""
    saved = f"<!-- saved from url=(0000){SITE}{name} -->"
    return f"{saved}<!doctype html><title>{title}</title><div id=x>{crumbs}<main>{body}</main></div>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("site")
    stairs = (
        "<h1>§ 130. Stairs</h1><p>(a) Stairs shall comply with Section 110.</p><p>(b) They are 1 m wide.</p>"
    )
    written = {
        "tree.html": of_site("", tree()[0]),
        "s110.html": of_site("110.html", "<h1>§ 110. Drains</h1><p>A drain is at least 100 mm wide.</p>"),
        "s130.html": of_site("130.html", stairs, LEVELS_ABOVE),
        "s140.html": of_site(
            "140.html", "<h1>§ 140. Glass</h1><p>(a) It is 6 mm.</p><p id=b>(b) See § 110.</p>"
        ),
        "lone.html": of_site("2.html", "<h1>Section 2 Beams</h1><p>2.1 A beam shall be 300 mm deep.</p>"),
        "levels.html": of_site("3.html", "<h1>Part 3 Yards and quays</h1><p>yards.</p>", LEVELS_ABOVE[:1]),
        "guards.html": GUARDS,
        "water.html": of_site("64431.html", WATER),
        "s1234.html": of_site(
            "1234.html", "<h1>§ 1234.5 Rails</h1><p>(a) A rail is round.</p>", LEVELS_ABOVE
        ),
        "law.html": of_site(
            "5.html", "<h1>§ 77.5 Nets</h1><p>A net is strong.</p>", LEVELS_ABOVE[:1]
        ).replace("<title>", "<title>The law on "),
        "leads.html": of_site(
            "6.html", "<h1>§ 78.5 Ropes</h1><p>See <a href=5.html>what is said of nets</a> too."
        ),
        "lists.html": LISTS,
        "seen.html": SEEN,
        "nested.html": NESTED,
        "noted.md": NOTED,
        "wide.html": f"<h1>1 Limits</h1><table><caption>Table 1 Limits</caption><tr>{COLUMNS}{CELLS}</table>",
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    build([folder], folder / "codes.db", Settings())
    library = Library.open(folder / "codes.db")
    yield library
    library.close()


@needs_chromium
@pytest.mark.parametrize("document", STANDING)
def test_lists_breadcrumbs_and_headings_tell_what_stands_in_what(site: Library, document: str) -> None:
    found = [f"{one.label}<{one.parent or ''}" for one in site.document(document).clauses]
    assert ", ".join(found) == " ".join(STANDING[document].split())


@needs_chromium
def test_what_is_struck_out_is_not_read(site: Library) -> None:
    said = " ".join(one.passage.text for one in site.document("water").clauses)
    assert "The level is 55 mg." in " ".join(said.split())
    assert "No level" not in said


@needs_chromium
def test_what_a_browser_shows_is_read(site: Library) -> None:
    (clause,) = site.document("seen").clauses
    assert (clause.title, " ".join(clause.passage.text.split())) == (
        "Scope",
        "These rules are for roofs alone.",
    )


@needs_chromium
def test_a_table_in_a_table_is_text_of_its_cell_and_one_that_lays_out_the_page_is_none(site: Library) -> None:
    (table,) = site.document("nested").tables
    rows = [[cell.text for cell in table.cells if cell.row == row] for row in range(4)]
    assert (str(table.label), rows) == (
        "Table 1",
        [
            ["Use", "Width (mm)", "Notes"],
            ["Office", "900", "free"],
            ["Shop", "Leaf Clear single 1010 double 1620", "two sorts"],
            ["School", "850", "guarded"],
        ],
    )
    assert any("Left of all." in clause.passage.text for clause in site.document("nested").clauses)


@needs_chromium
def test_code_and_footnotes_of_markdown_stand_apart_and_where_they_belong(site: Library) -> None:
    said = {str(one.label): one.passage.text.split("\n") for one in site.document("noted").clauses}
    code = ["q = 0.5 * v", "F = q * A"]
    assert said["1"] == ["The load is as tested[1].", *code, "A wall is thick."]
    assert said["1[1]"] == ["Or as agreed."]
    (table,) = site.document("noted").tables  # small, and without a caption
    assert [cell.text for cell in table.cells] == ["Zone", "Load", "A", "1.5", "B", "2.5", "C", "3.5"]
    assert said["2"] == ["A wall is high[b] and wide.", "[b] On flat ground.", "On slopes, less."]


@needs_chromium
def test_no_number_of_a_wide_table_is_broken(site: Library) -> None:
    looked = site.table_lookup("wide", "Table 1", "3.000", "Column 7 heading")
    assert ([one.cell.text for one in looked.cells], looked.exact) == (["3.007"], True)


@needs_chromium
def test_a_number_of_five_figures_is_a_reference(site: Library) -> None:
    (found,) = site.document("water").references
    assert (found.text, str(found.target)) == ("section 64431", "§ 64431")


@needs_chromium
def test_a_link_of_a_page_is_a_reference_and_so_is_a_number_of_another_page(site: Library) -> None:
    def cited(document: str, key: str) -> set[str]:
        return {f"{name} {one.source}: {one.text}" for name, one in site.clause(document, key).cited_by}

    assert cited("s110", "§ 110") == {
        "tree Article 1: § 110. Drains",
        "s130 § 130(a): Section 110",
        "s140 § 140(b): § 110",
    }
    assert cited("s140", "§ 140(b)") == {"tree Article 2: § 140. Glass"}
    assert cited("law", "§ 77.5") == {"leads § 78.5: what is said of nets"}
    assert cited("guards", "Section 3") == {"guards 2.1: Section 3"}
    assert not [one for one in site.document("tree").references if "120" in one.text]  # no page that is read


@needs_chromium
@pytest.mark.parametrize(
    ("anchor", "label", "at"),
    [
        ("s2", "Section 2", "guards.html#s2"),
        ("#p21", "2.1", "guards.html#p21"),
        ("t21", "Table 2.1", "guards.html#t21"),
        ("s3", "Section 3", "guards.html#s3"),
    ],
)
def test_an_anchor_is_a_label_and_what_a_citation_names(
    site: Library, anchor: str, label: str, at: str
) -> None:
    table = label.startswith("Table")
    found = site.table("guards", anchor).label if table else site.clause("guards", anchor).clause.label
    assert str(found) == label
    assert site.address("guards", found) == at
    assert dict(site.document("guards").anchors)[found.key] == at.partition("#")[2]


@needs_chromium
@pytest.mark.parametrize(
    ("question", "said", "items"),
    [
        ("What is the parent of § 130?", "§ 130 of s130 stands in Article 2 (Works).", "Article 2"),
        ("In which article is Section 130?", "§ 130 of s130 stands in Article 2 (Works).", "Article 2"),
        ("What links to § 110?", "3 references to § 110 of s110 found in the documents loaded.", ""),
        ("Where do stairs sit in the hierarchy?", "1 place is named after the subject.", "§ 130"),
    ],
)
def test_the_levels_of_a_site_and_its_links_can_be_asked_for(
    site: Library, question: str, said: str, items: str
) -> None:
    scope = site.search(question).scope
    assert scope is not None
    assert scope.text == said
    assert not items or str(scope.items[0].label) == items
    if "hierarchy" in question:
        assert scope.items[0].above == ("Title 24", "Division 1", "Chapter 1", "Article 2")
        assert scope.items[0].address == f"{SITE}130.html"


@needs_chromium
def test_the_page_calls_the_text_of_a_web_page_so(site: Library) -> None:
    shown = create_app(site).test_client().get("/ask", query_string={"q": "How wide are stairs?"}).text
    assert "text of the web page</span>" in shown
    assert "text of the PDF</span>" not in shown


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("1 Scope é".encode("utf-16"), "1 Scope é"),
        ("1 Scope é".encode("utf-16-be"), "1 Scope é"),
        ("1 Scope é".encode("utf-32"), "1 Scope é"),
        ("1 Scope é".encode("utf-8-sig"), "1 Scope é"),
        ('<?xml version="1.0" encoding="UTF-16"?><p>é</p>'.encode("utf-16-le"), "<p>é</p>"),
        ("<meta charset='windows-1251'><p>Кровля</p>".encode("cp1251"), "<p>Кровля</p>"),
        ("Fahrenheit é “wide”".encode("cp1252"), "Fahrenheit é “wide”"),
        (random.Random(7).randbytes(4000), None),
        (b"PK\x03\x04\x14\0\0\0" + 400 * b"<p>A file, packed as it is.</p>", None),
        (b"%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj", None),
        (b"\0" * 4000, None),
        (b" \n", None),
    ],
)
def test_a_file_is_read_in_its_coding_or_said_to_be_no_text(content: bytes, wanted: str | None) -> None:
    if wanted is None:
        with pytest.raises(ValueError, match=r"no text|empty"):
            printing.text_of(content)
    else:
        assert printing.text_of(content).endswith(wanted)


def test_each_file_is_read_or_told_by_its_name(tmp_path: Path) -> None:
    for name in ("a.html", "a.md", "a.pdf", "b.md", "b.txt", "c.txt", "sub/c.txt", "-d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    for name in ("one.txt", "two.txt", "three.md"):
        (tmp_path / name).symlink_to("/dev/zero")
    sources, broken = find_sources([tmp_path])
    read = {source.document: source.path.name for source in sources}
    assert read == {
        "a": "a.pdf",
        "a.html": "a.html",
        "a.md": "a.md",
        "b": "b.md",
        "b.txt": "b.txt",
        "c": "c.txt",
        "d": "-d.md",
    }
    told = sorted(item.path.relative_to(tmp_path).as_posix() for item in broken)
    assert told == ["one.txt", "sub/c.txt", "three.md", "two.txt"]


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
    report = build([tmp_path, demo_pdfs / "DC-1-3-2011.pdf"], tmp_path / "codes.db", Settings())
    assert [document.id for document in report.documents] == ["DC-1-3-2011"]
    assert [item.reason for item in report.broken] == [f"walls.md was not read: {missing.reason}."]


@needs_chromium
def test_a_file_that_cannot_be_printed_and_pictures_of_one_name_do_not_change_the_next_file(
    tmp_path: Path,
) -> None:
    colours = [(255, 0, 0), (0, 0, 0), (0, 0, 255)]
    jobs = []
    for at, colour in enumerate(colours):
        folder = tmp_path / str(at)
        folder.mkdir()
        Image.new("RGB", (50, 50), colour).save(folder / "a.png")
        (folder / "page.html").write_text("<img src=a.png>" if any(colour) else "", encoding="utf-8")
        jobs.append((folder / "page.html", tmp_path / f"{at}.pdf"))
    one, empty, other = printing.printed(jobs, 60.0)
    assert [one.reason, empty.reason, other.reason] == ["", "the file is empty", ""]
    for made, colour in ((one, colours[0]), (other, colours[2])):
        drawn = MUPDF.open(made.pdf)[0].get_pixmap()
        assert colour in {drawn.pixel(x, y) for x in range(drawn.width) for y in range(drawn.height // 2)}


@needs_chromium
def test_a_page_that_takes_too_long_is_given_up_alone(tmp_path: Path) -> None:
    slow = "".join(f"div:has(div>div:nth-child({n}n+1) ~ div) div{{color:red}}" for n in range(300))
    heavy = f"<style>{slow}</style>{'<div>' * 400}x{'<div>y</div>' * 20_000}"
    (tmp_path / "a.html").write_text(heavy, encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    jobs = [(tmp_path / name, tmp_path / f"{name}.pdf") for name in ("a.html", "b.txt")]
    first, second = printing.printed(jobs, 10.0)
    assert "more than 10 seconds" in first.reason
    assert not second.reason
    assert second.pdf.exists()
