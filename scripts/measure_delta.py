# ruff: noqa: INP001, T201 - a script that prints
"""How large a patch is beside the whole library when some clauses change.

    python scripts/measure_delta.py build/codes.db --share 0.05

Both libraries are written from the documents of the one given: once as they are, once with two words
exchanged and one number raised in every twentieth clause, whose passages are embedded anew and whose
graph is made anew. Besides the patch that bundles carry, the script measures what a list of changed
4 KiB blocks would need, compressed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from appliance.core.document import Document, Passage
from appliance.core.settings import ModelSettings
from appliance.ingest.knowledge.build import build_graph
from appliance.library_building import linked
from appliance.models.catalogue import load_embedder
from appliance.store.read import Store
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, PassageVectors, write_library
from appliance.update.intake.delta import apply_patch, make_patch, packed

MIB = 1 << 20
BLOCK = 4096


def amended(text: str) -> str:
    """Return a text of the same length with its first two words exchanged and its digits raised."""
    words = text.split(" ")
    if len(words) > 1:
        words[0], words[1] = words[1], words[0]
    return " ".join(words).translate(str.maketrans("0123456789", "1234567890"))


def with_changes(document: Document, every: int) -> tuple[Document, int]:
    """Return a document of which every so many clauses say something else, and how many they are."""
    texts = [clause.passage.text for clause in document.clauses if clause.passage.text][::every]
    chosen = frozenset(texts)

    def said(passage: Passage) -> Passage:
        for text in chosen:
            if text in passage.text:
                passage = replace(passage, text=passage.text.replace(text, amended(text)))
        return passage

    clauses = tuple(
        replace(clause, passage=said(clause.passage)) if clause.passage.text in chosen else clause
        for clause in document.clauses
    )
    chunks = tuple(replace(chunk, passage=said(chunk.passage)) for chunk in document.chunks)
    return replace(document, clauses=clauses, chunks=chunks), len(texts)


def vectors_of(store: Store, documents: Sequence[Document]) -> dict[str, list[PassageVectors]]:
    """Return the vectors of the library; those of passages that changed are made anew."""
    embedder = load_embedder(ModelSettings())
    count = sum(len(document.chunks) for document in documents)
    kept = iter(sorted(store.vectors(range(count + 1)).items()))
    found: dict[str, list[PassageVectors]] = {}
    for document in documents:
        before = passages(store.document(document.id))
        after = passages(document)
        found[document.id] = [
            next(kept)[1] if same == now else _skip(kept, embedder.encode_passages([now])[0])
            for same, now in zip(before, after, strict=True)
        ]
    return found


def _skip(kept: Iterator[object], instead: PassageVectors) -> PassageVectors:
    next(kept)
    return instead


def write(store: Store, path: Path, every: int) -> tuple[int, int]:
    """Write the library with every so many clauses changed, 0 for none; return clauses changed, in all."""
    made = [with_changes(store.document(info.id), every) if every else (store.document(info.id), 0)
            for info in store.documents()]  # fmt: skip
    documents, relations = linked([document for document, _ in made])
    images = {
        info.id: {page.page.number: (page.large, page.phone) for page in store.pages(info.id)}
        for info in store.documents()
    }
    write_library(
        path,
        documents,
        vectors=vectors_of(store, documents),
        images=images,
        manifest=store.sources(),
        meta=LibraryMeta(store.embedder),
        graph=build_graph(documents, relations),
    )
    return sum(changed for _, changed in made), sum(
        bool(c.passage.text) for d in documents for c in d.clauses
    )


def new_blocks(old: bytes, new: bytes) -> Iterator[bytes]:
    """Yield the blocks that the old file has nowhere."""
    known = {old[at : at + BLOCK] for at in range(0, len(old), BLOCK)}
    blocks = (new[at : at + BLOCK] for at in range(0, len(new), BLOCK))
    return (block for block in blocks if block not in known)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=Path)
    parser.add_argument("--share", type=float, default=0.05, help="of the clauses that change")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, Store(given.library) as store:
        old_path, new_path = Path(name) / "old.db", Path(name) / "new.db"
        write(store, old_path, 0)
        changed, clauses = write(store, new_path, round(1 / given.share))
        old, new = old_path.read_bytes(), new_path.read_bytes()
    start = time.perf_counter()
    patch = make_patch(old, new)
    made = time.perf_counter() - start
    start = time.perf_counter()
    right = b"".join(apply_patch(old, patch, len(new))) == new
    applied = time.perf_counter() - start
    blocks = packed(b"".join(new_blocks(old, new)))
    print(
        f"{changed} of {clauses} clauses changed; bytes right: {right}\n"
        f"whole library      {len(new) / MIB:8.2f} MiB\n"
        f"whole, compressed  {len(packed(new)) / MIB:8.2f} MiB\n"
        f"changed 4 KiB blocks, compressed {len(blocks) / MIB:8.2f} MiB\n"
        f"patch              {len(patch) / MIB:8.2f} MiB, made in {made:.1f} s, applied in {applied:.1f} s"
    )


if __name__ == "__main__":
    main()
