"""The attacks that the TUF specification names (section 1.5.2), each tried on a box that serves version 1.

Source: https://theupdateframework.github.io/specification/latest/#goals-to-protect-against-specific-attacks
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tuf.api.metadata import Metadata, Timestamp

from appliance.core.errors import UpdateRefused
from appliance.update import apply, home, keys
from appliance.update.intake.stick import BUNDLE, find_stick
from tests.update import simulator
from tests.update.conftest import SOAK, box_in
from tests.update.simulator import TEXTS, Builder, copy, resign, target, update, version

MUTATED = 5_000 if SOAK else 60
MORE = TEXTS | {"7.1": "Handrails stand 900 millimetres above the pitch line of a stair."}


def refused(box: apply.Box, stick: Path) -> str:
    """Why the box does not take a stick on; it goes on serving what it served, and keeps nothing."""
    before = version(box)
    with pytest.raises(UpdateRefused) as caught:
        update(box, stick)
    assert version(box) == before
    state = home.load_state(box.home)
    assert {path.name for path in box.home.generations.iterdir()} <= {state.current, state.previous}
    return caught.value.code


def metadata(stick: Path, ending: str) -> Path:
    return next((stick / BUNDLE / "metadata").glob(f"*{ending}"))


def test_arbitrary_installation(box: apply.Box, tmp_path: Path) -> None:
    assert refused(box, Builder.new(tmp_path / "stranger").bundle()) == "foreign"


def test_arbitrary_installation_with_the_roots_of_the_builder(
    box: apply.Box, tmp_path: Path, one: Path
) -> None:
    stick = Builder.new(tmp_path / "stranger").bundle()
    shutil.copy(one / BUNDLE / "metadata" / "1.root.json", stick / BUNDLE / "metadata")
    assert refused(box, stick) == "foreign"


def test_a_root_that_too_few_have_signed(box: apply.Box, two: Path, builder: Builder, tmp_path: Path) -> None:
    loaded = builder.keys
    root = loaded.root.signed
    root.version = 2
    stick = copy(two, tmp_path / "stick")
    content = keys.signed(root, loaded.of("root")[:1])
    (stick / BUNDLE / "metadata" / "2.root.json").write_bytes(content)
    assert refused(box, stick) == "foreign"


def test_endless_data_in_the_metadata(box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    with metadata(stick, "timestamp.json").open("ab") as file:
        file.truncate(10 << 20)
    assert refused(box, stick) == "damaged"


def test_endless_data_in_a_file(box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    os.truncate(target(stick, "codes.db"), 1 << 30)
    assert refused(box, stick) in {"damaged", "half"}


def test_extraneous_dependencies(box: apply.Box, builder: Builder) -> None:
    stick = builder.bundle(MORE)
    resign(stick, builder, version=4, files={"install.sh": b"#!/bin/sh\nreboot\n"})
    assert refused(box, stick) == "strange"


def test_rollback(box: apply.Box, one: Path, two: Path) -> None:
    update(box, two)
    assert refused(box, one) == "older"


def test_rollback_by_a_release_that_says_another_version(box: apply.Box, builder: Builder, two: Path) -> None:
    update(box, two)
    stick = builder.bundle(TEXTS)
    release = simulator.release_of(stick) | {"version": 1}
    resign(stick, builder, version=4, files={"release.json": json.dumps(release).encode()})
    assert refused(box, stick) == "strange"


def test_replay_of_the_present_version(box: apply.Box, one: Path) -> None:
    assert refused(box, one) == "same"


def test_another_bundle_under_the_same_number(box: apply.Box, builder: Builder, tmp_path: Path) -> None:
    twin = Builder(tmp_path / "twin")  # the folder of the keys was put back from an older copy
    shutil.copytree(builder.folder / "keys", twin.folder / "keys")
    update(box, builder.bundle(MORE))
    other = twin.bundle(TEXTS | {"7.2": "Walls are plumb."})
    assert refused(box, other) == "twin"
    apply.go_back(box)
    assert refused(box, other) == "twin"


def test_fast_forward_is_mended_by_new_keys(box: apply.Box, builder: Builder) -> None:
    stick = builder.bundle(MORE)
    resign(stick, builder, version=999, files=_version(stick, 999))  # by whoever stole the key
    update(box, stick)
    assert version(box) == 999
    honest = builder.bundle(TEXTS | {"8.1": "Floors carry what stands on them."}, to="honest")
    assert refused(box, honest) == "older"
    keys.rotate(builder.keys, "release-1")
    mended = builder.bundle(TEXTS | {"8.1": "Floors carry what stands on them."}, to="mended")
    assert update(box, mended).release.version == 5


def _version(stick: Path, number: int) -> dict[str, bytes]:
    return {"release.json": json.dumps(simulator.release_of(stick) | {"version": number}).encode()}


def test_indefinite_freeze_ends_with_a_bundle_that_says_so(
    box: apply.Box, two: Path, builder: Builder, tmp_path: Path
) -> None:
    stick = copy(two, tmp_path / "stick")
    path = metadata(stick, "timestamp.json")
    content = Metadata[Timestamp].from_bytes(path.read_bytes()).signed
    content.expires = datetime(2020, 1, 1, tzinfo=UTC)
    path.write_bytes(keys.signed(content, builder.keys.of("timestamp")))
    assert refused(box, stick) == "expired"


@pytest.mark.parametrize("missing", ["timestamp.json", "snapshot.json", "targets.json"])
def test_malicious_mirror_withholds_metadata(missing: str, box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    metadata(stick, missing).unlink()
    assert refused(box, stick) == "half"


@pytest.mark.parametrize("name", ["codes.db", "release.json", "images.json"])
def test_malicious_mirror_withholds_a_file(name: str, box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    target(stick, name).unlink()
    assert refused(box, stick) == "half"


@pytest.mark.parametrize("ending", ["snapshot.json", "targets.json"])
def test_mix_and_match_of_metadata(ending: str, box: apply.Box, one: Path, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    metadata(stick, ending).write_bytes(metadata(one, ending).read_bytes())
    assert refused(box, stick) in {"damaged", "older"}


def test_mix_and_match_of_files(box: apply.Box, builder: Builder, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    other = builder.bundle({key: text.replace("12", "13") for key, text in MORE.items()})
    target(stick, "codes.db").write_bytes(target(other, "codes.db").read_bytes())
    assert refused(box, stick) in {"half", "damaged"}


def test_wrong_software_of_the_right_length(box: apply.Box, two: Path, tmp_path: Path) -> None:
    stick = copy(two, tmp_path / "stick")
    path = target(stick, "codes.db")
    path.write_bytes(path.read_bytes().replace(b"balcony", b"parapet"))
    assert refused(box, stick) == "damaged"


def test_key_compromise_the_stolen_key_is_revoked(box: apply.Box, builder: Builder, tmp_path: Path) -> None:
    stolen = builder.keys
    keys.rotate(builder.keys, "release-1")
    honest = builder.bundle(MORE)
    forged = copy(honest, tmp_path / "forged")
    resign(forged, builder, version=9, files=_version(forged, 9), signers=stolen)
    assert refused(box, forged) == "foreign"
    assert update(box, honest).release.version == 3


def test_new_keys_stick_although_the_rest_of_the_bundle_is_refused(
    box: apply.Box, builder: Builder, tmp_path: Path
) -> None:
    by_old_keys = copy(builder.bundle(MORE), tmp_path / "old")
    keys.rotate(builder.keys, "release-1")
    broken = copy(builder.bundle(MORE), tmp_path / "broken")
    metadata(broken, "timestamp.json").unlink()
    assert refused(box, broken) == "half"
    assert refused(box, by_old_keys) == "foreign"


def test_a_box_three_roots_behind_catches_up_with_one_stick(box: apply.Box, builder: Builder) -> None:
    for name in ("release-1", "root-1", "release-2"):
        keys.rotate(builder.keys, name)
    assert update(box, builder.bundle(MORE)).release.version == 3


@pytest.mark.parametrize(
    "name",
    [
        "../codes.db", "/etc/passwd", "gen/../../state.json", "models/../../state.json", "models/.hidden",
        "codes.db/inner", "CODES.DB", "codes.db.images/x.webp", "models/a/b/c/d/e", "images/1.pack",
        "models/a\\b", "models/a\nb", "models/", "codes.db\0", "state.json", "gen/x", "codes.db.site",
    ],
)  # fmt: skip
def test_hostile_names_although_they_are_signed(name: str, box: apply.Box, builder: Builder) -> None:
    stick = builder.bundle(MORE)
    resign(stick, builder, version=4, files=_version(stick, 4) | {name: b"hostile"})
    before = sorted(path.relative_to(box.home.path) for path in box.home.path.rglob("*"))
    assert refused(box, stick) == "strange"
    assert sorted(path.relative_to(box.home.path) for path in box.home.path.rglob("*")) == before


@pytest.mark.parametrize("year", [1970, 2100, 9000])
def test_a_wrong_clock_decides_nothing(
    year: int, box: apply.Box, one: Path, two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003 - its signature
            return datetime(year, 1, 1, tzinfo=UTC)

    from tuf.ngclient._internal import trusted_metadata_set as inside

    monkeypatch.setattr(inside.datetime, "datetime", Clock)
    monkeypatch.setattr("time.time", lambda: datetime(year, 1, 1, tzinfo=UTC).timestamp())
    assert update(box, two).release.version == 2
    assert refused(box, one) == "older"
    assert '"clock":false' in box.home.audit_file.read_text().splitlines()[-1]


def mutate(stick: Path, chance: random.Random) -> str:
    """Change something on a stick and say what."""
    files = sorted(path for path in stick.rglob("*") if path.is_file())
    path = chance.choice(files)
    content = bytearray(path.read_bytes())
    at = chance.randrange(max(1, len(content)))
    kind = chance.choice(["flip", "cut", "grow", "remove", "zero", "swap", "shuffle", "empty", "number"])
    if kind == "flip" and content:
        content[at] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del content[at:]
    elif kind == "grow":
        content += chance.randbytes(chance.randrange(1, 5000))
    elif kind == "zero":
        content[at : at + 512] = bytes(len(content[at : at + 512]))
    elif kind == "swap":
        content = bytearray(chance.choice(files).read_bytes())
    elif kind == "shuffle":
        part = content[at : at + 64]
        chance.shuffle(part)
        content[at : at + 64] = part
    elif kind == "number":
        digits = [place for place, byte in enumerate(content) if chr(byte).isdigit()]
        if digits:
            content[chance.choice(digits)] = ord(str(chance.randrange(10)))
    if kind == "remove":
        path.unlink()
    else:
        path.write_bytes(b"" if kind == "empty" else bytes(content))
    return f"{kind} {path.name[:20]}"


def test_mutated_bundles_are_refused_or_give_the_signed_bytes(
    office: Path, two: Path, quick: Path, told: Callable[[str], None]
) -> None:
    signed = apply.prepare(box_in(office, quick / "first"), find_stick(two))
    chance = random.Random(11)
    seen: Counter[str] = Counter()
    for number in range(MUTATED):
        box = box_in(office, quick / "box")
        stick = copy(two, quick / "stick")
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            mutate(stick, chance)
        try:
            staged = apply.prepare(box, find_stick(stick))
        except UpdateRefused as error:
            seen[error.code] += 1
        else:
            seen["accepted"] += 1
            assert staged.files == signed.files, number
            name = home.load_state(box.home).staged
            assert home.whole(box.home, name) == staged
        assert version(box) == 1
        shutil.rmtree(quick / "box")
        shutil.rmtree(quick / "stick")
    told(f"{MUTATED} mutated bundles: {dict(seen.most_common())}, other bytes installed 0, other errors 0")
    assert seen["accepted"] < MUTATED / 2
