"""What people on site produce: kept, bounded, shared, and never in the way of an answer."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import apsw
import pytest

from appliance.core.document import Box, Label
from appliance.core.errors import BadInput, SiteUnusable
from appliance.core.evidence import Evidence, Failed, NotFound, Place, Query
from appliance.core.settings import SiteSettings
from appliance.site.database import steps, writing
from appliance.site.gaps_and_feedback import About, Shown, Site, Verdict, filter_of, judged, site_file

LIMITS = SiteSettings(free_mib=1)


def place(number: int) -> Place:
    label = Label((f"{number}.1",))
    box = Box(number, 0.1, 0.1, 0.9, 0.2)
    return Place(
        "DC-1", label, (label,), "clause", "Title", (), (number,), (box,), (), "Text", 1.0, ("exact",)
    )


def not_found(question: str, places: int = 3) -> NotFound:
    hits = tuple(place(number) for number in range(1, places + 1))
    query = Query(question, "general", ())
    evidence = Evidence(query, hits, (), (), (), 0.1, MappingProxyType({}), shown=hits)
    return NotFound(question, evidence, ("DC-1",), ("too little bears on it",))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "codes.db.site", LIMITS)


def test_nothing_is_made_before_it_is_needed(site: Site) -> None:
    site.check()
    assert site.rows("gaps") == ()
    assert site.counts() == {}
    assert site.dropped() == {}
    assert site.clear("gaps") == 0
    assert not site.path.exists()


def test_a_gap_names_request_question_places_and_library(site: Site) -> None:
    assert site.keep_gap(not_found("How loud is a roof?"), "v1", "r1")
    (row,) = site.rows("gaps")
    assert row.about.request == "r1"
    assert row.about.question == "How loud is a roof?"
    assert row.about.library == "v1"
    assert row.about.shown[0] == Shown("DC-1", "1.1", 1)
    assert site.path.stat().st_mode & 0o077 == 0  # what people asked is for its owner alone


def test_the_same_question_is_one_gap_that_counts(site: Site) -> None:
    for question in ("How loud?", "how  LOUD?", "How quiet?"):
        site.keep_gap(not_found(question), "v1")
    site.keep_gap(not_found("How loud?"), "v2")
    asked = {(row.about.question, row.about.library): row.said["asked"] for row in site.rows("gaps")}
    assert asked == {("How loud?", "v1"): 2, ("How quiet?", "v1"): 1, ("How loud?", "v2"): 1}


def test_only_questions_without_an_answer_are_gaps(site: Site) -> None:
    assert not site.keep_gap(Failed("How loud?", "model missing"), "v1")
    assert not Site(site.path, replace(LIMITS, gaps=False)).keep_gap(not_found("How loud?"), "v1")
    assert not site.path.exists()


def test_an_exported_gap_is_a_judged_question(site: Site) -> None:
    site.keep_gap(not_found("How loud?\x00\n\ud800"), "v1")
    (row,) = map(judged, site.rows("gaps"))
    assert row["gold"] == []
    assert row["question"] == "How loud?"
    assert row["shown"][0] == {"document": "DC-1", "label": "1.1", "page": 1}
    assert json.loads(json.dumps(row)) == row


@pytest.mark.parametrize(
    ("beside", "narrowed"),
    [
        ("", {}),
        ("q=hay&after=straw", {}),
        ("q=hay&d=AD-K&d=AD-H&kind=formula", {"documents": ["AD-K", "AD-H"], "kinds": ["formula"]}),
        ("q=hay&tag=snow+load&family=eurocode&edition=2003", {"tags": ["snow load"], "families": ["eurocode"],
                                                             "editions": ["2003"]}),
        ("q=hay&status=informative", {"normative": False}),
        ("q=hay&status=else", {}),
        ("&".join(["q=hay", *["d=A"] * 200]), {}),
    ],
)  # fmt: skip
def test_a_gap_keeps_the_filter_that_it_was_asked_with(beside: str, narrowed: dict[str, object]) -> None:
    assert filter_of(beside) == narrowed


@pytest.mark.parametrize(
    ("verdict", "question", "words"),
    [("splendid", "How loud?", "helpful, wrong"), ("wrong", "  ", "Name the question")],
)
def test_feedback_that_says_nothing_is_refused(
    site: Site, verdict: Verdict, question: str, words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        site.add_feedback(About("r", question, (), "v1"), verdict)
    assert not site.path.exists()


def test_feedback_is_kept_in_bounds(site: Site) -> None:
    said = About("r" * 900, "q" * 9_000, tuple(Shown("D" * 999, f"{n}", 10**9) for n in range(99)), "v1")
    site.add_feedback(said, "missing", "c" * 9_000)
    (row,) = site.rows("feedback")
    assert (len(row.about.request), len(row.about.question), len(str(row.said["comment"]))) == (
        64,
        2_000,
        2_000,
    )
    assert len(row.about.shown) == 12
    assert len(row.about.shown[0].document) == 120


def test_the_oldest_make_room_and_are_counted(tmp_path: Path) -> None:
    site = Site(tmp_path / "small.site", replace(LIMITS, most_mib=1))
    said = About("r", "q" * 2_000, (), "v1")
    for number in range(300):
        site.add_feedback(replace(said, request=str(number)), "wrong", "c" * 2_000)
    rows, dropped = site.rows("feedback"), site.dropped()
    assert rows[0].about.request == "299"
    assert len(rows) + dropped["feedback"] == 300
    assert dropped["feedback"] > 0
    assert site.path.stat().st_size <= 1.2 * 1024 * 1024


def _note(path: Path, first: int) -> None:
    site = Site(path, replace(LIMITS, busy_seconds=30))
    for number in range(first, first + 20):
        assert site.keep_gap(not_found(f"question {number}"), "v1")


def test_several_processes_write_one_file_from_the_first_moment(tmp_path: Path) -> None:
    path = tmp_path / "shared.site"
    context = multiprocessing.get_context("fork")
    running = [context.Process(target=_note, args=(path, 100 * n)) for n in range(4)]
    for process in running:
        process.start()
    for process in running:
        process.join(60)
    assert [process.exitcode for process in running] == [0, 0, 0, 0]
    assert Site(path, LIMITS).counts()["gaps"] == 80


def test_every_step_is_recorded_and_an_older_file_is_brought_up_to_date(site: Site) -> None:
    with apsw.Connection(str(site.path)) as old:
        old.execute(
            "CREATE TABLE migrations (step INTEGER PRIMARY KEY, name TEXT NOT NULL, at REAL NOT NULL)"
        )
        old.execute(steps()[0][1])
        old.execute("INSERT INTO migrations VALUES (1, ?, 0.0)", (steps()[0][0],))
        old.execute(f"PRAGMA user_version = 1; PRAGMA application_id = {0x41435353}")
    old.close()
    assert site.rows("gaps") == ()
    assert site.keep_gap(not_found("How loud?"), "v1")
    connection = apsw.Connection(str(site.path))
    assert connection.execute("SELECT step, name FROM migrations").fetchall() == [
        (number, name) for number, (name, _) in enumerate(steps(), 1)
    ]
    connection.close()


def foreign(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE mine (x)")
    connection.close()


def newer(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(f"PRAGMA user_version = 99; PRAGMA application_id = {0x41435353}")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "limits", "words"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), LIMITS, "damaged, or no database"),
        (foreign, LIMITS, "another kind of database"),
        (newer, LIMITS, "a newer program wrote it"),
        (lambda path: path.mkdir(), LIMITS, "unable to open"),
        (lambda path: path.parent.rename(path.parent.with_name("gone")), LIMITS, "No such file"),
        (Path.exists, replace(LIMITS, free_mib=10**9), "MiB are kept free"),
    ],
    ids=["damaged", "foreign", "newer", "folder", "no folder", "disk full"],
)
def test_a_file_that_cannot_be_used_is_said_and_never_raises_while_asking(
    tmp_path: Path, spoil: object, limits: SiteSettings, words: str
) -> None:
    (tmp_path / "box").mkdir()
    site = Site(tmp_path / "box" / "codes.db.site", limits)
    spoil(site.path)  # type: ignore[operator]  # one of the functions above
    assert not site.keep_gap(not_found("How loud?"), "v1")
    assert words in site.trouble
    with pytest.raises(SiteUnusable, match=words):
        site.add_feedback(About("r", "How loud?", (), "v1"), "wrong")
    with pytest.raises(SiteUnusable):
        site.check()


def test_a_locked_file_is_waited_for_only_so_long(site: Site) -> None:
    site.keep_gap(not_found("How loud?"), "v1")
    holder = apsw.Connection(str(site.path))
    holder.execute("BEGIN IMMEDIATE")
    hurried = Site(site.path, replace(LIMITS, busy_seconds=0.05))
    assert not hurried.keep_gap(not_found("How quiet?"), "v1")
    assert "another process" in hurried.trouble
    assert len(hurried.rows("gaps")) == 1  # reading goes on
    holder.close()
    assert hurried.keep_gap(not_found("How quiet?"), "v1")
    assert hurried.trouble == ""


def test_threads_take_turns_and_what_a_person_writes_waits_longer(site: Site) -> None:
    hurried = Site(site.path, replace(LIMITS, busy_seconds=0.05))
    said = About("r", "How loud?", (), "v1")
    with ThreadPoolExecutor(30) as people:
        with writing(site.path, LIMITS):
            assert not hurried.keep_gap(not_found("How quiet?"), "v1")
            assert "others are writing it" in hurried.trouble
            waiting = [people.submit(hurried.add_feedback, said, "wrong") for _ in range(30)]
            assert not wait(waiting, 0.3).done  # six times as long as a note of the box waits
        assert [one.result() for one in waiting] == [None] * 30
    assert len(site.rows("feedback")) == 30
    hopeless = Site(site.path, replace(hurried.limits, patient_seconds=0.05))
    with writing(site.path, LIMITS), pytest.raises(SiteUnusable, match="others are writing it"):
        hopeless.add_feedback(said, "wrong")


def test_where_it_lies(tmp_path: Path) -> None:
    library = tmp_path / "codes.db"
    assert site_file(library, SiteSettings()) == tmp_path / "codes.db.site"
    assert site_file(library, SiteSettings(file=tmp_path / "own.db")) == tmp_path / "own.db"
