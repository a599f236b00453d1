"""What is wrong with this installation and its library, each with the command that mends it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from appliance.core.errors import ApplianceError
from appliance.core.files import images_folder, is_whole
from appliance.core.settings import Settings
from appliance.launch import FASTER, features, refusal
from appliance.library import Library
from appliance.models.catalogue import load_embedder, load_figure_reader, load_generator, load_reranker
from appliance.operation.health import NOTES, points
from appliance.site.notes import Site, site_file
from appliance.store.connection import check_seal
from appliance.store.read import Store, open_library
from appliance.store.scan import Array, array_of


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at: well, worth a note, or wrong."""

    name: str
    state: Literal["well", "note", "wrong"]
    message: str
    mend: str = ""


def examine(library: Path, settings: Settings) -> tuple[Check, ...]:
    """Return what was looked at, in the order in which it should be mended."""
    checks = [*_processor(features()), *_models(settings)]
    try:
        with open_library(library) as store:
            check_seal(library, store.meta)
            checks += [*_library(store, library), *_scan(store, settings.search.scan_from)]
    except ApplianceError as error:
        checks.append(Check("library", "wrong", str(error), f"appliance build FOLDER --library {library}"))
        return tuple(checks)
    checks.append(_search(library, settings))
    checks.append(_notes(library, settings))
    site = Site(site_file(library, settings.site), settings.site)
    checks += [
        Check(point.name, point.state, point.words, point.mend)
        for point in points(library, settings, site)
        if point.name != NOTES  # said above, with what is in them
    ]
    return tuple(checks)


def checks_json(checks: Sequence[Check]) -> dict[str, Any]:
    """Return the checks for programs."""
    worst = next((s for s in ("wrong", "note") if any(c.state == s for c in checks)), "well")
    return {"state": worst, "checks": [asdict(check) for check in checks]}


def _processor(found: Collection[str]) -> Iterator[Check]:
    if why := refusal(found):
        yield Check("processor", "wrong", why)
    elif found:
        yield Check(
            "processor", "well", "with AVX2" if FASTER in found else "without AVX2; all works, slower"
        )


def _models(settings: Settings) -> Iterator[Check]:
    try:
        embedder = load_embedder(settings.models)
        yield Check("embedder", "well", settings.models.embedder)
        reranker = load_reranker(settings.models, embedder)
    except ApplianceError as error:
        yield Check("models", "wrong", str(error), "appliance models list")
        return
    if reranker is None:
        yield Check("reranker", "note", "none is enabled; places keep the order of the fused search")
    else:
        yield Check("reranker", "well", reranker.name)
    yield _language_model(settings)
    yield from _vision_model(settings)


def _language_model(settings: Settings) -> Check:
    """Look at the files of the language model without starting it."""
    try:
        generator = load_generator(settings.models, settings.llm)
    except ApplianceError as error:
        return Check("language model", "wrong", str(error), "appliance models list")
    if generator is None:
        return Check("language model", "note", "none is used; answers are quotations (deterministic mode)")
    return Check("language model", "well", f"{generator.name}, {generator.context} tokens of context")


def _vision_model(settings: Settings) -> Iterator[Check]:
    """Look at the files of the model that describes figures, where one is named."""
    try:
        reader = load_figure_reader(settings.models, settings.llm)
    except ApplianceError as error:
        yield Check("vision model", "wrong", str(error), "appliance models list")
        return
    if reader is not None:
        yield Check("vision model", "well", f"{reader.name}; figures are described on request")


def _library(store: Store, path: Path) -> Iterator[Check]:
    documents = store.documents()
    build = f"appliance build FOLDER --library {path}"
    if documents:
        yield Check("library", "well", f"{len(documents)} documents, version {store.version[:12]}")
    else:
        yield Check("library", "wrong", "it holds no document", build)
    pages = (page for info in documents for page in store.pages(info.id))
    images = {images_folder(path) / name for page in pages for name in (page.large, page.phone) if name}
    missing = {image for image in images if not image.is_file()}
    changed = sum(not is_whole(image, image.name.partition(".")[0]) for image in images - missing)
    if missing or changed:
        message = f"{len(missing)} are missing from {images_folder(path)}, {changed} have changed"
        yield Check("page images", "wrong", message, build)
    else:
        yield Check("page images", "well", "all there")
    if not store.embedder:
        yield Check("vectors", "wrong", "the library holds none, so meaning is not searched", build)
    elif lost := store.chunk_count - store.vector_count:
        message = f"{lost} of {store.chunk_count} are missing, so that much is searched by words alone"
        yield Check("vectors", "wrong", message, build)
    for info in documents:
        if info.problems:
            message = f"{info.id} has {info.problems} places that could not be read well"
            yield Check("reading", "note", message, f"appliance document {info.id} --library {path}")
        if info.status in {"superseded", "withdrawn"}:
            yield Check("editions", "note", f"{info.id} is {info.status}; answers from it say so")


def _scan(store: Store, least: int) -> Iterator[Check]:
    """Look at what finds neighbours in a large library; a small one needs nothing."""
    if not store.dimension or store.chunk_count < least:
        return
    array = array_of(store, least)
    if isinstance(array, Array):
        size = f"{array.rows.nbytes / 1e6:,.0f} MB"
        yield Check("scan", "well", f"{len(array.ids):,} vectors are kept in memory, {size}")
    else:
        yield Check("scan", "note", f"{array}; search by meaning is right but slow", "pip install simsimd")


def _notes(library: Path, settings: Settings) -> Check:
    """Look at the file of the site's notes, changing nothing: one that is not there yet is well."""
    site = Site(site_file(library, settings.site), settings.site)
    try:
        site.check()
        counts, dropped = site.counts(), site.dropped()
    except ApplianceError as error:
        return Check("notes", "note", str(error), f"ls -l {site.path}")
    said = ", ".join(f"{rows} {kind}" for kind, rows in counts.items() if rows) or "none yet"
    gone = ", ".join(f"{rows} {kind}" for kind, rows in dropped.items())
    if gone:
        return Check("notes", "note", f"{said}; the oldest made room: {gone}", "appliance gaps export FILE")
    return Check("notes", "well", said)


def _search(path: Path, settings: Settings) -> Check:
    try:
        with closing(Library.open(path, settings)) as library:
            first = next(iter(library.documents()), None)
            library.search(first.title if first and first.title else "scope", limit=1)
    except ApplianceError as error:
        return Check("search", "wrong", str(error))
    return Check("search", "well", "a question is answered")
