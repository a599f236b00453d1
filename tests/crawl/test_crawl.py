"""A crawl brings what the site holds, goes on after a kill, and brings only what changed the second time."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from appliance.core.errors import BadInput, CrawlFailed
from appliance.core.settings import Settings
from appliance.crawl import crawler
from appliance.crawl.crawler import Manners, file_name, is_inside, plain
from appliance.ingest.html.printing import INSTALLED_AS
from appliance.library import Library
from appliance.library_building import build
from tests.crawl.loopback import Site, served
from tests.crawl.regulation import PLACE, SECTION_CHARACTERS, long_section, pages

pytestmark = pytest.mark.browser
COMMAND = [sys.executable, "-m", "appliance.cli", "crawl"]
CHAPTERS, SECTIONS, KILLS = (40, 48, 3) if os.environ.get("SOAK") else (2, 2, 1)
needs_chromium = pytest.mark.skipif(not any(map(shutil.which, INSTALLED_AS)), reason="no Chromium here")


def run(address: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Crawl in a process of its own: the browser of the other tests runs in this one."""
    command = [*COMMAND, address, "--into", str(folder), "--pause", "0", "--json", *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def tell(words: str) -> None:
    if os.environ.get("SOAK"):
        sys.stdout.write(f"{words}\n")


def manifest(folder: Path) -> dict[str, str]:
    pages = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["pages"]
    return {page["address"].partition("/code/")[2]: page["sha256"] for page in pages}


@pytest.fixture
def site(demo_pdfs: Path) -> Site:
    return Site((demo_pdfs / "DC-0.pdf").read_bytes(), CHAPTERS, SECTIONS)


@needs_chromium
def test_a_site_is_crawled_built_and_crawled_again(site: Site, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    site.failing = {"/code/1/1": [429, 500], "/data/code/1/2": [503], "/data/code/2/1": [0, 0]}
    with served(site) as address, ThreadPoolExecutor(1) as beside:
        started = time.monotonic()
        interrupted = beside.submit(crawl_with_kills, site, address, killed)
        done = run(address, whole)
        assert done.returncode == 0, done.stderr
        tell(f"{len(manifest(whole))} pages kept in {time.monotonic() - started:.0f} s")
        outcomes = {visit["address"].partition("/code/")[2]: visit["outcome"]
                    for visit in json.loads(done.stdout)["visits"]}  # fmt: skip
        assert outcomes["private/"] == "refused"
        assert outcomes["loop?n=2"] == "copy"
        assert "loop?n=4" in outcomes
        assert "loop?n=5" not in outcomes
        sections = {f"{c}/{s}" for c in range(1, CHAPTERS + 1) for s in range(1, SECTIONS + 1)}
        assert set(manifest(whole)) >= {"", "1/", "2/", "code.pdf", "loop?n=1", *sections}
        assert "/elsewhere/" not in site.asked
        page = (whole / "code-1-2.html").read_text(encoding="utf-8")
        assert "at least 1.2 kN/m2" in page
        assert "<td>1.5</td>" in page
        assert "Only in the menu" not in page
        assert "<script" not in page

        interrupted.result()
        tell(f"and with {KILLS} kills in {time.monotonic() - started:.0f} s")
        assert (killed / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()

        site.edition["/code/2/1"] = "The load shall be at least 9 kN/m2."
        site.removed.add("/code/2/2")
        site.sent.clear()
        started = time.monotonic()
        again = json.loads(run(address, whole).stdout)
        changes = {v["address"].partition("/code/")[2]: v["change"] for v in again["visits"] if v["file"]}
        assert {name for name, change in changes.items() if change != "unchanged"} == {"2/1"}
        assert [gone.partition("/code/")[2] for gone in again["gone"]] == ["2/2"]
        assert not (whole / "code-2-2.html").exists()
        brought = {path for path in site.sent if path.startswith("/data/")}
        assert brought == {"/data/code/2/1", *(f"/data/code/loop?n={n}" for n in (2, 3, 4))}
        assert not site.sent["/code/code.pdf"]
        took = time.monotonic() - started
        tell(f"crawled again in {took:.0f} s: {len(brought)} pages fetched, of which 3 are the loop")

    library = tmp_path / "codes.db"
    report = build([whole / "code-2-1.html"], library, Settings())
    assert not report.broken
    with_page = Library.open(library)
    answer = with_page.ask("What shall the load be at least in section 2.1?")
    table = with_page.document("code-2-1").tables[0]
    assert [cell.text for cell in table.cells] == ["Zone", "Load (kN/m2)", "A", "1.5", "B", "2.0"]
    cited = {citation.address for citation in answer.citations}  # type: ignore[union-attr]
    assert any(at.startswith(f"{address}2/1#") for at in cited), cited
    with_page.close()


@pytest.fixture(scope="module")
def regulation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Crawl and build an invented regulation of five levels, one page a section, rendered by script."""
    if not os.environ.get("SOAK"):
        pytest.skip("long form: SOAK=1")
    folder = tmp_path_factory.mktemp("regulation")
    site = Site(b"%PDF-1.4", 0, 0)
    site.others = pages()
    with served(site) as address:
        done = run(f"{address}title-5/", folder / "pages")
        assert done.returncode == 0, done.stderr
    assert len(manifest(folder / "pages")) == len(pages())
    assert not build([folder / "pages"], folder / "codes.db", Settings()).broken
    library = Library.open(folder / "codes.db")
    yield library
    library.close()


def section(number: int) -> str:
    return f"code-{PLACE}/article-{number // 100 % 10}/section-{number}".replace("/", "-")


@needs_chromium
def test_a_cell_of_a_table_over_pages_is_found_by_its_row_and_head(regulation: Library) -> None:
    found = regulation.table_lookup(section(5302), "Table 5302-1", "Class 47", "open berth")
    assert [cell.cell.text for cell in found.cells] == ["479"]
    answer = regulation.ask("What is the mooring load of a Class 47 vessel at an open berth?")
    assert "479" in answer.citations[0].quote  # type: ignore[union-attr]


@needs_chromium
def test_a_very_long_section_is_searched_in_parts(regulation: Library) -> None:
    document = regulation.document(section(5303))
    assert max(len(chunk.passage.text) for chunk in document.chunks) < SECTION_CHARACTERS / 20


@needs_chromium
def test_a_section_stands_below_its_article(regulation: Library) -> None:
    path = [str(clause.label) for clause in regulation.clause(section(5302), "Section 5302").path]
    assert path[-4:] == ["Title 5", "Division 1", "Chapter 2", "Article 3"]


@needs_chromium
def test_every_paragraph_of_a_long_section_is_read_whole(regulation: Library) -> None:
    texts = [c.passage.text for c in regulation.document(section(5303)).clauses if c.kind == "paragraph"]
    assert len(texts) == long_section().count("<p>")
    assert all(text.startswith("A bollard") and text.endswith("as before.") for text in texts)


@needs_chromium
def test_what_refers_to_a_section_is_told(regulation: Library) -> None:
    found = {name for name, _ in regulation.clause(section(5302), "Section 5302").cited_by}
    assert section(5401) in found


def crawl_with_kills(site: Site, address: str, folder: Path) -> None:
    """Crawl, killed after some of the pages each time; tear the last line of the journal before the end."""
    pages = CHAPTERS * SECTIONS
    site.slow = 0.05
    journal = folder / "crawl.jsonl"
    command = [*COMMAND, address, "--into", str(folder), "--pause", "0"]
    for number in range(1, KILLS + 1):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as running:
            while not (journal.exists() and journal.read_bytes().count(b"\n") > number * pages / (KILLS + 2)):
                assert running.poll() is None
                time.sleep(0.02)
            running.send_signal(signal.SIGKILL)
    with journal.open("a") as file:
        file.write('{"address": "torn')
    assert run(address, folder).returncode == 0
    site.slow = 0.0


@needs_chromium
def test_what_fails_is_told_and_never_ends_with_0(tmp_path: Path) -> None:
    site = Site(b"%PDF-1.4", 1, 1)
    site.failing = {"/code/1/1": [500] * 9}
    links = b"<a href=1/1>1</a><a href=gone>2</a><a href=private/>3</a><a href=login>4</a>"
    site.odd = {
        "/code/": (200, links, {}),
        "/code/login": (200, b"Log in", {"Content-Type": "application/pdf"}),
    }
    site.removed.add("/code/gone")
    with served(site) as address:
        done = run(address, tmp_path)
        assert done.returncode == 17
        assert [at.partition("/code/")[2] for at in json.loads(done.stdout)["failed"]] == ["1/1", "login"]
        told = subprocess.run(
            [*COMMAND, address, "--into", str(tmp_path), "--pause", "0"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for line in (
            "Not brought, not there: 1.",
            "/code/gone: the site answers 404",
            "/code/login: it is said to be a PDF and is none",
            "forbidden to programs: 1",
        ):
            assert line in told
        assert run(address.replace("code", "absent"), tmp_path / "other").returncode == 31
        assert run("file:///etc/passwd", tmp_path / "other").returncode == 2
        assert run(f"{address}1/", tmp_path).returncode == 2


KEPT = ("fine", "polls", "counts", "listens")
SHORTLY = """
import sys, dataclasses, json, pathlib
from appliance.crawl.crawler import Manners, crawl
from appliance.crawl.fetching import Limits
crawled = crawl(sys.argv[1], pathlib.Path(sys.argv[2]), Manners(0, limits=Limits(seconds=3)))
print(json.dumps({one.address.partition("/code/")[2]: [one.outcome, one.why] for one in crawled.visits}))
"""


@needs_chromium
def test_a_hostile_page_is_one_page_that_is_told_and_the_crawl_goes_on(tmp_path: Path) -> None:
    packed = {"Content-Encoding": "gzip"}
    bomb = gzip.compress(
        b"<p>The load shall be at least 1.2 kN/m2.</p>" * 3_200_000, 1
    )  # more than BROUGHT_MIB
    site, other = Site(b"%PDF-1.4", 0, 0), Site(b"%PDF-1.4", 0, 0)
    names = ("bomb", "cut", "asks", "grows", "hangs", "never", "ends", "away", "script", "within", *KEPT)
    links = "".join(f"<a href={name}>{name}</a>" for name in names)
    with served(site) as address, served(other) as elsewhere:
        written = {
            "": links,
            "asks": "<script>fetch('/code/bomb').then((answer) => answer.text())</script>",
            "grows": "<p>x</p><script>document.body.id = 'x'.repeat(2e8)</script>",
            "hangs": "<p>x</p><script>for (;;);</script>",
            "never": "<p>x</p><script>fetch('/code/stream')</script>",
            "ends": "<p>it ends the browser</p>",
            "script": f"<script>location = '{elsewhere}'</script>",
            "fine": "<p>fine</p>",
            "polls": "<p>the same</p><script>setInterval(() => fetch('/code/fine'), 100)</script>",
            "counts": "<p>ever another</p><script>setInterval(() => fetch(`?${Date.now()}`), 100)</script>",
            "listens": "<p>a stream</p><script>new EventSource('/code/stream')</script>",
        }
        site.odd = {f"/code/{name}": (200, text.encode(), {}) for name, text in written.items()}
        site.odd["/code/bomb"] = 200, bomb, packed
        site.odd["/code/cut"] = 200, bomb[:999], packed
        site.odd["/code/away"] = 302, b"", {"Location": elsewhere}
        site.odd["/code/within"] = 301, b"", {"Location": "/code/fine"}
        site.hooks["/code/stream"] = lambda: time.sleep(60)
        with subprocess.Popen(
            [sys.executable, "-c", SHORTLY, address, str(tmp_path)], stdout=subprocess.PIPE, text=True
        ) as running:
            site.hooks["/code/ends"] = lambda: end_browser(running.pid)
            out, _ = running.communicate()
        assert running.returncode == 0
    told = json.loads(out)
    assert {name: told[name][0] for name in names} == {
        **dict.fromkeys(("bomb", "cut", "asks", "grows", "hangs", "never", "ends"), "failed"),
        **dict.fromkeys(("away", "script", "within"), "moved"),
        **dict.fromkeys(KEPT, "page"),
    }
    assert told["bomb"][1] == "it is larger than 32 MiB"
    assert told["away"][1] == told["script"][1] == f"it leads to {elsewhere}"
    assert not other.asked
    assert set(manifest(tmp_path)) == {"", *KEPT}


def end_browser(crawl: int) -> None:
    for process in psutil.Process(crawl).children(recursive=True):
        if "chrom" in process.name():
            process.kill()


@needs_chromium
def test_a_crawl_that_is_interrupted_at_the_terminal_ends_in_a_word_and_goes_on(tmp_path: Path) -> None:
    site = Site(b"%PDF-1.4", 1, 6)
    with served(site) as address:
        # tests that run in the background of a shell ignore the signal, and what they start would too
        listening = ["env", "--default-signal=INT"]
        command = [*listening, *COMMAND, address, "--into", str(tmp_path), "--pause", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:

            def interrupt() -> None:
                site.hooks.clear()
                os.killpg(running.pid, signal.SIGINT)

            site.hooks["/code/1/2"] = interrupt
            _, said = running.communicate()
        assert running.returncode == 1
        assert said.split("\n\n")[-1].strip() == "Aborted!"
        assert run(address, tmp_path).returncode == 0
        assert "1/6" in manifest(tmp_path)


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("HTTP://Law.Example:80/a/../b#c", "http://law.example/a/../b"),
        ("https://law.example", "https://law.example/"),
        ("https://law.example/#/title/5", "https://law.example/#/title/5"),
        ("https://law.example:8443/?q=1", "https://law.example:8443/?q=1"),
        ("https://bücher.example/§ 5?n=ä%20b", "https://xn--bcher-kva.example/%C2%A7%205?n=%C3%A4%20b"),
    ],
)
def test_an_address_has_one_form(address: str, wanted: str) -> None:
    assert plain(address) == wanted


@pytest.mark.parametrize(
    "address", ["", "mailto:a@b", "file:///etc", "javascript:alert(1)", "http://[", "//a"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadInput):
        plain(address)


def test_a_crawl_stays_in_its_folder_and_names_files_once() -> None:
    start = "https://law.example/code/"
    inside = ["https://law.example/code/1", "https://law.example/code", "https://law.example/code/?page=2"]
    outside = ["https://law.example/codes/1", "http://law.example/code/1", "https://other.example/code/1"]
    assert [is_inside(address, start) for address in (*inside, *outside)] == [True] * 3 + [False] * 3
    assert file_name("https://law.example/code/1.html", ".html", ()) == "code-1.html"
    assert file_name("https://law.example/code/1", ".html", {"code-1.html"}).startswith("code-1-")


def test_without_a_browser_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(CrawlFailed, match=r"pip install"):
        crawler.crawl("http://127.0.0.1:9/", tmp_path, Manners())
