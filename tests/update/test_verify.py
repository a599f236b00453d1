"""What a box decides from facts alone: tables of cases, no file opened."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import appliance
from appliance.core.errors import UpdateRefused
from appliance.update.intake.verify import MIB, Facts, check_names, decide
from appliance.update.values import File, Installed, Pack, Release, State, Wanted
from appliance.update.words import WORDS, refusal

PACKAGE = Path(appliance.__file__).parent
LIBRARY, PATCH, PICTURE, MODEL = ("1" * 64, "2" * 64, "3" * 64, "4" * 64)
BASE = "b" * 64
FILES = (
    Wanted("codes.db", 10 * MIB, LIBRARY),
    Wanted(f"codes.db.from-{BASE[:16]}.patch", MIB, PATCH),
    Wanted("images.json", 100, "5" * 64),
    Wanted("images/0000.pack", 30, "6" * 64),
    Wanted("models/small/model.onnx", 5 * MIB, MODEL),
    Wanted("release.json", 100, "7" * 64),
)
PACKS = (Pack("images/0000.pack", ((f"{PICTURE}.webp", 30),)),)
RELEASE = Release(format=1, version=7, schema=4)
EVERYTHING = frozenset(file.sha256 for file in FILES)
FACTS = Facts(
    state=State(box="site-1", current="6-aa", floor=6, key_set="ours", failed="f" * 64),
    key_set="ours",
    digest="d" * 64,
    release=RELEASE,
    files=FILES,
    packs=PACKS,
    here=None,
    on_stick=EVERYTHING,
    schema=4,
    free=1 << 40,
    most=1 << 40,
)


def here(*hashes: str, digest: str = "e" * 64) -> Installed:
    files = tuple(File(f"file {number}", 1, sha256) for number, sha256 in enumerate(hashes))
    return Installed(msgspec.structs.replace(RELEASE, version=6), digest, files)


def released(**what: Any) -> Release:
    return msgspec.structs.replace(RELEASE, **what)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"release": released(version=5)}, "older"),
        ({"release": released(schema=5)}, "too new"),
        ({"release": released(format=2)}, "too new"),
        ({"release": released(schema=3)}, "too old"),
        ({"release": released(box="site-2")}, "other box"),
        ({"digest": "f" * 64}, "failed"),
        ({"here": here(digest="d" * 64)}, "same"),
        ({"free": 10 * MIB}, "no room"),
        ({"most": 10 * MIB}, "too large"),
        ({"on_stick": EVERYTHING - {LIBRARY}}, "half"),
        ({"on_stick": EVERYTHING - {MODEL}}, "half"),
        ({"on_stick": EVERYTHING - {"6" * 64}}, "half"),
        ({"on_stick": EVERYTHING - {LIBRARY}, "release": released(base=5)}, "base"),
        ({"packs": ()}, "strange"),
        ({"packs": (*PACKS, Pack("images/0001.pack", ()))}, "strange"),
        ({"packs": (Pack("images/0000.pack", ((f"{PICTURE}.webp", 29),)),)}, "strange"),
        ({"packs": (Pack("images/0000.pack", (("../state.json", 30),)),)}, "strange"),
        (
            {"packs": (Pack("images/0000.pack", ((f"{PICTURE}.webp", 40), (f"{LIBRARY}.webp", -10))),)},
            "strange",
        ),
        (
            {"packs": (Pack("images/0000.pack", ((f"{PICTURE}.webp", 15), (f"{PICTURE}.webp", 15))),)},
            "strange",
        ),
    ],
)
def test_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(UpdateRefused) as caught:
        decide(replace(FACTS, **change))
    assert caught.value.code == why


@pytest.mark.parametrize(
    ("change", "ways"),
    [
        ({}, ["copy", "unpack", "copy"]),
        ({"here": here(LIBRARY)}, ["keep", "unpack", "copy"]),
        ({"here": here(LIBRARY, PICTURE, MODEL), "on_stick": frozenset()}, ["keep", "keep", "keep"]),
        ({"here": here(BASE), "on_stick": EVERYTHING - {LIBRARY}}, ["patch", "unpack", "copy"]),
        ({"here": here(BASE)}, ["copy", "unpack", "copy"]),
        ({"release": released(version=6)}, ["copy", "unpack", "copy"]),
        ({"release": released(version=1), "key_set": "new"}, ["copy", "unpack", "copy"]),
        ({"release": released(box="site-1")}, ["copy", "unpack", "copy"]),
        ({"digest": "f" * 64, "again": True}, ["copy", "unpack", "copy"]),
    ],
)
def test_taken_on(change: dict[str, Any], ways: list[str]) -> None:
    plan = decide(replace(FACTS, **change))
    assert [source.how for source in plan.sources] == ways


def test_damage_lets_the_same_version_in() -> None:
    state = msgspec.structs.replace(FACTS.state, damaged="6-aa")
    assert decide(replace(FACTS, here=here(digest="d" * 64), state=state)).release.version == 7


def test_what_is_kept_by_link_needs_no_room() -> None:
    assert decide(FACTS).need == 15 * MIB + 30
    assert decide(replace(FACTS, here=here(PICTURE))).need == 15 * MIB


@pytest.mark.parametrize(
    "files",
    [
        [*FILES, Wanted("CODES.DB", 1, "8" * 64)],
        [*FILES, Wanted("images.json", 1, "8" * 64)],
        [*FILES, Wanted("install.sh", 1, "8" * 64)],
        [*FILES, Wanted("models/../x", 1, "8" * 64)],
        [*FILES, Wanted("models/a", -1, "8" * 64)],
        [*FILES, Wanted("models/a", 1, "8" * 63)],
        [*FILES, Wanted("models/a", 1, "../" * 21 + "x")],
        [
            file if file.name != "release.json" else Wanted("release.json", 1 << 40, "8" * 64)
            for file in FILES
        ],
        [file if file.name != "images.json" else Wanted("images.json", 1 << 40, "8" * 64) for file in FILES],
    ],
)
def test_names_that_have_no_place(files: Sequence[Wanted]) -> None:
    with pytest.raises(UpdateRefused, match="has no place"):
        check_names(files)


@pytest.mark.parametrize("missing", ["codes.db", "release.json", "images.json"])
def test_names_that_are_needed(missing: str) -> None:
    with pytest.raises(UpdateRefused, match="not complete"):
        check_names([file for file in FILES if file.name != missing])


@pytest.mark.parametrize("why", WORDS)
def test_every_refusal_says_what_is_wrong_and_what_to_do(why: str) -> None:
    class Facts(dict[str, str]):
        def __missing__(self, key: str) -> str:
            return f"({key})"

    said = WORDS[why].format_map(Facts())
    sentences = said.replace(": appliance", " appliance").split(". ")
    assert len(sentences) >= 2 or ";" in said
    assert len(said) <= 260
    assert "{" not in said


def test_a_refusal_carries_its_reason() -> None:
    error = refusal("no room", free=3, need=70)
    assert (error.code, error.exit_code) == ("no room", 25)
    assert "3 MiB left" in str(error)


def test_what_is_refused_has_its_words_and_no_words_are_left_over() -> None:
    files = [*(PACKAGE / "update").rglob("*.py"), PACKAGE / "cli" / "update.py"]
    sources = [path.read_text(encoding="utf-8") for path in files if path.name != "words.py"]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "refusal"]
    assert len(calls) > 40
    assert texts(part for call in calls for part in ast.walk(call.args[0])) <= WORDS.keys() <= texts(nodes)


def texts(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
