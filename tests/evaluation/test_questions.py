"""Questions put to a fake library: ranks, stages, values, refusals and failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.core.errors import BadInput
from appliance.evaluation.questions import (
    answer_figures,
    evaluate_questions,
    figures,
    groups,
    percentile,
    said,
)
from appliance.retrieval.search_context import EVERYTHING
from tests.evaluation.fake_library import FakeLibrary, grounded, place, write_rows


def row(number: int, *gold: tuple[str, str, int], **more: Any) -> dict[str, Any]:
    places = [{"document": d, "label": label, "kind": "clause", "page": page} for d, label, page in gold]
    kind = "value" if gold else "unanswerable"
    base = {"id": f"q{number}", "question": f"question {number}", "style": "site", "type": kind}
    return base | {"documents": ["K"], "gold": places, "also": [], "values": [], "answer": "?"} | more


def test_a_half_answer_is_a_miss(tmp_path: Path) -> None:
    library = FakeLibrary(
        hits={
            "question 1": [place("K", "1.1", 3), place("K", "9.9", 3), place("K", "1.2|1.3", 4)],
            "question 2": [place("K", "1.1", 3)],
        }
    )
    both = write_rows(
        tmp_path / "q.jsonl", row(1, ("K", "1.1", 3), ("K", "1.3", 4)), row(2, ("K", "1.1", 3), ("K", "7", 9))
    )
    result = figures(evaluate_questions(library, [both]).questions)
    assert result is not None
    assert (result.questions, result.complete_5, result.any_5, result.mrr) == (2, 0.5, 1.0, 1.0)
    assert result.page_10 == 0.5


def test_a_rank_beyond_the_cutoff_is_no_hit(tmp_path: Path) -> None:
    noise = [place("K", f"9.{n}", 50) for n in range(7)]
    library = FakeLibrary(hits={"question 1": [*noise, place("K", "1.1", 3)]})
    result = figures(
        evaluate_questions(library, [write_rows(tmp_path / "q.jsonl", row(1, ("K", "1.1", 3)))]).questions
    )
    assert result is not None
    assert (result.complete_5, result.complete_10, result.any_5, result.mrr) == (0, 1, 0, 1 / 8)


def test_stages_are_judged_side_by_side_in_their_order(tmp_path: Path) -> None:
    wanted, other = place("K", "1.1", 3), place("K", "2.2", 9)
    library = FakeLibrary(
        hits={"question 1": [other]},
        stages={"question 1": {"fused": (other, wanted), "lexical": (wanted,), "dense": (other,)}},
    )
    path = write_rows(tmp_path / "q.jsonl", row(1, ("K", "1.1", 3)))
    report = evaluate_questions(library, [path])
    assert report.stages == ("lexical", "dense", "fused", "closure")
    ranks = report.questions[0].gold[0].ranks
    assert ranks == {"lexical": 1, "dense": None, "fused": 2, "closure": None}


def test_values_must_be_said_in_answer_or_quote(tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "q.jsonl",
        row(1, ("K", "1.1", 3), values=["150 mm"]),
        row(2, ("K", "1.1", 3), values=["150 mm"]),
        row(3, ("K", "1.1", 3), values=["150 mm"]),
        row(4, ("K", "1.1", 3)),
    )
    library = FakeLibrary(texts={"question 1": "at least 150mm", "question 2": "at least 50 mm"})
    answers = answer_figures(evaluate_questions(library, [path]).questions)
    assert answers is not None
    assert answers.values_asked == 3
    assert answers.value == pytest.approx(1 / 3)  # the refused third counts as not said
    assert "150" in said(grounded("q", [], "see the quote", quote="150 mm"))


def test_not_found_counts_both_ways(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "q.jsonl", row(1), row(2), row(3, ("K", "1.1", 3)), row(4, ("K", "1.1", 3)))
    library = FakeLibrary(texts={"question 1": "made up", "question 4": "right"})
    answers = answer_figures(evaluate_questions(library, [path]).questions)
    assert answers is not None
    assert (answers.unanswerable, answers.not_found_recall) == (2, 0.5)
    assert (answers.not_found_precision, answers.refused) == (0.5, 0.5)


def test_one_question_that_fails_is_a_result(tmp_path: Path) -> None:
    path = write_rows(
        tmp_path / "q.jsonl", row(1, ("K", "1.1", 3), question="broken"), row(2, ("K", "1.1", 3))
    )
    library = FakeLibrary(hits={"question 2": [place("K", "1.1", 3)]}, texts={"question 2": "yes"})
    failed, well = evaluate_questions(library, [path]).questions
    assert (failed.outcome, failed.message) == ("failed", "it is broken")
    assert not failed.complete_at(20)
    assert well.complete_at(5)


def test_a_question_that_nobody_judged_counts_for_nothing(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "q.jsonl", row(1, type="imported"), row(2, ("K", "1.1", 3)))
    report = evaluate_questions(FakeLibrary(), [path])
    assert ([result.id for result in report.questions], report.not_judged) == (["q2"], 1)


def test_a_question_is_judged_with_the_filter_that_it_was_asked_with(tmp_path: Path) -> None:
    library = FakeLibrary()
    narrowed = row(1, filter={"documents": ["K"], "kinds": ["formula"], "normative": True})
    evaluate_questions(library, [write_rows(tmp_path / "q.jsonl", narrowed, row(2))])
    first, *_, last = library.filters
    assert ([*first.documents], [*first.kinds], first.normative) == (["K"], ["formula"], True)
    assert last == EVERYTHING


def test_groups_are_by_type_style_places_and_document(tmp_path: Path) -> None:
    many = [("K", f"1.{n}", 3) for n in range(6)]
    path = write_rows(
        tmp_path / "q.jsonl", row(1, *many), row(2, many[0], documents=["K", "M1"], type="figure"), row(3)
    )
    named = groups(evaluate_questions(FakeLibrary(), [path]).questions)
    assert {group: list(members) for group, members in named.items()} == {
        "type": ["figure", "unanswerable", "value"],
        "style": ["site"],
        "places wanted": ["0", "1", "4 and more"],
        "document": ["K"],
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no judged questions"),
        ("{", "line 1 is not a judged question"),
        ('{"id": "a"}', "line 1 is not a judged question"),
        ('{"id": "a", "question": "b"}\n\n{"id": "a", "question": "c"}', "line 3: the id a stands twice"),
        ('{"id": "a", "question": "b", "gold": [{"document": "K"}]}', "line 1 is not"),
    ],
)
def test_a_file_that_is_not_one_of_questions_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=says):
        evaluate_questions(FakeLibrary(), [path])


def test_a_missing_file_and_one_that_is_not_text(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no file"):
        evaluate_questions(FakeLibrary(), [tmp_path / "none.jsonl"])
    (tmp_path / "x.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="cannot be read as text"):
        evaluate_questions(FakeLibrary(), [tmp_path / "x.jsonl"])


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, 0.0), ([7], 0.95, 7), ([4, 1, 3, 2], 0.5, 2), (list(range(1, 101)), 0.95, 95)],
)
def test_percentiles_are_values_that_occurred(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected
