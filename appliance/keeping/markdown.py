"""A kept answer as Markdown (CommonMark), for a report or a wiki."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping

import segno

from appliance.keeping.paper import LEFT_OUT, Paper, Source
from appliance.keeping.paper_blocks import Block, Picture, Role, blocks
from appliance.site.saved import KeptTable

QR = "qr-code"  # the name of its picture
FORMS: Mapping[Role, str] = {
    "question": "# {}", "outcome": "**{}**", "warning": "**{}**", "reason": "- {}", "value": "### {}",
    "case": "**{}**",
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
    embedded = []  # the pictures, behind all that is read: they go along wherever the file goes (RFC 2397)
    if paper.address:
        parts.append(f"![{plain(paper.speech.say('QR code of this place on the box'))}][{QR}]")
        code = segno.make(paper.address, error="m", micro=False)
        embedded.append(f"[{QR}]: {code.png_data_uri(scale=4, border=2)}")
    for source in paper.sources:
        for page, content in source.pictures:
            picture = b64encode(content).decode()
            embedded.append(f"[{_name(source, page)}]: data:image/jpeg;base64,{picture}")
    return "\n\n".join([*filter(None, parts), "\n".join(embedded)]).rstrip() + "\n"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is; a list number keeps its digits."""

    def escaped(found: re.Match[str]) -> str:
        before, sign = (found[2][:-1], found[2][-1]) if found[2][0].isdigit() else ("", found[2])
        return f"{found[1]}{before}\\{sign}"

    return _STARTS.sub(escaped, _SIGNS.sub(r"\\\1", text))


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
