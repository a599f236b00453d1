"""A kept answer as Markdown (CommonMark), for a report or a wiki.

Rules of this module: whatever comes from a question, a note or a code is text: signs that Markdown or HTML
would read are escaped, so that a quotation shows its own asterisks and no markup works.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from appliance.keeping.paper import OUTCOMES, Paper, Source

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
    kept = paper.kept
    yield f"# {plain(' '.join(kept.question.split()))}"
    if kept.resolved:
        yield f"Read as: {plain(' '.join(kept.resolved.split()))}"
    confidence = f" (confidence {kept.confidence})" if kept.confidence else ""
    yield f"**{OUTCOMES[kept.outcome]}**{confidence}"
    if kept.gap:
        yield f"**{plain(kept.gap)}**"
    for statement in kept.statements:
        numbers = f" \\[{', '.join(map(str, statement.citations))}\\]" if statement.citations else ""
        doubt = "" if statement.confirmed else f"**Not confirmed{_why(statement.why)}.** "
        yield f"{doubt}{_lines(statement.text)}{numbers}"
    if kept.outcome == "not_found":
        yield "\n".join(f"- {plain(reason)}" for reason in kept.reasons)
    if paper.sources:
        yield "## Sources"
        for source in paper.sources:
            yield from _source(source)
    if paper.note:
        yield "## Note"
        yield _lines(paper.note)
    yield "---"
    yield "  \n".join(_imprint(paper))


def _source(source: Source) -> Iterator[str]:
    yield f"**\\[{source.numbers}\\]** {plain(source.place)}"
    for citation in source.citations:
        yield "\n".join(f"> {plain(line)}  " for line in citation.quote.splitlines() if line.strip())


def _imprint(paper: Paper) -> Iterator[str]:
    yield f"{paper.date}, {plain(paper.imprint)}"
    if paper.kept.searched:
        yield f"Searched: {plain(', '.join(paper.kept.searched))}"
    if paper.recheck and paper.recheck.state != "same":
        counts = ", ".join(f"{number} {state}" for state, number in paper.recheck.counts.items() if number)
        yield f"**Checked against the library of today: {counts}.**"
    if paper.address:
        yield f"<{paper.address}>"


def _lines(text: str) -> str:
    return "  \n".join(plain(line) for line in text.splitlines() if line.strip())


def _why(why: str) -> str:
    return f": {plain(why.rstrip('.'))}" if why else ""
