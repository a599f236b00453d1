"""Builds: what is skipped, replaced, reported, and that nothing good is lost on the way."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from appliance import library_building
from appliance.core.errors import BadInput, NothingToBuild
from appliance.core.files import cache_folder, data_folder, images_folder
from appliance.core.settings import IngestSettings, Settings
from appliance.doctor import examine
from appliance.ingest import batch
from appliance.library import Library, open_store
from appliance.library_building import BuildReport, build, find_sources
from appliance.store import write

SMALL = "DC-1-3-2011.pdf"
OTHER = "DC-1-3-NA.pdf"
THIRD = "DC-1-1.pdf"
MUPDF: Any = pymupdf  # it has no types


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, demo_pdfs: Path) -> tuple[Path, Path, BuildReport]:
    """Folder, library and report of a first build of one good file among broken ones."""
    folder = tmp_path_factory.mktemp("codes")
    shutil.copy(demo_pdfs / SMALL, folder / SMALL)
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "noise.pdf").write_bytes(b"this is no PDF" * 100)
    (folder / "cut.pdf").write_bytes((demo_pdfs / SMALL).read_bytes()[:2000])
    (folder / "notes.doc").write_text("not a code", encoding="utf-8")
    library = folder / "out" / "codes.db"
    return folder, library, build([folder], library, Settings())


@pytest.fixture(scope="module")
def short_pdfs(tmp_path_factory: pytest.TempPathFactory, demo_pdfs: Path) -> Path:
    """Return a folder with two pages of each of these codes, for what asks nothing of their text."""
    folder = tmp_path_factory.mktemp("short")
    for name in (SMALL, OTHER, THIRD):
        with MUPDF.open(demo_pdfs / name) as whole:
            whole.select([0, whole.page_count - 1])
            whole.save(folder / name)
    return folder


@pytest.fixture
def known(made: tuple[Path, Path, BuildReport], tmp_path: Path) -> Path:
    """The place of a library to be built of SMALL, for tests that ask nothing of how it is read."""
    library = tmp_path / "codes.db"
    for folder in (cache_folder, images_folder):
        shutil.copytree(folder(made[1]), folder(library))
    return library


def test_broken_files_are_lines_and_the_rest_is_built(made: tuple[Path, Path, BuildReport]) -> None:
    _, library, report = made
    assert [item.id for item in report.documents] == ["DC-1-3-2011"]
    assert {item.path.name for item in report.broken} == {"empty.pdf", "noise.pdf", "cut.pdf"}
    assert all(item.reason.endswith(".") for item in report.broken)
    assert library.is_file()


def test_what_was_found_is_counted(made: tuple[Path, Path, BuildReport]) -> None:
    found = made[2].documents[0]
    assert found.pages == 7
    assert found.clauses > 10
    assert found.tables == 3
    assert found.change == "added"


def test_an_unchanged_folder_costs_no_reading(made: tuple[Path, Path, BuildReport]) -> None:
    folder, library, _ = made
    before = library.read_bytes()
    report = build([folder / SMALL], library, Settings())
    assert report.up_to_date
    assert report.pages_read == 0
    assert library.read_bytes() == before


def test_a_removed_file_is_reported_and_a_new_one_added(tmp_path: Path, short_pdfs: Path) -> None:
    library = tmp_path / "codes.db"
    shutil.copy(short_pdfs / SMALL, tmp_path / SMALL)
    build([tmp_path], library, Settings())
    (tmp_path / SMALL).rename(tmp_path / "renamed.pdf")
    shutil.copy(short_pdfs / OTHER, tmp_path / OTHER)
    report = build([tmp_path], library, Settings())
    assert report.removed == ("DC-1-3-2011",)
    assert {item.id: item.change for item in report.documents} == {"DC-1-3-NA": "added", "renamed": "added"}
    images = images_folder(library)
    opened = Library.open(library)
    shown = {p.large for info in opened.documents() for p in opened.store.pages(info.id)}
    assert shown <= {path.name for path in images.iterdir()}
    opened.close()


def test_a_changed_file_replaces_what_was_read_from_it(tmp_path: Path, short_pdfs: Path) -> None:
    library, source = tmp_path / "codes.db", tmp_path / "code.pdf"
    shutil.copy(short_pdfs / SMALL, source)
    build([source], library, Settings())
    shutil.copy(short_pdfs / OTHER, source)
    report = build([source], library, Settings())
    assert [(item.id, item.change, item.pages) for item in report.documents] == [("code", "changed", 2)]


def test_a_failing_build_leaves_the_old_library(tmp_path: Path, short_pdfs: Path) -> None:
    library, source = tmp_path / "codes.db", tmp_path / "code.pdf"
    shutil.copy(short_pdfs / SMALL, source)
    build([source], library, Settings())
    before = library.read_bytes()
    source.write_bytes(b"broken now")
    with pytest.raises(NothingToBuild, match=r"code\.pdf"):
        build([source], library, Settings())
    assert library.read_bytes() == before


def test_the_same_input_gives_the_same_bytes(
    tmp_path: Path, demo_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1789000000")
    for name in ("a", "b"):
        build([demo_pdfs / SMALL], tmp_path / name / "codes.db", Settings())
    first, second = ((tmp_path / name / "codes.db").read_bytes() for name in ("a", "b"))
    assert first == second
    with open_store(tmp_path / "a" / "codes.db", Settings()) as store:
        assert store.meta["issued"] == "2026-09-10"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(BadInput, match="SOURCE_DATE_EPOCH must be a number of seconds"):
        build([demo_pdfs / SMALL], tmp_path / "c.db", Settings())


def _images_of(library: Path) -> set[str]:
    with closing(Library.open(library)) as opened:
        pages = [page for info in opened.documents() for page in opened.store.pages(info.id)]
    return {name for page in pages for name in (page.large, page.phone)}


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_missing_page_images_are_made_again(known: Path, demo_pdfs: Path) -> None:
    build([demo_pdfs / SMALL], known, Settings())
    for lost in sorted(_images_of(known))[:3]:
        (images_folder(known) / lost).unlink()
    assert "3 are missing" in " ".join(check.words for check in examine(known, Settings()))
    assert not build([demo_pdfs / SMALL], known, Settings()).up_to_date
    assert _images_of(known) <= _names(images_folder(known))
    assert "page images" not in {c.name for c in examine(known, Settings()) if c.state != "well"}
    assert build([demo_pdfs / SMALL], known, Settings()).up_to_date


def test_what_a_server_has_open_stays_for_one_build(tmp_path: Path, short_pdfs: Path) -> None:
    library, source, folder = (tmp_path / name for name in ("codes.db", "code.pdf", "codes.db.images"))
    shutil.copy(short_pdfs / SMALL, source)
    build([source], library, Settings())
    (folder / "notes").mkdir()
    first, cache = _images_of(library), _names(cache_folder(library))
    shutil.copy(short_pdfs / OTHER, source)
    build([source], library, Settings())
    second = _images_of(library)
    assert _names(folder) == {"notes", *first, *second}
    assert _names(cache_folder(library)) & cache == {"lock"}
    shutil.copy(short_pdfs / THIRD, source)
    build([source], library, Settings())
    assert _names(folder) == {"notes", *second, *_images_of(library)}
    assert len(_names(cache_folder(library))) == len(cache)


def test_libraries_that_differ_in_their_ending_share_nothing(tmp_path: Path, short_pdfs: Path) -> None:
    old, new = tmp_path / "codes.2024", tmp_path / "codes.2025"
    build([short_pdfs / SMALL], old, Settings())
    for _ in range(2):  # images are kept for one generation
        build([short_pdfs / OTHER], new, Settings())
        (images_folder(new) / "left.txt").touch()
    assert _images_of(old) <= _names(images_folder(old))
    assert not _images_of(old) & _names(images_folder(new))


@pytest.mark.parametrize("decides", ["reader_version", "writer_version"])
def test_another_program_builds_again(
    decides: str, known: Path, demo_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build([demo_pdfs / SMALL], known, Settings())
    monkeypatch.setattr(library_building, decides, lambda: "another")
    assert not build([demo_pdfs / SMALL], known, Settings()).up_to_date


def test_versions_decide_what_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = batch.reader_version.__wrapped__, write.writer_version.__wrapped__
    before = reader(), writer()
    assert (reader(), writer()) == before
    monkeypatch.setattr(batch, "version", lambda _: "0.0.1")
    monkeypatch.setattr(write, "__version__", "0.0.1")
    assert reader() != before[0]
    assert writer() != before[1]


def test_how_many_work_at_once_decides_nothing(tmp_path: Path, short_pdfs: Path) -> None:
    settings, library = Settings(), tmp_path / "codes.db"
    other = replace(settings, ingest=replace(settings.ingest, workers=3))
    assert library_building.recipe(other) == library_building.recipe(settings)
    build([short_pdfs / SMALL], library, settings)
    library.unlink()
    assert build([short_pdfs / SMALL], library, other).pages_read == 0
    fewer = replace(settings, ingest=replace(settings.ingest, pages=3))
    assert library_building.recipe(fewer) != library_building.recipe(settings)


def test_an_edited_scheme_of_the_user_builds_again(tmp_path: Path, short_pdfs: Path) -> None:
    own, library = tmp_path / "schemes", tmp_path / "codes.db"
    own.mkdir()
    shipped = (data_folder() / "schemes" / "decimal.toml").read_text(encoding="utf-8")
    (own / "own.toml").write_text(shipped, encoding="utf-8")
    settings = Settings(ingest=IngestSettings(schemes=own))
    build([short_pdfs / SMALL], library, settings)
    assert build([short_pdfs / SMALL], library, settings).up_to_date
    (own / "own.toml").write_text(f"{shipped}\n# more\n", encoding="utf-8")
    assert not build([short_pdfs / SMALL], library, settings).up_to_date
    moved = own.rename(tmp_path / "elsewhere")
    assert build([short_pdfs / SMALL], library, Settings(ingest=IngestSettings(schemes=moved))).up_to_date


def test_a_library_that_lost_a_page_by_bad_luck_is_built_again(
    tmp_path: Path, short_pdfs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "codes.db"
    with monkeypatch.context() as busy:
        busy.setattr(batch, "unlucky", lambda _: True)
        build([short_pdfs / SMALL], library, Settings())
    assert not build([short_pdfs / SMALL], library, Settings()).up_to_date
    assert build([short_pdfs / SMALL], library, Settings()).up_to_date


def test_a_library_that_cannot_be_read_is_built_again(known: Path, demo_pdfs: Path) -> None:
    known.write_bytes(b"SQLite format 3\0 but not really")
    report = build([demo_pdfs / SMALL], known, Settings())
    assert not report.up_to_date
    Library.open(known).close()


@pytest.mark.parametrize("content", [b"%PDF-1.7 a code", b"notes"])
def test_a_file_that_is_no_library_is_never_replaced(
    tmp_path: Path, short_pdfs: Path, content: bytes
) -> None:
    other = tmp_path / "other"
    other.write_bytes(content)
    with pytest.raises(BadInput, match="no library"):
        build([short_pdfs / SMALL], other, Settings())
    assert other.read_bytes() == content


def test_another_database_is_never_replaced(tmp_path: Path, short_pdfs: Path) -> None:
    other = tmp_path / "clients.db"
    with sqlite3.connect(other) as connection:
        connection.execute("create table clients (name text)")
    connection.close()
    before = other.read_bytes()
    with pytest.raises(BadInput, match="no library"):
        build([short_pdfs / SMALL], other, Settings())
    assert other.read_bytes() == before


def test_a_folder_is_no_library(tmp_path: Path, short_pdfs: Path) -> None:
    with pytest.raises(BadInput, match="no library"):
        build([short_pdfs / SMALL], tmp_path, Settings())


def test_no_pdf_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NothingToBuild, match="Name a folder"):
        build([tmp_path], tmp_path / "codes.db", Settings())


def test_two_files_of_one_name_are_not_mixed(tmp_path: Path, short_pdfs: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        shutil.copy(short_pdfs / SMALL, tmp_path / name / "code.pdf")
    sources, broken = find_sources([tmp_path])
    assert len(sources) == 1
    assert "same name" in broken[0].reason


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(path))  # the name of a socket may have about a hundred characters


def _link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("gone"))


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def _link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.skipif(os.name != "posix", reason="pipes, sockets and free links are files of POSIX systems")
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_pipe, "pipe"),
        (_socket, "socket"),
        (_link_to_nothing, "link"),
        (_link_to_itself, "link"),
        (_link_to_a_device, "device"),
        (Path.mkdir, "folder"),
    ],
)
def test_only_files_are_opened(
    tmp_path: Path, short_pdfs: Path, make: Callable[[Path], None], reason: str
) -> None:
    shutil.copy(short_pdfs / SMALL, tmp_path / SMALL)
    make(tmp_path / "odd.pdf")
    sources, broken = find_sources([tmp_path])
    assert [source.document for source in sources] == ["DC-1-3-2011"]
    assert len(broken) == 1
    assert reason in broken[0].reason


def test_a_circle_of_folders_ends(tmp_path: Path, short_pdfs: Path) -> None:
    shutil.copy(short_pdfs / SMALL, tmp_path / SMALL)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    sources, broken = find_sources([tmp_path])
    assert [source.document for source in sources] == ["DC-1-3-2011"]
    assert not broken


def test_progress_names_every_step(tmp_path: Path, short_pdfs: Path) -> None:
    steps: list[str] = []

    def progress(step: str, done: float, total: float, detail: str = "") -> None:
        assert 0 <= done <= total
        assert isinstance(detail, str)
        steps.append(step)

    build([short_pdfs / SMALL], tmp_path / "codes.db", Settings(), progress=progress)
    assert list(dict.fromkeys(steps)) == ["reading", "embedding", "writing"]
