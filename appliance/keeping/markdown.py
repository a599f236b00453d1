"""A kept answer as Markdown (CommonMark), for a report or a wiki.

Rules of this module: whatever comes from a question, a note or a code is text: signs that Markdown or HTML
would read are escaped, so that a quotation shows its own asterisks and no markup works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from appliance.keeping.paper import DISAGREE, LEFT_OUT, UNCITED, Paper, Source, without_rows
from appliance.site.saved import KeptTable

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
    for citation in source.citations:
        yield "\n".join(f"> {plain(line)}  " for line in paper.quoted(citation).splitlines() if line.strip())


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
        yield f"<{paper.address}>"


def _lines(text: str) -> str:
    return "  \n".join(plain(line) for line in text.splitlines() if line.strip())
