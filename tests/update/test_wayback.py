"""What a box sends back: nothing of it is lost, nothing comes twice, and odd notes end in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.errors import BadInput
from appliance.core.evidence import Evidence, NotFound, Query
from appliance.site import saved
from appliance.site.gaps_and_feedback import About, Shown, Site
from appliance.site.saved import Kept, KeptCitation, KeptStatement
from appliance.store.write import write_library
from appliance.update import apply, returned_notes
from appliance.update.keys import load_private
from appliance.update.status import BOX_KEY, box_fingerprint
from tests import factories
from tests.store.libraries import chunked
from tests.update.simulator import SETTINGS, Builder, new_box, update

MOAT = "How wide is a moat?"
NO_LABEL = (
    b'{"box": "a", "notes": [{"id": "1", "request": "2", "verdict": "helpful", '
    b'"shown": [{"document": "d", "label": 7, "page": 1, "kind": "clause"}]}]}'
)
KEPT = Kept(
    "how high is guarding",
    "answer",
    (KeptStatement("It is 1100 mm high.", (1,), confirmed=True),),
    (
        KeptCitation(
            1, "DC-1-3", "DC 1-3", "2020", "in force", "5.2", "5.2", 1, "1", (), "Guarding stands 1100 mm"
        ),
    ),
    "v1",
)


def brought(box: apply.Box, folder: Path) -> list[dict[str, Any]]:
    """Export and import; return the notes that are new."""
    returned_notes.export(box.home, folder)
    file, boxes = folder / "notes.jsonl", folder / "boxes"
    return list(returned_notes.bring(folder, boxes, file, box_fingerprint(box.home)).new)


def test_a_saved_answer_goes_back_whole_with_what_was_written_on_it(box: apply.Box, tmp_path: Path) -> None:
    site = Site(box.home.site_file, SETTINGS.site)
    key = saved.save(site, KEPT, "Too low for the roof\nask the builder")
    (note,) = brought(box, tmp_path)
    assert (note["note"], note["written"]) == ("answers", "Too low for the roof\nask the builder")
    kept = note["kept"]
    assert isinstance(kept, dict)
    assert kept["statements"][0]["text"] == "It is 1100 mm high."
    assert kept["citations"][0]["quote"] == "Guarding stands 1100 mm"
    assert brought(box, tmp_path) == []
    saved.note(site, key, "Mended", saved.mark("Too low for the roof\nask the builder"))
    assert [note["written"] for note in brought(box, tmp_path)] == ["Mended"]


def test_what_was_helpful_or_right_is_named_by_its_kind(builder: Builder, tmp_path: Path) -> None:
    plain = factories.document(
        factories.spread({"5.1": "Beams."}), tables=[factories.table("Table 5.1", [["Width"], ["90 mm"]])]
    )
    write_library(tmp_path / "codes.db", [replace(plain, chunks=chunked(plain).chunks)])
    served = new_box(tmp_path / "box", builder.root(), "site-1")
    update(served, builder.bundle(library=tmp_path / "codes.db", golden=()))
    site = Site(served.home.site_file, SETTINGS.site)
    shown = [Shown(plain.id, label, 1) for label in ("Table 5.1", "5.1", "9.9")]
    for place in shown:
        site.add_feedback(About(place.label, "how wide", (place,), "v"), "helpful")
    site.add_correction(About("r", "how high", (), "v"), right=shown[:1], wrong=[])
    found = {
        (note["note"], note["request"]): [(gold["label"], gold["kind"]) for gold in note["gold"]]
        for note in brought(served, tmp_path)
    }
    assert found == {
        ("feedback", "Table 5.1"): [("Table 5.1", "table")],
        ("feedback", "5.1"): [("5.1", "clause")],
        ("feedback", "9.9"): [],  # the library has no such place: left for a person
        ("corrections", "r"): [("Table 5.1", "table")],
    }


def test_a_gap_that_is_asked_again_comes_once(box: apply.Box, tmp_path: Path) -> None:
    site = Site(box.home.site_file, SETTINGS.site)
    for request in ("r1", "r2"):
        evidence = Evidence(Query(MOAT, "general", ()), (), (), (), (), 0.1, {})
        assert site.keep_gap(NotFound(MOAT, evidence, ("DC-1",), ("nothing",)), "v1", request)
        assert len(brought(box, tmp_path)) == (request == "r1")


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"[" * 100_000,
        b"\xff",
        b'{"box": "a", "notes": 5}',
        b'{"box": "a", "notes": [5]}',
        b'{"box": "a", "notes": [{"id": "1"}]}',
        b'{"box": "a", "notes": [{"id": "1", "request": "2", "verdict": "helpful", "shown": [5]}]}',
        b'{"box": "a", "notes": [{"id": "1", "request": "2", "gold": 5}]}',
        NO_LABEL,
        b'{"box": "\\ud800", "notes": [{"id": "1", "request": "2"}]}',
    ],
    ids=lambda content: content[:60].decode(errors="replace"),
)
def test_odd_notes_that_a_known_box_signed(content: bytes, box: apply.Box, tmp_path: Path) -> None:
    returned_notes.export(box.home, tmp_path)
    folder, file = tmp_path / returned_notes.FOLDER, tmp_path / "notes.jsonl"
    signed = load_private(box.home.path / BOX_KEY).sign(returned_notes._PURPOSE + content)
    (folder / returned_notes.NOTES).write_bytes(content)
    (folder / returned_notes.SIGNATURE).write_text(signed.hex())
    with pytest.raises(BadInput, match="cannot be read"):
        returned_notes.bring(tmp_path, tmp_path / "boxes", file, box_fingerprint(box.home))
    assert not file.exists()


@pytest.mark.parametrize("line", ["5", "[" * 100_000, '{"note": "gaps"}', "{"])
def test_an_odd_file_of_notes(line: str, box: apply.Box, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text(f"{line}\n")
    Site(box.home.site_file, SETTINGS.site)
    if json_object(line):
        assert brought(box, tmp_path) == []
    else:
        with pytest.raises(BadInput, match="line 1 is not a judged question"):
            brought(box, tmp_path)


def test_a_file_of_notes_that_somebody_has_edited(box: apply.Box, tmp_path: Path) -> None:
    file, site = tmp_path / "notes.jsonl", Site(box.home.site_file, SETTINGS.site)
    file.write_text('{"note": "gaps", "question": "mine"}')  # without the end of its line
    saved.save(site, KEPT, "")
    assert len(brought(box, tmp_path)) == 1
    assert [json_object(line) for line in file.read_text().splitlines()] == [True, True]


def json_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
