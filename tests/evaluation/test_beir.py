"""A collection in BEIR layout of a few passages, and collections that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.evaluation.beir import (
    PIECE_WORDS,
    beir_json,
    beir_tables,
    document_of,
    evaluate_beir,
)
from appliance.evaluation.collection import load_collection
from tests.evaluation.fake_library import write_rows

PASSAGES = {
    "a/1": "Snow loads on roofs are found from the characteristic value on the ground.",
    "a/2": "A private stair has a pitch of at most 42 degrees.",
    "b:3": "The drain of a WC has an internal diameter of at least 100 mm.",
    "empty": "",
}


def write_collection(folder: Path, judged: str = "q1\ta/2\t1\nq2\tb:3\t1\n") -> Path:
    (folder / "qrels").mkdir(parents=True)
    write_rows(folder / "corpus.jsonl", *({"_id": i, "title": "", "text": t} for i, t in PASSAGES.items()))
    write_rows(
        folder / "queries.jsonl",
        {"_id": "q1", "text": "How steep can a private stair be?"},
        {"_id": "q2", "text": "smallest drain diameter for a WC"},
        {"_id": "q3", "text": "not judged"},
    )
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}", encoding="utf-8")
    return folder


def test_a_collection_goes_through_the_same_search(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "tiny")
    report = evaluate_beir(folder, Settings(), work=tmp_path / "work")
    assert (report.passages, report.queries, report.unsearchable) == (4, 2, 0)
    assert {"lexical", "dense", "fused", "closure"} <= set(report.stages)
    assert report.stages["closure"] == {"nDCG@10": 1.0, "R@10": 1.0, "R@100": 1.0, "AP@10": 1.0}
    kept = list((tmp_path / "work").glob("tiny-*.db"))
    before = kept[0].stat().st_mtime_ns
    evaluate_beir(folder, Settings(), work=tmp_path / "work")
    assert kept[0].stat().st_mtime_ns == before  # made once
    told: list[tuple[int, int]] = []
    first = evaluate_beir(
        folder, Settings(), limit=1, work=tmp_path / "work", progress=lambda *at: told.append(at)
    )
    assert first.queries == 1
    assert told[-1] == (1, 1)
    assert beir_json(first)["collection"] == "tiny"
    assert [type(part).__name__ for part in beir_tables(first)] == ["Table", "str"]


def test_what_is_judged_and_not_there_is_counted_and_told(tmp_path: Path) -> None:
    judged = "q1\ta/2\t1\nq1\tgone\t1\nq1\tgone too\t0\nq2\tgone\t2\nqx\ta/2\t1\nqx\tb:3\t1\n"
    folder = write_collection(tmp_path / "tiny", judged)
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"_id": "a/1", "text": "Snow on roofs."}\n{"_id": "a/1", "text": "Snow."}\n')
    report = evaluate_beir(folder, Settings(), work=tmp_path / "work")
    assert (report.lacking, report.textless, report.doubled, report.passages) == (2, 1, 2, 4)
    assert report.stages["closure"]["R@10"] == 0.25, "what is not there is not found"
    told = [str(part) for part in beir_tables(report)]
    assert "not in the corpus, so not to be found: 2" in told[-3]
    assert "the same id stands further down: 2" in told[-2]
    assert "not among the queries, so not asked: 1" in told[-1]
    assert evaluate_beir(folder, Settings(), limit=1, work=tmp_path / "work").lacking == 1


def test_long_passages_are_cut_and_keep_their_number(tmp_path: Path) -> None:
    folder = write_collection(tmp_path / "tiny")
    long = "\n".join(f"line {n} " + "word " * 100 for n in range(10)) + "\n" + "x " * (PIECE_WORDS + 5)
    write_rows(folder / "corpus.jsonl", {"_id": "a/2", "text": long}, {"_id": "b:3", "text": ""})
    chunks = document_of(load_collection(folder)).chunks
    assert max(len(chunk.passage.text.split()) for chunk in chunks) <= PIECE_WORDS
    assert " ".join(chunk.passage.text for chunk in chunks).split() == long.split()
    assert len({str(chunk.label) for chunk in chunks}) == 2


@pytest.mark.parametrize("named", ["section 2", "clause 2", "Table 2", "2", "Article 0", "rule 3"])
def test_a_number_in_a_question_is_no_passage_of_that_number(tmp_path: Path, named: str) -> None:
    folder = write_collection(tmp_path / "tiny", judged="q1\ta/2\t1\n")
    asked = {"_id": "q1", "text": f"Under {named}, how steep can a private stair be?"}
    write_rows(folder / "queries.jsonl", asked)
    report = evaluate_beir(folder, Settings(), work=tmp_path / "work")
    assert report.stages["closure"]["nDCG@10"] == 1.0


def test_only_judged_queries_are_asked(tmp_path: Path) -> None:
    collection = load_collection(write_collection(tmp_path / "tiny"))
    assert list(collection.queries) == ["q1", "q2"]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("corpus.jsonl", '{"_id": "a"}\n', "line 1 is not of a BEIR collection"),
        ("corpus.jsonl", "[1]\n", "line 1 is not of a BEIR collection"),
        ("corpus.jsonl", '{"_id":"a","text":"x"}\n{"_id":"z","text":5}\n', r"corpus.jsonl, line 2 .*text"),
        ("corpus.jsonl", '{"_id":"z","text":null}\n', "line 1 .*text"),
        ("corpus.jsonl", '{"_id":"z","text":"x","title":["y"]}\n', "line 1 .*title"),
        ("corpus.jsonl", '{"_id":7,"text":"x"}\n', "line 1 .*_id"),
        ("corpus.jsonl", '{"_id":"z","text":"\udcff"}\n', "line 1 is not of a BEIR collection"),
        ("corpus.jsonl", '{"_id":"z","text":"x","m":' + "[" * 100_000 + "\n", "line 1 is not of a BEIR"),
        ("corpus.jsonl", "\n", "corpus.jsonl holds nothing"),
        ("corpus.jsonl", "", "corpus.jsonl holds nothing"),
        ("corpus.jsonl", '{"_id":"a/2","text":" ","title":null}\n', "holds no passage with words"),
        (
            "corpus.jsonl",
            '{"_id":"a/2","text":"x"}\n\n{"_id":"a/2","text":"x"}\n',
            r"corpus.jsonl, line 3: the id a/2, which is judged, stands above already",
        ),
        (
            "queries.jsonl",
            '{"_id":"q1","text":"x"}\n{"_id":"q1","text":"y"}\n',
            r"queries.jsonl, line 2: the id q1, which is judged, stands above already",
        ),
        ("qrels/test.tsv", "q1\ta/2\t0\nq2\tb:3\t-1\n", "no score is above 0"),
        ("queries.jsonl", '{"_id":"q1","text":null}\n', r"queries.jsonl, line 1 .*text"),
        ("queries.jsonl", '{"_id":"q1","tex', r"queries.jsonl, line 1 is not of a BEIR collection"),
        ("qrels/test.tsv", "\nq1\ta/2\t1\nq2\n", "line 3 is not query, passage and score"),
        ("qrels/test.tsv", "q1\ta/2\t99999999999\n", "line 1 is not query, passage and score"),
        ("qrels/test.tsv", "q1\t" + "a" * 200_000 + "\t1\n", "line 1 is not query, passage and score"),
        ("qrels/test.tsv", "q\udcff\ta/2\t1\n", "line 1 is not query, passage and score"),
        ("queries.jsonl", "\n{\n", "line 2 is not of a BEIR collection"),
        ("qrels/test.tsv", "q1\ta/2\n", "line 1 is not query, passage and score"),
        ("qrels/test.tsv", "q1\ta/2\tmuch\n", "line 1 is not query, passage and score"),
        ("qrels/test.tsv", "query-id\tcorpus-id\tscore\n", "judges no query"),
        ("qrels/test.tsv", "unknown\ta/2\t1\n", "judges no query"),
    ],
)
def test_what_is_not_a_collection_is_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    folder = write_collection(tmp_path / "tiny")
    (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInput, match=says):
        load_collection(folder)


def test_a_folder_without_files_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"corpus\.jsonl, queries\.jsonl and qrels"):
        load_collection(tmp_path)
