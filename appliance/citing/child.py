"""The process that reads an uploaded PDF or DOCX as text: one document on stdin, its text on stdout."""

from __future__ import annotations

import json
import sys
from typing import Any

from appliance.citing.lockdown import Limits, Refused, cut, lock

UNLOCKED = "this machine cannot lock the process that would read it; send its text instead"
SHOWN = 12  # numbers of pages named in a problem


def main(kind: str, *numbers: str) -> None:
    """Read the document on stdin and say its text on stdout."""
    seconds, *others = numbers
    limits = Limits(float(seconds), *map(int, others))
    read = _reader(kind)
    said: dict[str, Any] = {"refused": UNLOCKED}
    if lock(limits.seconds, limits.memory_mib):
        try:
            said = read(sys.stdin.buffer.read(), limits)
        except Refused as refusal:
            said = {"refused": str(refusal)}
        except MemoryError:
            said = {"refused": f"it needs more than {limits.memory_mib} MiB of memory"}
        except Exception as error:  # noqa: BLE001 - a hostile file may raise anything; it is told, never a crash
            said = {"refused": f"it is damaged ({type(error).__name__})"}
    sys.stdout.buffer.write(json.dumps(said).encode())
    sys.stdout.buffer.flush()


def _reader(kind: str) -> Any:
    """Return the function that reads this kind, all that it needs imported and used once."""
    if kind == "pdf":
        from appliance.core.mupdf import MUPDF  # noqa: PLC0415 - each kind loads its own library

        MUPDF.TOOLS.mupdf_display_errors(False)
        with MUPDF.open() as warm:
            warm.new_page().insert_text((72, 72), "warm")
            read_pdf(warm.tobytes(), Limits(1, 1, 10, 10, 1))
        return read_pdf
    from appliance.citing.docx import example, read_docx  # noqa: PLC0415 - idem

    read_docx(example(), Limits(1, 1, 10, 10, 1))
    return read_docx


def read_pdf(data: bytes, limits: Limits) -> dict[str, Any]:
    """Return the text of a PDF, a paragraph for each block of lines, with the pages that have none."""
    from appliance.core.mupdf import MUPDF  # noqa: PLC0415 - loaded before the lock

    try:
        pdf = MUPDF.open(stream=data, filetype="pdf")
    except (RuntimeError, ValueError):
        raise Refused("it is damaged, or no PDF") from None
    with pdf:
        if pdf.needs_pass:
            raise Refused("it is encrypted; save it without a password")
        if pdf.page_count > limits.pages:
            raise Refused(f"it has {pdf.page_count} pages, the limit is {limits.pages}")
        found: list[tuple[str, int]] = []
        empty: list[int] = []
        for number, page in enumerate(pdf, 1):
            blocks = [text for *_, text, _, kind in page.get_text("blocks") if kind == 0 and text.strip()]
            found += [(text, number) for text in blocks]
            empty += [] if blocks else [number]
        if not found:
            raise Refused("no page of it has text (it may be a scan)")
    named = ", ".join(map(str, empty[:SHOWN])) + (", ..." if len(empty) > SHOWN else "")
    unread = [f"{len(empty)} pages have no text and were not read: {named}."] if empty else []
    return cut(found, limits, unread)


if __name__ == "__main__":
    main(*sys.argv[1:])
