"""The builder's side: keys, bundles with patches and without what a box has, and the way back."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from appliance.cli.update import print_changes
from appliance.core.document import Label
from appliance.core.errors import BadInput, UpdateRefused
from appliance.core.settings import LlmSettings, ModelSettings
from appliance.evaluation.questions import load_questions
from appliance.keeping.compare import CELLS
from appliance.library import Library
from appliance.models.add import add
from appliance.models.catalogue import Entry, load_figure_reader, load_generator
from appliance.site.gaps_and_feedback import About, Row, Shown, Site
from appliance.site.saved import Kept, KeptCitation, Saved
from appliance.store.read import Store
from appliance.store.write import write_library
from appliance.update import apply, home, keys, returned_notes
from appliance.update.bundle import Content, create, golden_questions
from appliance.update.changes.compare import compare
from appliance.update.changes.touched import touched
from appliance.update.intake import delta
from appliance.update.intake.stick import find_stick
from appliance.update.status import box_fingerprint, make_home, status
from tests import factories
from tests.gguf_maker import write_gguf, write_projector, write_seeing
from tests.update import power, simulator
from tests.update.simulator import SETTINGS, TEXTS, Builder, target, targets, update, version, write_codes

CHANGED = TEXTS | {
    "5.2": "Guarding stands 1300 millimetres above the balcony.",
    "7.1": "A stair has a handrail.",
}
del CHANGED["6.3"]
NAMES = ("writes", "sees")  # of a language model and a vision model


# -- keys


def test_new_keys_are_two_of_three_and_readable_by_their_owner_alone(tmp_path: Path) -> None:
    made = keys.new_keys(tmp_path / "keys")
    root = made.root.signed
    assert (root.roles["root"].threshold, len(root.roles["root"].keyids)) == (2, 3)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "keys").glob("*.pem")} == {0o600}
    assert sorted(keys.names(made).values()) == ["release-1", "root-1", "root-2", "root-3"]


def test_new_keys_never_take_the_place_of_others(tmp_path: Path) -> None:
    keys.new_keys(tmp_path / "keys")
    with pytest.raises(BadInput, match="not empty"):
        keys.new_keys(tmp_path / "keys")


def test_keys_under_a_passphrase(tmp_path: Path) -> None:
    keys.new_keys(tmp_path / "keys", b"three words here")
    assert len(keys.load_keys(tmp_path / "keys", passphrase=b"three words here").signers) == 4
    with pytest.raises(BadInput, match="passphrase"):
        keys.load_keys(tmp_path / "keys", passphrase=b"other")


@pytest.mark.parametrize(("away", "works"), [(["root-1"], True), (["root-1", "root-2"], False)])
def test_a_key_is_replaced_by_two_of_three(
    away: list[str], works: bool, builder: Builder, tmp_path: Path
) -> None:
    for name in away:
        (builder.folder / "keys" / f"{name}.pem").rename(tmp_path / f"{name}.pem")
    if works:
        keys.rotate(builder.keys, "release-1")
        assert builder.keys.root.signed.version == 2
        return
    with pytest.raises(BadInput, match="--with"):
        keys.rotate(builder.keys, "release-1")
    assert builder.keys.root.signed.version == 1
    also = keys.load_keys(builder.folder / "keys", [tmp_path / "root-2.pem"])
    keys.rotate(also, "release-1")
    assert builder.keys.root.signed.version == 2


@pytest.mark.parametrize("name", ["root-2", "release-1"])
def test_a_replaced_key_counts_no_more(name: str, builder: Builder, box: apply.Box) -> None:
    before = builder.keys.root.signed.roles[
        name.split("-", maxsplit=1)[0].replace("release", "targets")
    ].keyids
    made = keys.rotate(builder.keys, name)
    after = builder.keys.root.signed
    assert name not in keys.names(builder.keys).values()
    assert made.stem in keys.names(builder.keys).values()
    assert len(set(before) & set(after.keys)) == len(before) - 1
    assert update(box, builder.bundle(CHANGED)).release.version == 3


@pytest.mark.parametrize("name", ["release-9", "../root-1", "", "root"])
def test_a_key_that_is_not_there(name: str, builder: Builder) -> None:
    with pytest.raises(BadInput, match="no key"):
        keys.rotate(builder.keys, name)


def test_a_bundle_needs_the_release_key(builder: Builder, tmp_path: Path) -> None:
    (builder.folder / "keys" / "release-1.pem").rename(tmp_path / "away.pem")
    with pytest.raises(BadInput, match="--with"):
        builder.bundle()


# -- bundles


def test_a_small_bundle_gives_the_same_bytes_as_the_whole_one(
    builder: Builder, box: apply.Box, one: Path, tmp_path: Path
) -> None:
    small = builder.bundle(CHANGED, since=one, small=True)
    assert not target(small, "codes.db").exists()
    assert not target(small, "images/0000.pack").exists()
    plan = apply.check(box, find_stick(small))
    assert {source.file.name: source.how for source in plan.sources} == {
        "codes.db": "patch",
        "images/0000.pack": "keep",
    }
    done = update(box, small)
    whole = {name: path for path, name in targets(builder.bundle(CHANGED, to="whole"))}
    assert home.serving(box.home).read_bytes() == whole["codes.db"].read_bytes()
    assert version(box) == done.release.version == 3
    stranger = simulator.new_box(tmp_path / "stranger", builder.root())
    with pytest.raises(UpdateRefused, match="only what changed"):
        apply.check(stranger, find_stick(small))


def test_a_patch_is_added_and_the_library_kept_when_both_fit(builder: Builder, one: Path) -> None:
    stick = builder.bundle(CHANGED, since=one)
    names = [name for path, name in targets(stick) if path.exists()]
    assert "codes.db" in names
    assert any(name.endswith(".patch") for name in names)


@pytest.mark.parametrize("spoil", ["nothing there", "library missing", "metadata missing"])
def test_a_bundle_to_start_from_that_is_not_whole(
    spoil: str, builder: Builder, one: Path, tmp_path: Path
) -> None:
    base = tmp_path / "base"
    if spoil != "nothing there":
        simulator.copy(one, base)
    if spoil == "library missing":
        target(base, "codes.db").unlink()
    if spoil == "metadata missing":
        shutil.rmtree(base / "CODES-UPDATE" / "metadata")
    with pytest.raises(BadInput, match="--since"):
        builder.bundle(CHANGED, since=base)


def test_equal_libraries_give_equal_files(builder: Builder) -> None:
    first, second = builder.bundle(to="first"), builder.bundle(to="second")
    assert {path.name for path, name in targets(first) if name != "release.json"} == {
        path.name for path, name in targets(second) if name != "release.json"
    }


def test_a_bundle_takes_the_place_of_the_one_before(builder: Builder, box: apply.Box) -> None:
    builder.bundle()
    stick = builder.bundle(CHANGED)
    assert {path.name for path in stick.iterdir()} == {"CODES-UPDATE"}
    assert update(box, stick).release.version == 4


@pytest.mark.parametrize("spoil", ["missing", "damaged"])
def test_page_images_are_checked_before_they_are_signed(spoil: str, builder: Builder, tmp_path: Path) -> None:
    library = write_codes(tmp_path / "codes.db")
    image = next((tmp_path / "codes.db.images").iterdir())
    image.unlink() if spoil == "missing" else image.write_bytes(b"other")
    with pytest.raises(BadInput, match="Build the library again"):
        builder.bundle(library=library)
    assert not (builder.folder / "stick" / "CODES-UPDATE").exists()


def test_a_bundle_for_one_box(builder: Builder, box: apply.Box, tmp_path: Path) -> None:
    stick = builder.bundle(CHANGED, box="site-2")
    with pytest.raises(UpdateRefused, match="site-2; this one is site-1"):
        apply.check(box, find_stick(stick))
    other = simulator.new_box(tmp_path / "other", builder.root(), "site-2")
    assert update(other, stick).release.box == "site-2"


def test_models_travel_and_are_used(builder: Builder, box: apply.Box, tmp_path: Path) -> None:
    (tmp_path / "models" / "small").mkdir(parents=True)
    (tmp_path / "models" / "small" / "model.onnx").write_bytes(b"weights")
    (tmp_path / "models" / ".cache").write_bytes(b"stays")
    update(box, builder.bundle(models=tmp_path / "models"))
    library = home.serving(box.home)
    settings = home.settings_at(box.home, SETTINGS, library)
    assert (settings.models.folder / "small" / "model.onnx").read_bytes() == b"weights"
    assert settings.site.file == box.home.site_file
    assert not (settings.models.folder / ".cache").exists()


def test_language_and_vision_models_travel_with_what_vouches_for_them(
    builder: Builder, box: apply.Box, tmp_path: Path
) -> None:
    pytest.importorskip("gguf", reason="random models are written with gguf (extra dev)")
    made = ModelSettings(folder=tmp_path / "models")
    writes, sees = (
        Entry(name=name, role="generator", adapter="gguf", summary="", licence="") for name in NAMES
    )
    add(made, write_gguf(tmp_path / "writes.gguf"), writes)
    add(made, write_seeing(tmp_path / "vl.gguf"), sees, projector=write_projector(tmp_path / "mm.gguf"))
    update(box, builder.bundle(models=made.folder))
    settings = home.settings_at(box.home, SETTINGS, home.serving(box.home))
    assert settings.models.folder != made.folder
    llm = LlmSettings(*NAMES, context_tokens=512, states=tmp_path / "states")
    generator, reader = load_generator(settings.models, llm), load_figure_reader(settings.models, llm)
    assert (generator and generator.name, reader and reader.name) == NAMES


@pytest.mark.parametrize("size", [0, 1, 4096, 300_000])
def test_a_patch_gives_the_new_bytes(size: int) -> None:
    import random

    old = random.Random(1).randbytes(200_000)
    new = (old[1000:] + old[:1000] + random.Random(2).randbytes(size))[: size or None]
    patch = delta.make_patch(old, new)
    assert b"".join(delta.apply_patch(old, patch, len(new))) == new


def test_a_patch_never_gives_more_than_was_signed() -> None:
    bomb = delta.make_patch(b"the library before", bytes(64 << 20))
    assert len(bomb) < 10_000
    pieces: list[int] = []
    with pytest.raises(UpdateRefused, match="damaged"):
        pieces.extend(map(len, delta.apply_patch(b"the library before", bomb, 1 << 20)))
    assert sum(pieces) <= 1 << 20


@pytest.mark.parametrize("patch", [b"", b"nonsense", b"\x28\xb5\x2f\xfd", bytes(100)])
def test_a_patch_that_is_none(patch: bytes) -> None:
    with pytest.raises(UpdateRefused, match="damaged"):
        list(delta.apply_patch(b"the library before", patch, 100))


def test_golden_questions_come_from_the_library_and_are_found_in_it(demo: Library, tmp_path: Path) -> None:
    found = golden_questions(demo, most=6)
    assert len(found) == 6
    assert len({item.document for item in found}) == len(demo.documents())
    judged = tmp_path / "judged.jsonl"
    gold = {"document": found[2].document, "label": found[2].label}
    judged.write_text(json.dumps({"id": "1", "question": found[2].question, "gold": [gold]}) + "\n")
    assert golden_questions(demo, judged, 1)[0].label == found[2].label
    judged.write_text('{"gold": 3}\n')
    with pytest.raises(BadInput, match="line 1"):
        golden_questions(demo, judged)


# -- what changes


def test_changes_by_clause_and_the_notes_that_they_touch(tmp_path: Path) -> None:
    old = write_codes(tmp_path / "old.db")
    new = write_codes(tmp_path / "new.db", CHANGED)
    with Store(old) as before, Store(new) as after:
        changes = compare(before, after)
        assert compare(before, before) == ()
        assert [change.fate for change in compare(None, after)] == ["added"]
        assert [(item.fate, item.label) for item in changes[0].items] == [
            ("changed", "5.2"),
            ("withdrawn", "6.3"),
            ("added", "7.1"),
        ]
        names = ("5.2", "5.1", "6.3", "Section 5", "term:beam")  # as printed, unknown ones last
        rows = [_note(name, name) for name in names]
        found = touched(before, after, changes, rows, {})
        assert [note.question for note in found] == ["5.2", "6.3", "Section 5", "term:beam"]
        assert touched(before, before, (), rows, {}) == ()
        status_alone = [dataclasses.replace(changes[0], after="DC 1-3:2024, superseded", items=())]
        assert len(touched(before, after, status_alone, rows, {})) == len(names)
        kept = {key: _saved(key, quote) for key, quote in (("a", TEXTS["5.2"]), ("b", TEXTS["5.1"]))}
        rows = [Row("answers", 1, About(key, key, (), ""), 0.0) for key in kept]
        found = touched(before, after, changes, rows, kept)
        assert [(note.question, note.places) for note in found] == [("a", (("DC-1-3", "5.1", "changed"),))]
        assert len(touched(before, after, status_alone, rows, kept)) == len(kept)


def _saved(key: str, quote: str) -> Saved:
    """A saved answer whose quotation is given under the label of a clause that stays."""
    said = KeptCitation(1, "DC-1-3", "", "", "in force", "5.1", "5.1", 1, "1", (), quote)
    return Saved(key, 0.0, Kept("", "answer", (), (said,), ""))


def _note(question: str, label: str) -> Row:
    return Row("feedback", 1, About("r", question, (Shown("DC-1-3", Label.from_key(label).key),), ""), 0.0)


DUTY = factories.clause("5.1", "A beam holds a roof, and on it the snow of a hard winter.", "paragraph")
PLAIN = factories.document(
    [dataclasses.replace(DUTY, principle=True)],
    [factories.table("Table 1", [["Use", "", "Load"], ["", "low", "high"], ["A", "1", "2"]])],
    [factories.figure("Figure 1", "A roof", "h b")],
    [factories.formula("(5.1)", "s = 2 h", "where h is the height")],
)  # fmt: skip
HEAD = dataclasses.replace(PLAIN.tables[0].cells[0], column_span=2)
MOVED = tuple(
    dataclasses.replace(cell, column=1) if cell.text == "2" else cell for cell in PLAIN.tables[0].cells
)


@pytest.mark.parametrize(
    ("kind", "field", "value", "label", "fate", "said"),
    [
        ("clauses", "principle", False, "5.1", "changed", "no principle any more"),
        ("clauses", "normative", False, "5.1", "changed", "now informative"),
        ("clauses", "title", "Beams", "5.1", "changed", ""),
        ("clauses", "label", Label.from_key("5.2"), "5.2", "moved", ""),
        ("tables", "cells", (HEAD, *PLAIN.tables[0].cells[1:]), "Table 1", "changed", CELLS),
        ("tables", "cells", MOVED, "Table 1", "changed", CELLS),
        ("tables", "cells", PLAIN.tables[0].cells[:-1], "Table 1", "changed", ""),
        ("formulas", "text", "s = 3 h", "(5.1)", "changed", ""),
        ("figures", "text", "h c", "Figure 1", "changed", ""),
        ("clauses", "kind", "clause", "", "", ""),
        ("clauses", "boxes", (factories.box(2),), "", "", ""),
        ("clauses", "level", 2, "", "", ""),
    ],
)  # fmt: skip
def test_whatever_a_code_says_otherwise_is_told_and_touches_what_rests_on_it(
    kind: str, field: str, value: object, label: str, fate: str, said: str, tmp_path: Path
) -> None:
    changed: dict[str, Any] = {kind: (dataclasses.replace(getattr(PLAIN, kind)[0], **{field: value}),)}
    write_library(tmp_path / "old.db", [PLAIN])
    write_library(tmp_path / "new.db", [dataclasses.replace(PLAIN, **changed)])
    with Store(tmp_path / "old.db") as before, Store(tmp_path / "new.db") as after:
        changes = compare(before, after)
        notes = [_note("q", getattr(PLAIN, kind)[0].label.key)]
        found = touched(before, after, changes, notes, {})
    told = [
        (item.label, item.fate, item.also, bool(item.words)) for change in changes for item in change.items
    ]
    words = fate == "changed" and not said
    assert told == ([(label, fate, (said,) if said else (), words)] if label else [])
    assert len(found) == len(told)


def test_on_the_screen_all_that_changed_or_is_gone_is_listed_and_of_the_rest_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "{} holds all that lies on it, whatever the weather is."
    old = [factories.clause(f"7.{n}", said.format(f"Beam number {n}"), "paragraph") for n in range(60)]
    words = [
        dataclasses.replace(one, passage=factories.passage(f"{one.passage.text} Always.")) for one in old[:14]
    ]
    new = [
        *words,
        *(dataclasses.replace(one, label=Label.from_key(f"8.{n}")) for n, one in enumerate(old[33:])),
    ]
    grids = [factories.table("Table 1", [["Use", "Load"], ["A", value]]) for value in ("0.90", "0.50")]
    for name, clauses, grid in (("old", old, grids[0]), ("new", new, grids[1])):
        write_library(tmp_path / f"{name}.db", [factories.document(clauses, [grid])])
    with Store(tmp_path / "old.db") as before, Store(tmp_path / "new.db") as after:
        changes = [dataclasses.asdict(change) for change in compare(before, after)]
    print_changes({"version": 2, "changes": changes, "unread": "", "site": "", "touched": [], "closes": []})
    lines = capsys.readouterr().out.splitlines()
    assert "15 changed, 19 withdrawn, 27 renumbered" in lines[1]
    assert "    … | Load A | -[0.90] +[0.50]" in lines
    counts = {
        fate: sum(line.startswith(f"  {fate}") for line in lines)
        for fate in ("changed", "withdrawn", "renumbered")
    }
    assert counts == {"changed": 15, "withdrawn": 19, "renumbered": 12}
    assert lines[-1] == "  ... and 15 more renumbered"


def test_a_document_that_is_withdrawn(tmp_path: Path) -> None:
    old = write_codes(tmp_path / "old.db", name="DC-1-4")
    new = write_codes(tmp_path / "new.db")
    with Store(old) as before, Store(new) as after:
        changes = compare(before, after)
    assert [(change.document, change.fate) for change in changes] == [
        ("DC-1-3", "added"),
        ("DC-1-4", "withdrawn"),
    ]


# -- the way back


def noted(box: apply.Box) -> Site:
    site = Site(box.home.site_file, SETTINGS.site)
    site.add_feedback(About("r1", "guarding of a balcony", (Shown("DC-1-3", "5.2", 1),), "v"), "helpful")
    site.add_feedback(About("r2", "width of a beam", (Shown("DC-1-3", "5.1", 1),), "v"), "wrong", "too wide")
    return site


def test_notes_travel_back_once_and_become_judged_questions(
    box: apply.Box, tmp_path: Path, two: Path
) -> None:
    noted(box)
    update(box, two)
    assert len(Site(box.home.site_file, SETTINGS.site).rows("feedback")) == 2  # they outlive an update
    stick, known, file = tmp_path / "usb", tmp_path / "boxes", tmp_path / "notes.jsonl"
    stick.mkdir()
    assert returned_notes.export(box.home, stick) == 2
    with pytest.raises(BadInput, match="--trust"):
        returned_notes.bring(stick, known, file)
    found = returned_notes.bring(stick, known, file, box_fingerprint(box.home))
    assert (found.box, found.notes, len(found.new)) == ("site-1", 2, 2)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    place = {"document": "DC-1-3", "label": "5.2", "kind": "clause", "page": 1}
    assert [row["gold"] for row in rows] == [[place], []]
    assert [len(question.gold) for question in load_questions([file])] == [1, 0], (
        "as the evaluation reads them"
    )
    assert returned_notes.bring(stick, known, file).new == ()
    file.write_text('{"id": "mine"}')  # of a person, with no line end
    assert len(returned_notes.bring(stick, known, file).new) == 2
    assert file.read_text().startswith('{"id": "mine"}\n')


@pytest.mark.parametrize("spoil", ["notes.json", "notes.sig", "box.pub"])
def test_notes_that_somebody_changed(spoil: str, box: apply.Box, tmp_path: Path) -> None:
    noted(box)
    returned_notes.export(box.home, tmp_path)
    path = tmp_path / "CODES-NOTES" / spoil
    content = path.read_bytes()
    path.write_bytes(content.replace(b"5", b"6") if b"5" in content else content[::-1])
    with pytest.raises(BadInput, match="not what a box signed"):
        returned_notes.bring(
            tmp_path, tmp_path / "boxes", tmp_path / "notes.jsonl", box_fingerprint(box.home)
        )


def test_a_stick_without_notes(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no notes"):
        returned_notes.bring(tmp_path, tmp_path / "boxes", tmp_path / "notes.jsonl")


def test_the_next_bundle_says_which_gaps_it_closes(demo: Library, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    questions = ["What density should I use for reinforced concrete?", "how do I bake bread at altitude"]
    file.write_text("".join(json.dumps({"note": "gaps", "question": q}) + "\n" for q in questions))
    assert returned_notes.closed(demo, file) == (questions[0],)


def test_a_home_is_made_once(builder: Builder, tmp_path: Path) -> None:
    from appliance.core.errors import HomeUnusable

    make_home(tmp_path / "home", builder.root())
    with pytest.raises(HomeUnusable, match="already"):
        make_home(tmp_path / "home", builder.root())


def test_a_home_whose_making_was_cut_short_is_made(builder: Builder, quick: Path) -> None:
    steps = power.acts_of(lambda: make_home(quick / "whole", builder.root()))
    for number in range(len(steps)):
        at = quick / str(number)

        def made(at: Path = at) -> object:
            return make_home(at, builder.root(), "site-1")

        power.in_child(made, power.at_act(number, power.kill_self))
        if number % 2 and (at / "box.pem").exists() and not home.is_home(at):
            (at / "box.pem").write_bytes(b"")
        found = home.Home(at) if home.is_home(at) else make_home(at, builder.root(), "site-1")
        assert (home.load_state(found).box, len(box_fingerprint(found))) == ("site-1", 29)


@pytest.mark.parametrize("content", [None, b"", b"no key"])
def test_a_lost_public_key_follows_from_the_private_one(
    content: bytes | None, builder: Builder, tmp_path: Path
) -> None:
    made = make_home(tmp_path / "home", builder.root())
    was = box_fingerprint(made)
    for name in ("box.pub", "box.pem"):
        path = made.path / name
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        if name == "box.pub":
            assert box_fingerprint(made) == was
            path.unlink()
    assert "the key of the box cannot be read" in status(made)["key"]


@pytest.mark.parametrize("root", [b"", b"{}", b"\xff", b'{"signed": {}, "signatures": []}'])
def test_a_home_needs_a_root(root: bytes, tmp_path: Path) -> None:
    with pytest.raises(UpdateRefused, match="damaged"):
        make_home(tmp_path / "home", root)


def test_a_root_that_did_not_sign_itself(builder: Builder, tmp_path: Path) -> None:
    content = json.loads(builder.root())
    content["signed"]["version"] = 5
    with pytest.raises(UpdateRefused, match="damaged"):
        make_home(tmp_path / "home", json.dumps(content).encode())


def test_no_two_bundles_have_one_number(builder: Builder, quick: Path) -> None:
    library = write_codes(quick / "codes.db")

    def made(base: Path | None = None) -> int:
        return create(Content(library), builder.keys, quick / "stick", base).version

    first = made()
    renamed = power.acts_of(made).index("rename")
    power.in_child(made, power.at_act(renamed + 1, power.kill_self))  # its number is kept, no more
    assert made() == first + 3
    last = builder.keys.folder / "last.json"
    last.unlink()
    assert made(quick / "stick") == first + 4
    last.write_bytes(b"{")
    with pytest.raises(BadInput, match="number of the newest bundle"):
        made()


def test_a_bundle_of_what_is_no_library(builder: Builder, tmp_path: Path) -> None:
    from appliance.core.errors import ApplianceError

    (tmp_path / "codes.db").write_text("no library")
    with pytest.raises(ApplianceError, match="cannot be read"):
        create(Content(tmp_path / "codes.db"), builder.keys, tmp_path / "stick")
