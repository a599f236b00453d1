"""Hostile and broken PDFs: each ends in a document with its problems, or in one line that says why not.

Few here; SOAK=1 reads 2,000 (with -s: a table of the outcomes), made of the demo codes and, where they lie
beside the checkout, of pages of real codes.
"""

from __future__ import annotations

import os
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymupdf

from appliance.core.settings import ImageSettings, IngestSettings, Settings
from appliance.ingest.batch import Broken, Job, read_many

FILES = 2_000 if os.environ.get("SOAK") else 40
LIMITS = IngestSettings(ocr=False, seconds_per_document=30.0, memory_mib=1536)
SETTINGS = replace(Settings(), ingest=LIMITS, images=ImageSettings(200, 100, 30))
NUMBER, OBJECT = re.compile(rb"\d+"), re.compile(rb"\d+ 0 obj.*?endobj", re.DOTALL)
MUPDF: Any = pymupdf


def pages(folders: list[Path]) -> Iterator[bytes]:
    """Yield PDFs of two pages each, out of those of the folders, compressed and not."""
    for path in sorted(path for folder in folders for path in folder.rglob("*.pdf")):
        with MUPDF.open(path) as document:
            for number in range(0, document.page_count, max(2, document.page_count // 4)):
                with MUPDF.open() as part:
                    part.insert_pdf(
                        document, from_page=number, to_page=min(number + 1, document.page_count - 1)
                    )
                    yield part.tobytes(deflate=True, no_new_id=True)
                    yield part.tobytes(expand=255, no_new_id=True)


def changed(data: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return how a file was spoilt, and what is left of it."""
    way = chance.choice(("bits", "cut", "numbers", "gone", "twice", "swapped", "noise", "names"))
    spoilt, objects = bytearray(data), list(OBJECT.finditer(data))
    at = chance.randrange(len(data))
    if way == "bits":
        for _ in range(chance.randint(1, 200)):
            spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
    elif way == "cut":
        del spoilt[at:]
    elif way == "numbers":
        share = chance.random() / 5
        spoilt = bytearray(
            NUMBER.sub(
                lambda m: (
                    m[0] if chance.random() > share else str(chance.choice((0, -1, 2**31, 9**20, 3))).encode()
                ),
                data,
            )
        )
    elif way in {"gone", "twice", "swapped"} and len(objects) > 1:
        one, other = chance.sample(objects, 2)
        new = {"gone": b"", "twice": one[0] * 2, "swapped": other[0]}[way]
        spoilt[one.start() : one.end()] = new
    elif way == "names":
        spoilt = bytearray(re.sub(rb"/(\w+)", lambda m: m[0] if chance.random() > 0.02 else b"/Kids", data))
    else:
        spoilt[at : at + 2000] = chance.randbytes(2000)
    return way, bytes(spoilt)


def losing_pages() -> bytes:
    """Return a PDF of a page until its fourth object is asked for: a repair takes the other list of pages."""
    data, places = b"%PDF-1.4\n", [3]
    for number, held in enumerate(
        (b"/Type/Catalog/Pages 2 0 R", b"/Type/Pages/Kids[3 0 R]/Count 1", b"/Type/Page/MediaBox[0 0 9 9]"), 1
    ):
        places.insert(-1, len(data))
        data += b"%d 0 obj<<%s>>endobj\n" % (number, held)
    data += b"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    entries = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 5\n0000000000 65535 f \n%strailer<</Root 1 0 R/Size 5>>startxref\n%d\n%%%%EOF"
        % (entries, len(data))
    )


def made() -> Iterator[tuple[str, bytes]]:
    """Yield files made to do harm."""
    yield "empty", b""
    yield "rubbish", random.Random(0).randbytes(5_000)
    yield "other format", b"<!doctype html><title>no PDF</title>"
    yield (
        "pages in a circle",
        (
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
            b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 999999999>>endobj\ntrailer<</Root 1 0 R>>"
        ),
    )
    yield "pages that a repair loses", losing_pages()
    yield "nested", b"%PDF-1.4\n1 0 obj" + b"[" * 200_000 + b"endobj\ntrailer<</Root 1 0 R>>"
    with MUPDF.open() as locked:
        locked.new_page()
        yield "password", locked.tobytes(encryption=MUPDF.PDF_ENCRYPT_AES_256, user_pw="a", owner_pw="b")
    with MUPDF.open() as huge:
        huge.new_page(width=14_000, height=14_000).insert_text((10, 10), "big " * 1000)
        yield "huge page", huge.tobytes()
    with MUPDF.open() as many:
        page = many.new_page()
        for row in range(400):
            page.insert_text((5, row), "x" * 3_000, fontsize=1)
        yield "a million letters", many.tobytes()


def test_every_file_is_accounted_for(demo_pdfs: Path, tmp_path: Path) -> None:
    chance = random.Random(27)
    folders = [demo_pdfs]
    real = Path(__file__).parents[2].parent / "shared" / "corpus"
    folders += [real] if os.environ.get("SOAK") and real.is_dir() else []
    whole = list(pages(folders))
    files = [*made()]
    while len(files) < FILES:
        files.append(changed(chance.choice(whole), chance))
    jobs, ways = [], {}
    for number, (way, content) in enumerate(files):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(content)
        jobs.append(Job(path, path.stem))
        ways[path] = way
    started = time.monotonic()
    results = list(read_many(jobs, SETTINGS, tmp_path / "work", tmp_path / "images"))
    seconds = time.monotonic() - started
    assert {result.job for result in results} == set(jobs)
    outcomes: Counter[tuple[str, str]] = Counter()
    for result in results:
        if isinstance(result, Broken):
            assert "\n" not in result.reason
            assert result.reason.startswith(f"{result.job.path.name} was not read: ")
            kind = "not read"
            for sign, name in (
                ("more than", "over a limit"),
                ("ended by the system", "reader ended"),
                ("reader failed", "reader failed"),
            ):
                kind = name if sign in result.reason else kind
        else:
            kind = "read, problems" if result.document.problems else "read"
        outcomes[ways[result.job.path], kind] += 1
    kinds = sorted({kind for _, kind in outcomes})
    sys.stdout.write(f"\n{len(files)} files in {seconds:.0f} s, {len(files) / seconds:.1f} files/s\n")
    for way in sorted(set(ways.values())):
        counts = [f"{outcomes[way, kind]:5} {kind}" for kind in kinds if outcomes[way, kind]]
        sys.stdout.write(f"{way:20} {' '.join(counts)}\n")
    assert not sum(count for (_, kind), count in outcomes.items() if kind == "reader failed")
