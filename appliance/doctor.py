"""What is wrong with this installation and its library, each with the command that mends it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from appliance.contract.shape import picked
from appliance.core.document import OUT_OF_FORCE
from appliance.core.errors import ApplianceError
from appliance.core.files import images_folder, is_whole
from appliance.core.settings import Settings
from appliance.launch import FASTER, features, refusal
from appliance.library import Library
from appliance.models.catalogue import load_embedder, load_figure_reader, load_generator, load_reranker
from appliance.operation.health import NOTES, points
from appliance.operation.values import Point
from appliance.site.gaps_and_feedback import Site, site_file
from appliance.store.channels import Array, array_of
from appliance.store.connection import check_seal
from appliance.store.read import Store

NAMES = "name", "state", "message", "mend"


def examine(library: Path, settings: Settings) -> tuple[Point, ...]:
    """Return what was looked at, in the order in which it should be mended."""
    checks = [*_processor(features()), *_models(settings)]
    try:
        with Store(library) as store:
            check_seal(library, store.meta)
            checks += [*_library(store, library), *_scan(store, settings.search.scan_from)]
    except ApplianceError as error:
        checks.append(Point("library", "wrong", str(error), f"appliance build FOLDER --library {library}"))
        return tuple(checks)
    checks.append(_search(library, settings))
    checks.append(_notes(library, settings))
    site = Site(site_file(library, settings.site), settings.site)
    checks += (point for point in points(library, settings, site) if point.name != NOTES)  # said above
    return tuple(checks)


def checks_json(checks: Sequence[Point]) -> dict[str, Any]:
    """Return the checks for programs."""
    worst = next((s for s in ("wrong", "note") if any(c.state == s for c in checks)), "well")
    return {"state": worst, "checks": [picked(NAMES, check, message=check.words) for check in checks]}


def _processor(found: Collection[str]) -> Iterator[Point]:
    if why := refusal(found):
        yield Point("processor", "wrong", why)
    elif found:
        yield Point(
            "processor", "well", "with AVX2" if FASTER in found else "without AVX2; all works, slower"
        )


def _models(settings: Settings) -> Iterator[Point]:
    try:
        embedder = load_embedder(settings.models)
        yield Point("embedder", "well", settings.models.embedder)
        reranker = load_reranker(settings.models, embedder)
    except ApplianceError as error:
        yield Point("models", "wrong", str(error), "appliance models list")
        return
    if reranker is None:
        yield Point("reranker", "note", "none is enabled; places keep the order of the fused search")
    else:
        yield Point("reranker", "well", reranker.name)
    yield _language_model(settings)
    yield from _vision_model(settings)


def _language_model(settings: Settings) -> Point:
    """Look at the files of the language model without starting it."""
    try:
        generator = load_generator(settings.models, settings.llm)
    except ApplianceError as error:
        return Point("language model", "wrong", str(error), "appliance models list")
    if generator is None:
        return Point("language model", "note", "none is used; answers are quotations (deterministic mode)")
    return Point("language model", "well", f"{generator.name}, {generator.context} tokens of context")


def _vision_model(settings: Settings) -> Iterator[Point]:
    """Look at the files of the model that describes figures, where one is named."""
    try:
        reader = load_figure_reader(settings.models, settings.llm)
    except ApplianceError as error:
        yield Point("vision model", "wrong", str(error), "appliance models list")
        return
    if reader is not None:
        yield Point("vision model", "well", f"{reader.name}; figures are described on request")


def _library(store: Store, path: Path) -> Iterator[Point]:
    documents = store.documents()
    build = f"appliance build FOLDER --library {path}"
    if documents:
        yield Point("library", "well", f"{len(documents)} documents, version {store.version[:12]}")
    else:
        yield Point("library", "wrong", "it holds no document", build)
    pages = (page for info in documents for page in store.pages(info.id))
    images = {images_folder(path) / name for page in pages for name in (page.large, page.phone) if name}
    missing = {image for image in images if not image.is_file()}
    changed = sum(not is_whole(image, image.name.partition(".")[0]) for image in images - missing)
    if missing or changed:
        message = f"{len(missing)} are missing from {images_folder(path)}, {changed} have changed"
        yield Point("page images", "wrong", message, build)
    else:
        yield Point("page images", "well", "all there")
    if not store.embedder:
        yield Point("vectors", "wrong", "the library holds none, so meaning is not searched", build)
    elif lost := store.chunk_count - store.vector_count:
        message = f"{lost} of {store.chunk_count} are missing, so that much is searched by words alone"
        yield Point("vectors", "wrong", message, build)
    for info in documents:
        if info.problems:
            message = f"{info.id} has {info.problems} places that could not be read well"
            yield Point("reading", "note", message, f"appliance document {info.id} --library {path}")
        if info.status in OUT_OF_FORCE:
            yield Point("editions", "note", f"{info.id} is {info.status}; answers from it say so")


def _scan(store: Store, least: int) -> Iterator[Point]:
    """Look at what finds neighbours in a large library; a small one needs nothing."""
    if not store.dimension or store.chunk_count < least:
        return
    array = array_of(store, least)
    if isinstance(array, Array):
        size = f"{array.rows.nbytes / 1e6:,.0f} MB"
        yield Point("scan", "well", f"{len(array.ids):,} vectors are kept in memory, {size}")
    else:
        yield Point("scan", "note", f"{array}; search by meaning is right but slow", "pip install simsimd")


def _notes(library: Path, settings: Settings) -> Point:
    """Look at the file of the site's notes, changing nothing: one that is not there yet is well."""
    site = Site(site_file(library, settings.site), settings.site)
    try:
        site.check()
        counts, dropped = site.counts(), site.dropped()
    except ApplianceError as error:
        return Point("notes", "note", str(error), f"ls -l {site.path}")
    said = ", ".join(f"{rows} {kind}" for kind, rows in counts.items() if rows) or "none yet"
    gone = ", ".join(f"{rows} {kind}" for kind, rows in dropped.items())
    if gone:
        return Point("notes", "note", f"{said}; the oldest made room: {gone}", "appliance gaps export FILE")
    return Point("notes", "well", said)


def _search(path: Path, settings: Settings) -> Point:
    try:
        with closing(Library.open(path, settings)) as library:
            first = next(iter(library.documents()), None)
            library.search(first.title if first and first.title else "scope", limit=1)
    except ApplianceError as error:
        return Point("search", "wrong", str(error))
    return Point("search", "well", "a question is answered")
