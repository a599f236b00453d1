"""A kept answer as Markdown (CommonMark), for a report or a wiki."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping

import segno

from appliance.keeping.blocks import Block, Picture, Role, blocks
from appliance.keeping.paper import LEFT_OUT, Paper, Source
from appliance.site.saved import KeptTable

QR = "qr-code"  # the name of its picture
FORMS: Mapping[Role, str] = {
    "question": "# {}", "outcome": "**{}**", "warning": "**{}**", "reason": "- {}", "value": "### {}",
    "doubt": "**{}.**", "place": "*{}*", "heading": "## {}", "part": "### {}", "against": "## {}",
    "further": "- {}", "chapter": "## {}", "source": "**{}**", "quote": "> {}", "item": "- {}", "rule": "---",
}  # fmt: skip
ONE_LINE = frozenset({"question", "source", "value"})
BREAKS: Mapping[Role, str] = {"quote": "\n> "}
_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~$&])")
_STARTS = re.compile(r"(?m)^(\s*)(#{1,6}(?=\s)|[-+=>](?=\s|-|=)|\d{1,9}[.)](?=\s))")


def markdown(paper: Paper) -> str:
    """Return the answer as Markdown, ended by one line feed."""
    parts = [_block(block, paper) for block in blocks(paper)]
    if paper.address:
        parts.append(f"![{plain(paper.speech.say('QR code of this place on the box'))}][{QR}]")
    return "\n\n".join([*filter(None, parts), *(["\n".join(_embedded(paper))])]).rstrip() + "\n"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is; a list number keeps its digits."""
    escaped = _SIGNS.sub(r"\\\1", " ".join(text.split(" ")))
    return _STARTS.sub(lambda match: f"{match[1]}{_escaped(match[2])}", escaped)


def _escaped(start: str) -> str:
    return f"{start[:-1]}\\{start[-1]}" if start[0].isdigit() else f"\\{start}"


def _block(block: Block, paper: Paper) -> str:
    if isinstance(block, KeptTable):
        return "\n\n".join(_table(block, paper))
    if isinstance(block, Picture):
        return f"![{plain(block.words)}][{_name(block.source, block.page)}]"
    if block.role == "link":
        return f"<{block.text}>"
    lines = [plain(line) for line in block.text.splitlines() if line.strip()]
    if block.role in ONE_LINE:
        lines = [" ".join(lines)]
    return FORMS.get(block.role, "{}").format("  \n".join(lines)).replace("\n", BREAKS.get(block.role, "\n"))


def _embedded(paper: Paper) -> Iterator[str]:
    """Yield the pictures behind all that is read, so that they go along wherever the file goes (RFC 2397)."""
    if paper.address:
        code = segno.make(paper.address, error="m", micro=False)
        yield f"[{QR}]: {code.png_data_uri(scale=4, border=2)}"
    for source in paper.sources:
        for page, content in source.pictures:
            yield f"[{_name(source, page)}]: data:image/jpeg;base64,{b64encode(content).decode()}"


def _name(source: Source, page: int) -> str:
    return f"source-{source.first.n}-page-{page}"


def _table(table: KeptTable, paper: Paper) -> Iterator[str]:
    """Yield a table as GitHub writes them, deciding cells bold."""
    yield f"**{plain(table.label)}** {plain(table.title)} ({plain(table.document)})".replace("  ", " ")
    rows = [f"| {' | '.join(map(_cell, table.columns))} |", f"|{' --- |' * len(table.columns)}"]
    for row in table.rows:
        if row.skipped:
            rows.append(_skipped(row.skipped, len(table.columns), paper))
        cells = (
            f"**{_cell(text)}**" if at in row.marked and text else _cell(text)
            for at, text in enumerate(row.cells)
        )
        rows.append(f"| {' | '.join(cells)} |")
    if table.left:
        rows.append(_skipped(table.left, len(table.columns), paper))
    yield "\n".join(rows)
    if table.notes:
        yield "  \n".join(f"{plain(mark)}) {plain(text)}" for mark, text in table.notes)


def _skipped(number: int, columns: int, paper: Paper) -> str:
    return f"| {paper.speech.say(LEFT_OUT, number=number)} |{' |' * (columns - 1)}"


def _cell(text: str) -> str:
    return plain(" ".join(text.split()))
