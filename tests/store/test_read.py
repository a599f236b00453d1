"""Reading a library: each question its answer, each damage its sentence."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from appliance.core.document import Label
from appliance.core.errors import (
    ApplianceError,
    LibraryMissing,
    LibraryReplaced,
    LibraryUnreadable,
    QueryTooSlow,
    SchemaMismatch,
    UnknownDocument,
)
from appliance.store.connection import harden
from appliance.store.read import Store
from appliance.text.terms import fold_label
from tests.store.libraries import densities_code, snow_code, write


def test_references_both_ways(library: Store) -> None:
    assert [item.text for item in library.references_from("DC-1-3", "5.3")] == ["5.2", "Figure 5.3"]
    assert [(name, str(item.source)) for name, item in library.references_to("DC-1-3", "5.2")] == [
        ("DC-1-3", "5.3")
    ]
    assert library.references_to("DC-1-1", "5.2") == ()


def test_clauses_around_one(library: Store) -> None:
    before, after = library.around("DC-1-3", "5.3", reach=2)
    assert ([str(c.label) for c in before], [str(c.label) for c in after]) == (["5.2"], ["5.3.2(7)P", "6.1"])
    assert library.around("DC-1-3", "none") == ((), ())


def test_neighbours_of_a_shown_chunk_stay_in_its_document(library: Store) -> None:
    (first,) = library.chunks_for("DC-1-1", Label(("5.2",)))
    (last,) = library.chunks_for("DC-1-1", Label(("5.3",)))
    assert library.chunk_neighbours(first) == ((), (last,))
    assert library.chunk_neighbours(last) == ((first,), ())


def test_a_paragraph_is_found_in_its_text_before_the_figure_printed_beside_it(tmp_path: Path) -> None:
    code = snow_code()
    own, beside = Label(("5.3(a)",)), next(chunk for chunk in code.chunks if chunk.kind == "figure")
    text = next(chunk for chunk in code.chunks if chunk.label.key == "5.3" and chunk.parent is None)
    rest = (chunk for chunk in code.chunks if chunk not in (beside, text))
    shown = [replace(chunk, labels=(chunk.label, own)) for chunk in (beside, text)]  # the figure comes first
    with Store(write(tmp_path / "a", replace(code, chunks=(*shown, *rest)), vectors=False)) as store:
        kinds = [item.chunk.kind for item in store.chunks(store.chunks_for("DC-1-3", own))]
        (figure,) = store.chunks_for("DC-1-3", beside.label)[:1]
        assert kinds == [text.kind, "figure"]
        assert store.chunks((figure,))[0].chunk.label == beside.label


@pytest.mark.parametrize(
    ("asked", "documents"),
    [
        ("5.2", {"DC-1-3", "DC-1-1"}),
        ("Table 5.1", {"DC-1-3"}),
        ("Tabie 5,l", {"DC-1-3"}),
        ("5.1", {"DC-1-3"}),
        ("5.3.2 (7)", {"DC-1-3"}),
        ("9.9", set()),
    ],
)
def test_labels_lead_to_chunks(library: Store, asked: str, documents: set[str]) -> None:
    assert {item.document for item in library.labelled([fold_label(asked)])} == documents


def test_lineage_of_clauses_in_a_circle_ends(tmp_path: Path) -> None:
    from tests.factories import clause, document

    made = document(clauses=(clause("1", parent="2"), clause("2", parent="1")))
    with Store(write(tmp_path / "a", made)) as store:
        assert len(store.lineage(made.id, "1")) == 2


def test_unknown_things(library: Store) -> None:
    with pytest.raises(UnknownDocument, match="DC-1-3"):
        library.document("none")
    assert library.clause("DC-1-3", "9") is None
    assert library.chunks([10**9]) == ()


def test_many_threads_read_at_once(library: Store) -> None:
    seen: list[int] = []
    threads = [
        threading.Thread(target=lambda: seen.append(len(library.document("DC-1-3").chunks))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [len(snow_code().chunks)] * 8


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (None, LibraryMissing),
        (b"", LibraryUnreadable),
        (b"not a database, but long enough to have a header" * 4, LibraryUnreadable),
        (b"SQLite format 3\x00", LibraryUnreadable),
    ],
    ids=["missing", "empty", "text", "header alone"],
)
def test_what_is_no_library_is_said(
    tmp_path: Path, content: bytes | None, error: type[ApplianceError]
) -> None:
    path = tmp_path / "a"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match="appliance build"):
        Store(path)


def test_a_folder_is_no_library(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing):
        Store(tmp_path)


@pytest.mark.parametrize("share", [0.999, 0.5, 0.05])
def test_a_library_cut_short_is_said(tmp_path: Path, library_path: Path, share: float) -> None:
    whole = library_path.read_bytes()
    path = tmp_path / "a"
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(LibraryUnreadable, match="cut short"):
        Store(path)


def test_another_database_is_said(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "a"))
    connection.execute("create table t (x)")
    connection.close()
    with pytest.raises(LibraryUnreadable, match="another kind"):
        Store(tmp_path / "a")


def test_another_schema_is_said(tmp_path: Path, library_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(library_path.read_bytes())
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(SchemaMismatch, match="99"):
        Store(path)


def test_a_damaged_library_never_fails_otherwise(tmp_path: Path, library_path: Path) -> None:
    whole = library_path.read_bytes()
    dice = random.Random(7)
    outcomes = set()
    for number in range(60):
        damaged = bytearray(whole)
        for _ in range(20):
            damaged[dice.randrange(100, len(whole))] = dice.randrange(256)
        path = tmp_path / str(number)
        path.write_bytes(damaged)
        outcomes.add(_read_all(path))
    assert outcomes <= {"LibraryUnreadable", "SchemaMismatch"}


def _read_all(path: Path) -> str:
    try:
        with Store(path) as store:
            for info in store.documents():
                store.document(info.id)
                store.vectors(range(1000))
    except ApplianceError as error:
        return type(error).__name__
    return "read"


@pytest.mark.parametrize(
    "statement",
    [
        "delete from documents",
        "insert into child_words (child_words) values ('rebuild')",
        "create table t (x)",
        "attach ':memory:' as other",
        "pragma writable_schema = 1; update sqlite_schema set sql = ''",
        "select load_extension('libc.so.6')",
    ],
)
def test_nothing_can_be_written_or_loaded(library_path: Path, statement: str) -> None:
    connection = harden(library_path)
    with pytest.raises(apsw.Error):
        connection.execute(statement).fetchall()
    connection.close()


def test_a_query_that_takes_too_long_ends(library: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n"
    monkeypatch.setattr("appliance.store.connection.sql", lambda _: endless)
    monkeypatch.setattr(library.connections, "query_seconds", 0.05)
    with pytest.raises(QueryTooSlow):
        library.connections.rows("endless")


def test_a_query_that_only_waits_for_its_turn_goes_on(
    library: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = library.connections._open()
    now = [100.0]
    monkeypatch.setattr("appliance.store.connection.time.monotonic", lambda: now[0])
    monkeypatch.setattr("appliance.store.connection.time.thread_time", lambda: 7.0)
    opened.allow(2.0)
    now[0] += 9.0
    assert not opened._late(), "others had the processor"
    now[0] += 2.0
    assert opened._late(), "but not for ever"


def test_a_library_built_again_under_an_open_one_is_never_mixed_with_it(tmp_path: Path) -> None:
    path = tmp_path / "codes.library"
    write(path, snow_code())
    seen: list[str] = []

    def ask(store: Store) -> None:
        try:
            seen.append(", ".join(info.id for info in store.documents()) + f" {len(store.clauses('DC-1-3'))}")
        except LibraryReplaced as error:
            seen.append(str(error))

    with Store(path, spare=1) as store:
        clauses = len(store.clauses("DC-1-3"))
        write(path, densities_code())
        for _ in range(2):  # the spare connection still reads the old file, the next one is refused
            thread = threading.Thread(target=ask, args=(store,))
            thread.start()
            thread.join()
    assert seen[0] == f"DC-1-3 {clauses}"
    assert "built again" in seen[1]
