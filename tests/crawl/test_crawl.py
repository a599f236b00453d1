"""A crawl brings what the site holds, goes on after a kill, and brings only what changed the second time."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from appliance.building import build
from appliance.core.errors import BadInput, CrawlFailed
from appliance.core.settings import Settings
from appliance.crawl import crawler
from appliance.crawl.addresses import file_name, is_inside, plain
from appliance.crawl.crawler import Manners
from appliance.library import Library
from tests.conftest import CHROMIUM
from tests.crawl.loopback import Site, served

pytestmark = pytest.mark.browser
needs_chromium = pytest.mark.skipif(not any(map(shutil.which, CHROMIUM)), reason="no Chromium here")


def run(address: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Crawl in a process of its own: the browser of the other tests runs in this one."""
    command = [sys.executable, "-m", "appliance.cli", "crawl", address, "--into", str(folder), "--pause", "0"]
    return subprocess.run([*command, "--json", *more], capture_output=True, text=True, check=False)


def manifest(folder: Path) -> dict[str, str]:
    pages = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["pages"]
    return {page["address"].partition("/code/")[2]: page["sha256"] for page in pages}


@pytest.fixture
def site(demo_pdfs: Path) -> Site:
    return Site((demo_pdfs / "DC-0.pdf").read_bytes())


@needs_chromium
def test_a_site_is_crawled_built_and_crawled_again(site: Site, tmp_path: Path) -> None:  # noqa: PLR0915
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    site.failing = {"/code/1/1": [429, 500], "/data/code/1/2": [503]}
    with served(site) as address:
        done = run(address, whole)
        assert done.returncode == 0, done.stderr
        outcomes = {visit["address"].partition("/code/")[2]: visit["outcome"]
                    for visit in json.loads(done.stdout)["visits"]}  # fmt: skip
        assert outcomes["private/"] == "refused"
        assert outcomes["loop?n=2"] == "copy"
        assert "loop?n=4" in outcomes
        assert "loop?n=5" not in outcomes
        sections = {f"{c}/{s}" for c in (1, 2) for s in (1, 2, 3, 4)}
        assert set(manifest(whole)) == {"", "1/", "2/", "code.pdf", "loop?n=1", *sections}
        assert "/elsewhere/" not in site.asked
        page = (whole / "code-1-2.html").read_text(encoding="utf-8")
        assert "at least 1.2 kN/m2" in page
        assert "<td>1.5</td>" in page
        assert "Only in the menu" not in page
        assert "<script" not in page

        site.slow = 0.05
        command = [
            sys.executable,
            "-m",
            "appliance.cli",
            "crawl",
            address,
            "--into",
            str(killed),
            "--pause",
            "0",
        ]
        for lines in (3, 7):
            running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            journal = killed / "crawl.jsonl"
            until = time.monotonic() + 120
            while not (journal.exists() and journal.read_bytes().count(b"\n") > lines):
                assert time.monotonic() < until
                time.sleep(0.02)
            running.send_signal(signal.SIGKILL)
            running.wait()
        with journal.open("a") as file:
            file.write('{"address": "torn')
        assert run(address, killed).returncode == 0
        assert (killed / "manifest.json").read_bytes() == (whole / "manifest.json").read_bytes()

        site.slow = 0.0
        site.edition["/code/2/3"] = "The load shall be at least 9 kN/m2."
        site.removed.add("/code/2/4")
        site.sent.clear()
        again = json.loads(run(address, whole).stdout)
        changes = {v["address"].partition("/code/")[2]: v["change"] for v in again["visits"] if v["file"]}
        assert {name for name, change in changes.items() if change != "unchanged"} == {"2/3"}
        assert [gone.partition("/code/")[2] for gone in again["gone"]] == ["2/4"]
        assert not (whole / "code-2-4.html").exists()
        brought = {path for path in site.sent if path.startswith("/data/")}
        assert brought == {"/data/code/2/3", *(f"/data/code/loop?n={n}" for n in (2, 3, 4))}
        assert not site.sent["/code/code.pdf"]

    library = tmp_path / "codes.db"
    report = build([whole], library, Settings())
    assert not report.broken
    with_page = Library.open(library)
    answer = with_page.ask("What shall the load be at least in section 2.3?")
    table = with_page.document("code-2-3").tables[0]
    assert [cell.text for cell in table.cells] == ["Zone", "Load (kN/m2)", "A", "1.5", "B", "2.0"]
    cited = {citation.address for citation in answer.citations}  # type: ignore[union-attr]
    assert any(at.startswith(f"{address}2/3#") for at in cited), cited
    with_page.close()


@needs_chromium
def test_what_fails_is_told_and_never_ends_with_0(site: Site, tmp_path: Path) -> None:
    site.failing = {"/code/1/1": [500] * 9}
    with served(site) as address:
        done = run(address, tmp_path)
        assert done.returncode == 17
        assert [at.partition("/code/")[2] for at in json.loads(done.stdout)["failed"]] == ["1/1"]
        assert run(address.replace("code", "absent"), tmp_path / "other").returncode == 31
        assert run("file:///etc/passwd", tmp_path / "other").returncode == 2
        assert run(f"{address}1/", tmp_path).returncode == 2


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("HTTP://Law.Example:80/a/../b#c", "http://law.example/a/../b"),
        ("https://law.example", "https://law.example/"),
        ("https://law.example/#/title/5", "https://law.example/#/title/5"),
        ("https://law.example:8443/?q=1", "https://law.example:8443/?q=1"),
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
