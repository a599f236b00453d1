"""A kept answer as Markdown (CommonMark), for a report or a wiki."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator

import segno

from appliance.keeping.paper import (
    ALSO,
    DISAGREE,
    LEFT_OUT,
    UNCITED,
    WHOLE,
    Paper,
    Source,
    without_rows,
)
from appliance.site.saved import KeptTable

QR = "qr-code"  # the name of its picture
_SIGNS = re.compile(r"([\\`*_{}\[\]<>|~$&])")
_STARTS = re.compile(r"(?m)^(\s*)(#{1,6}(?=\s)|[-+=>](?=\s|-|=)|\d{1,9}[.)](?=\s))")


def markdown(paper: Paper) -> str:
    """Return the answer as Markdown, ended by one line feed."""
    return "\n\n".join(_blocks(paper)) + "\n"


def plain(text: str) -> str:
    """Return a text that Markdown shows as it is; a list number keeps its digits."""
    escaped = _SIGNS.sub(r"\\\1", " ".join(text.split(" ")))
    return _STARTS.sub(lambda match: f"{match[1]}{_escaped(match[2])}", escaped)


def _escaped(start: str) -> str:
    return f"{start[:-1]}\\{start[-1]}" if start[0].isdigit() else f"\\{start}"


def _blocks(paper: Paper) -> Iterator[str]:
    kept, say, phrase = paper.kept, paper.speech.say, paper.speech.phrase
    yield f"# {plain(' '.join(kept.question.split()))}"
    if kept.resolved:
        yield plain(say("Read as: %(question)s", question=" ".join(kept.resolved.split())))
    yield f"**{paper.outcome}**"
    if kept.gap:
        yield f"**{plain(phrase(kept.gap))}**"
    yield from _card(paper)
    if kept.statements:
        yield f"## {say(WHOLE)}"
    yield from _said(paper)
    if kept.outcome == "not_found":
        yield "\n".join(f"- {plain(phrase(reason))}" for reason in kept.reasons)
    for heading, sources in ((say("Sources"), paper.cited), (say(UNCITED), paper.uncited)):
        if sources:
            yield f"## {heading}"
        for source in sources:
            yield from _source(source, paper)
    if paper.note:
        yield "## " + say("Note")
        yield _lines(paper.note)
    yield "---"
    yield "  \n".join(_imprint(paper))
    if pictures := "\n".join(_embedded(paper)):
        yield pictures


def _card(paper: Paper) -> Iterator[str]:
    """Yield the card: its claims with the crops that prove them, then a line for each further place."""
    card = paper.card
    for at, claim in enumerate(card.claims):
        source, rows = paper.proof(claim), paper.rows(claim)
        if card.headline and not at:
            yield f"### {plain(f'{card.headline.value} {card.headline.unit}'.strip())}"
            yield "  \n".join(map(plain, filter(None, (card.headline.what, *card.headline.conditions))))
        elif rows:
            yield from _table(rows, paper)
            if claim.beside:
                yield plain(claim.beside)
        else:
            yield _lines(paper.words(claim))
        if not claim.confirmed:
            yield f"**{plain(paper.doubt(claim))}**"
        for page, _ in source.pictures[:1]:
            named = paper.speech.say("%(name)s as printed on page %(page)s", name=source.place, page=page)
            yield f"![{plain(named)}][{_name(source, page)}]"
        yield f"*{plain(source.place)}*"
    if card.also:
        yield f"### {paper.speech.say(ALSO)}"
        yield "\n".join(
            f"- {plain(' '.join(claim.text.split()))} ({plain(paper.proof(claim).place)})"
            for claim in card.also
        )


def _said(paper: Paper) -> Iterator[str]:
    """Yield the statements with their tables, then what stands against and beside them."""
    kept = paper.kept
    for statement in kept.statements:
        numbers = f" \\[{', '.join(map(str, statement.citations))}\\]" if statement.citations else ""
        doubt = f"**{plain(paper.doubt(statement))}.** " if not statement.confirmed else ""
        tables = paper.tables_of(statement)
        yield f"{doubt}{_lines(without_rows(statement.text) if tables else statement.text)}{numbers}"
        for table in tables:
            yield from _table(table, paper)
    for table in paper.other_tables:
        yield from _table(table, paper)
    yield from _conflicts(paper)
    if kept.read_with:
        yield "## " + paper.speech.say("Read with it")
        yield "\n".join(f"- {plain(place)}" for place in paper.read_with)


def _source(source: Source, paper: Paper) -> Iterator[str]:
    doubt = f" **{plain(paper.doubts(source))}.**" if source.doubt else ""
    yield f"**\\[{source.numbers}\\]** {plain(source.place)}{doubt}"
    if source.address:
        yield f"<{source.address}>"
    for citation in source.citations:
        yield "\n".join(f"> {plain(line)}  " for line in paper.quoted(citation).splitlines() if line.strip())
    for page, _ in source.pictures:
        named = paper.speech.say("%(name)s as printed on page %(page)s", name=source.place, page=page)
        yield f"![{plain(named)}][{_name(source, page)}]"


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


def _conflicts(paper: Paper) -> Iterator[str]:
    if paper.kept.conflicts:
        yield f"## {paper.speech.say(DISAGREE)}"
    counting = paper.speech.say("This side decides.")
    for conflict in paper.kept.conflicts:
        for side, decides in paper.sides(conflict):
            counts = f" **{counting}**" if decides else ""
            quote = " ".join(side.quote.split())
            yield f"- **\\[{side.n}\\]** {plain(f'{side.designation}, {side.label}: “{quote}”')}{counts}"
        yield plain(paper.speech.phrase(conflict.rule))


def _imprint(paper: Paper) -> Iterator[str]:
    yield f"{paper.date}, {plain(paper.imprint)}"
    if paper.kept.searched:
        yield plain(paper.speech.say("Searched: %(documents)s", documents=", ".join(paper.kept.searched)))
    if paper.changed:
        yield f"**{paper.changed}**"
    if paper.address:
        code = paper.speech.say("QR code of this place on the box")
        yield f"<{paper.address}>"
        yield f"![{plain(code)}][{QR}]"


def _lines(text: str) -> str:
    return "  \n".join(plain(line) for line in text.splitlines() if line.strip())
