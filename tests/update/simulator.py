"""A builder, sticks and boxes in a temporary folder: small libraries, real signatures, real files."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tuf.api.metadata import TargetFile

from appliance.core.document import Document, Page
from appliance.core.files import images_folder
from appliance.core.settings import ModelSettings, Settings
from appliance.store.write import write_library
from appliance.update import apply, bundle, home, keys, status
from appliance.update.intake.stick import BUNDLE, find_stick
from appliance.update.trial import run
from appliance.update.values import Golden, Installed
from tests import factories
from tests.store.libraries import chunked

TEXTS = {
    "5.1": "Each beam has a width of at least 90 millimetres.",
    "5.2": "Guarding stands 1100 millimetres above the balcony.",
    "5.3": "Rafters are spaced 400 millimetres apart.",
    "6.1": "Doors to an escape route open in the direction of escape.",
    "6.2": "Snow lies on roofs flatter than sixty degrees.",
    "6.3": "Concrete cures for seven days before its props are struck.",
}
GOLDEN = (
    Golden("width of a beam", "DC-1-3", "5.1", 3),
    Golden("guarding of a balcony", "DC-1-3", "5.2", 3),
)
SETTINGS = Settings(models=ModelSettings(embedder="", reranker=""))
PAGES = 3


def write_codes(path: Path, texts: dict[str, str] = TEXTS, pages: int = PAGES, name: str = "DC-1-3") -> Path:
    """Write a library of one document, with two images of each page, without vectors."""
    folder = images_folder(path)
    folder.mkdir(parents=True, exist_ok=True)
    document = _document(texts, pages, name)
    images = {
        number: (_image(folder, f"{name} {number} large"), _image(folder, f"{name} {number} phone"))
        for number in range(1, pages + 1)
    }
    write_library(path, [document], images={name: images})
    return path


def _document(texts: dict[str, str], pages: int, name: str) -> Document:
    plain = factories.document(factories.spread(texts), name=name)
    plain = replace(plain, chunks=chunked(plain).chunks)
    return replace(plain, pages=tuple(Page(number, 595.0, 842.0) for number in range(1, pages + 1)))


def _image(folder: Path, words: str) -> str:
    content = f"an image of {words} ".encode() * 40
    name = f"{hashlib.sha256(content).hexdigest()}.webp"
    (folder / name).write_bytes(content)
    return name


@dataclass(frozen=True, slots=True)
class Builder:
    """An office with its keys."""

    folder: Path

    @classmethod
    def new(cls, folder: Path) -> Builder:
        keys.new_keys(folder / "keys")
        return cls(folder)

    @property
    def keys(self) -> keys.Keys:
        return keys.load_keys(self.folder / "keys")

    def root(self, version: int = 1) -> bytes:
        return keys.root_files(self.folder / "keys")[version - 1].read_bytes()

    def bundle(
        self,
        texts: dict[str, str] = TEXTS,
        *,
        to: str = "stick",
        golden: Sequence[Golden] = GOLDEN,
        pages: int = PAGES,
        models: Path | None = None,
        box: str = "",
        since: Path | None = None,
        small: bool = False,
        library: Path | None = None,
        program: Path | None = None,
    ) -> Path:
        """Return the stick on which a new version lies."""
        library = library or write_codes(self.folder / "build" / "codes.db", texts, pages)
        content = bundle.Content(library, models, tuple(golden), box, program=program)
        made = bundle.create(content, self.keys, self.folder / to, since, small=small)
        return made.folder.parent


def new_box(
    folder: Path, root: bytes, name: str = "", tried: Callable[..., run.Verdict] = run.examine
) -> apply.Box:
    return apply.Box(status.make_home(folder, root, name), SETTINGS, tried)


def update(box: apply.Box, stick: Path, *, again: bool = False) -> Installed:
    """Take on what lies on a stick."""
    apply.prepare(box, find_stick(stick), again=again)
    return apply.switch(box)


def version(box: apply.Box) -> int:
    """Return the version that is served, every byte of it checked; 0 for none."""
    state = home.load_state(box.home)
    if not state.current:
        return 0
    found = home.whole(box.home, state.current)
    assert found is not None, "a damaged generation is served"
    return found.release.version


def copy(stick: Path, to: Path) -> Path:
    """Return a copy of a stick, to be spoilt."""
    shutil.copytree(stick, to, symlinks=True)
    return to


def target(stick: Path, name: str) -> Path:
    """Return where a signed file lies on a stick."""
    return next(path for path, wanted in targets(stick) if wanted == name)


def targets(stick: Path) -> list[tuple[Path, str]]:
    """Return the signed files of a stick with their names."""
    listed = max(
        (stick / BUNDLE / "metadata").glob("*.targets.json"), key=lambda path: int(path.name.split(".")[0])
    )
    files = json.loads(listed.read_text())["signed"]["targets"]
    return [(stick / BUNDLE / "targets" / file["hashes"]["sha256"], name) for name, file in files.items()]


def resign(
    stick: Path, builder: Builder, *, version: int, files: dict[str, bytes], signers: keys.Keys | None = None
) -> None:
    """Sign a stick anew, as whoever has the keys could: `files` are added, or replace those there."""
    folder = stick / BUNDLE
    listed = {name: TargetFile.from_file(name, str(path)) for path, name in targets(stick) if path.exists()}
    for name, content in files.items():
        listed[name] = TargetFile.from_data(name, content, ["sha256"])
        (folder / "targets" / listed[name].hashes["sha256"]).write_bytes(content)
    shutil.rmtree(folder / "metadata")
    bundle._metadata(signers or builder.keys, folder, version, listed.values())


def release_of(stick: Path) -> dict[str, Any]:
    """Return what a bundle says of itself."""
    return dict(json.loads(target(stick, "release.json").read_bytes()))
