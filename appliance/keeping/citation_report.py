"""The report of what a specification cites as a PDF: what is wrong first, what was not checked at the end."""

from __future__ import annotations

from collections.abc import Callable

from appliance.citing.values import Proof, Report
from appliance.keeping.paper import ENGLISH, Speech, later
from appliance.keeping.pdf import BAD, GOOD, MUTED, WARN, finished, new_sheet, write

COLOURS = {"wrong": BAD, "look": WARN, "found": GOOD, "away": MUTED}
HEADINGS = {
    "wrong": later("Wrong"),
    "look": later("To look at"),
    "found": later("Found"),
    "away": later("Not checked"),
}
NAMED = later("References of %(name)s")
IMPRINT = later("What is not in the library was not checked.")


def report_pdf(
    report: Report, speech: Speech = ENGLISH, printed: Callable[[Proof], str] | None = None
) -> bytes:
    """Return a report as PDF; `printed` gives the number that the page of a proof prints, "" for none."""
    say = speech.say

    def place(proof: Proof) -> str:
        number = printed(proof) if printed else ""
        other = say("(printed %(number)s)", number=number) if number not in {"", str(proof.page)} else ""
        page = f"{say('page %(page)s', page=proof.page)} {other}".rstrip()
        label = proof.label.named if proof.label else ""
        return ", ".join(filter(None, (proof.designation or proof.document, label, proof.title, page)))

    sheet = new_sheet(say(NAMED, name=report.name), speech)
    write(sheet, say(NAMED, name=report.name), 15, bold=True)
    counts = ", ".join(f"{number} {say(status)}" for status, number in report.counts.items())
    none = say("No standard, clause, table or figure is cited in this text, as far as it could be read.")
    write(sheet, counts or none, 10.5)
    for problem in report.problems:
        write(sheet, speech.phrase(problem), 9, colour=BAD)
    for name, checked in report.parts:
        write(sheet, say(HEADINGS[name]), 12, colour=COLOURS[name], bold=True, above=4)
        if name == "away":
            write(sheet, "; ".join(dict.fromkeys(one.cited.text for one in checked)), 9)
        else:
            for one in checked:
                at = f"{say(report.unit)} {one.where}: {one.cited.text} – {say(one.status)}"
                write(sheet, at, 10, colour=COLOURS[name], bold=True, above=1.5)
                write(sheet, "".join(one.context), 8.5, colour=MUTED)
                for reason in (*map(speech.phrase, one.reasons), *([place(one.proof)] if one.proof else ())):
                    write(sheet, reason, 9)
    write(sheet, say(IMPRINT), 8, colour=MUTED, above=4)
    return finished(sheet, speech)
