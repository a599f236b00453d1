"""Whether a box takes a bundle on, and where each file of it comes from: decided from facts alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from appliance.update.intake.program import is_wheel
from appliance.update.values import (
    FORMAT,
    IMAGES,
    LIBRARY,
    RELEASE,
    REVIEW,
    Installed,
    Pack,
    Release,
    State,
    Wanted,
)
from appliance.update.words import refusal

MIB = 1 << 20
MOST_TEXT = 16 * MIB  # of release.json and images.json, which are read as a whole
MOST_PATCH = 512 * MIB  # is held in memory with the library that it starts from
RESERVE = 64 * MIB  # of the disk, left free besides a tenth of what is needed
_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
_PACK = re.compile(r"images/\d{4}\.pack")
_PATCH = re.compile(r"codes\.db\.from-[0-9a-f]{16}\.patch")
_MODEL = re.compile(rf"models/{_PART}(/{_PART}){{0,3}}")
_IMAGE = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}")
_SHA256 = re.compile(r"[0-9a-f]{64}")

How = Literal["keep", "copy", "patch", "unpack"]


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the decision rests on; `here` is the present generation, None for none."""

    state: State
    key_set: str
    digest: str  # of the signed list of files
    release: Release
    files: Sequence[Wanted]
    packs: Sequence[Pack]
    here: Installed | None
    on_stick: Collection[str]  # sha256 of the files that lie there with their signed length
    schema: int  # of libraries that the program reads
    free: int
    most: int
    again: bool = False
    spare: int = 0  # bytes that would be free if what is not needed to serve were removed

    @property
    def hashes(self) -> Collection[str]:
        """Return the sha256 of the files that are here."""
        return self.here.by_hash.keys() if self.here else ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a file comes from: kept from here, copied from the stick, patched, or unpacked there."""

    file: Wanted
    how: How
    patch: Wanted | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is going to be staged; `need` are the bytes that it will write.

    `room` are those that are to be free before, where something has to be removed for it; else 0.
    """

    release: Release
    digest: str
    sources: tuple[Source, ...]
    packs: Mapping[str, Pack]
    need: int
    room: int = 0


def check_names(files: Sequence[Wanted]) -> None:
    """Refuse a signed list that names what has no place on a box; raises UpdateRefused."""
    seen: set[str] = set()
    for file in files:
        folded = file.name.casefold()
        if not _has_place(file) or folded in seen:
            raise refusal("strange", name=ascii(file.name[:80]))
        seen.add(folded)
    for name in (LIBRARY, RELEASE, IMAGES):
        if name not in seen:
            raise refusal("half", name=name)


def _has_place(file: Wanted) -> bool:
    if file.length < 0 or not _SHA256.fullmatch(file.sha256):
        return False
    if file.name in {RELEASE, IMAGES}:
        return file.length <= MOST_TEXT
    if _PATCH.fullmatch(file.name):
        return file.length <= MOST_PATCH
    known = (_PACK.fullmatch(file.name), _MODEL.fullmatch(file.name))
    return file.name in {LIBRARY, REVIEW} or any(known) or is_wheel(file.name)


def decide(facts: Facts) -> Plan:
    """Return what is to be done; raises UpdateRefused with the reason why not."""
    _check_release(facts)
    packs = {pack.name: pack for pack in facts.packs}
    _check_packs(facts.files, packs)
    sources = tuple(_sources(facts, packs))
    need = facts.release.unpacked
    for source in sources:
        if pack := packs.get(source.file.name):
            need += sum(length for name, length in pack.images if name[:64] not in facts.hashes)
        else:
            need += source.file.length
    if need > facts.most:
        raise refusal("too large", need=need // MIB, most=facts.most // MIB)
    wanted = need + need // 10 + RESERVE
    if wanted > facts.free + facts.spare:
        raise refusal("no room", free=facts.free // MIB, need=wanted // MIB)
    return Plan(facts.release, facts.digest, sources, packs, need, wanted if wanted > facts.free else 0)


def _check_release(facts: Facts) -> None:
    release, state = facts.release, facts.state
    own = any(is_wheel(file.name) for file in facts.files)  # it brings the program that reads it
    if release.format != FORMAT or (release.schema != facts.schema and not own):
        code = "too new" if (release.format, release.schema) > (FORMAT, facts.schema) else "too old"
        raise refusal(code, wanted=release.schema, known=facts.schema)
    if release.box and release.box != state.box:
        raise refusal("other box", wanted=release.box, box=state.box or "without a name")
    if facts.digest == state.failed and not facts.again:
        raise refusal("failed", version=release.version)
    if release.unpacked < 0 or bool(release.unpacked) != own:
        raise refusal("strange", name="a program that is not what it says")
    # The floor holds for what the same keys have signed. Its own version may be applied again where it is
    # not what is served, or is damaged.
    if facts.key_set == state.key_set and release.version < state.floor:
        raise refusal("older", versions=f" (version {release.version} after {state.floor})")
    if facts.here and facts.digest == facts.here.digest and state.damaged != state.current:
        raise refusal("same", version=release.version)


def _check_packs(files: Sequence[Wanted], packs: Mapping[str, Pack]) -> None:
    """Refuse a list of images that does not describe the signed packs, each name once."""
    lengths = {file.name: file.length for file in files if _PACK.fullmatch(file.name)}
    names = [name for pack in packs.values() for name, _ in pack.images]
    right = lengths == {pack.name: sum(length for _, length in pack.images) for pack in packs.values()}
    sound = all(_IMAGE.fullmatch(name) for name in names) and len(set(names)) == len(names)
    if not right or not sound or any(length < 0 for pack in packs.values() for _, length in pack.images):
        raise refusal("strange", name="a list of page images that does not fit them")


def _sources(facts: Facts, packs: Mapping[str, Pack]) -> Iterator[Source]:
    how: How
    patches = [file for file in facts.files if _PATCH.fullmatch(file.name)]
    for file in facts.files:
        if file.name in packs:
            wanted, how = {name[:64] for name, _ in packs[file.name].images}, "unpack"
        elif file.name not in {RELEASE, IMAGES} and file not in patches:
            wanted, how = {file.sha256}, "copy"
        else:
            continue
        yield _source(file, facts, wanted, how, patches if file.name == LIBRARY else [])


def _source(file: Wanted, facts: Facts, wanted: set[str], how: How, patches: Sequence[Wanted]) -> Source:
    """Return where a file that consists of the `wanted` comes from, `how` where it is the stick."""
    here = facts.hashes
    if all(sha256 in here for sha256 in wanted):
        return Source(file, "keep")
    if file.sha256 in facts.on_stick:
        return Source(file, how)
    for patch in patches:
        base = patch.name.split("-")[1][:16]
        if patch.sha256 in facts.on_stick and any(known.startswith(base) for known in here):
            return Source(file, "patch", patch)
    # missing by mistake, or because the bundle was made from another version
    partial = facts.release.base not in {0, facts.here.release.version if facts.here else 0}
    raise refusal("base" if partial else "half", name=file.name)
