"""What each citation is worth: its status, why, and the place of the library that proves it.

Rules of this module: pure over a shelf. First which document is meant, then which edition of it, then
whether the part is in it, then whether the title is its title; the gravest finding is the status, all
findings are said. What the library does not hold cannot be checked and is said to be so; nothing is
believed to exist because it looks likely.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.citing.find import citations
from appliance.citing.names import dated
from appliance.citing.shelf import Shelf
from appliance.citing.titles import same_title
from appliance.citing.values import STATUSES, Checked, Cited, Paragraph, Proof, Report, Reviewed, Status
from appliance.document import OUT_OF_FORCE, Label, Reference
from appliance.ingest.designations import Designation, fold_designation
from appliance.ingest.grammar.hosts import cleared
from appliance.ingest.resolve import resolve_external
from appliance.settings import CitingSettings
from appliance.store.values import DocumentInfo

AROUND = 90  # characters shown on either side of a citation
NAMED = 4  # documents named in a reason
_HERE = Label(("citation",))


@dataclass(frozen=True, slots=True)
class _Finding:
    """One thing said of a citation."""

    status: Status
    why: str


def review(text: Reviewed, shelf: Shelf, limits: CitingSettings) -> Report:
    """Return every citation of a text, held against the documents of a shelf."""
    until = time.monotonic() + limits.seconds
    gathered = citations(text.paragraphs, shelf.infos, limits.citations, until)
    cited, left, problems = gathered.cited, gathered.left, text.problems
    checked: list[Checked] = []
    for one in cited:
        if time.monotonic() > until:
            left = one.paragraph
            break
        checked.append(_checked(one, text.paragraphs[one.paragraph], shelf))
    if left is not None:
        at = f"{text.unit} {text.paragraphs[left].number}"
        after = f"Checking was stopped after {limits.seconds:g} seconds at {at}"
        problems = (*problems, f"{after}: the rest was not checked. Send it in parts.")
    if len(cited) >= limits.citations:
        problems = (*problems, f"Only the first {limits.citations} citations were checked.")
    return Report(text.name, text.unit, shelf.version, tuple(checked), problems)


def _checked(cited: Cited, paragraph: Paragraph, shelf: Shelf) -> Checked:
    findings, proof = check(cited, shelf)
    found: tuple[Status, ...] = tuple(finding.status for finding in findings) or ("found",)
    status = min(found, key=STATUSES.index)
    reasons = tuple(dict.fromkeys(finding.why for finding in findings if finding.why))
    before = paragraph.text[max(0, cited.start - AROUND) : cited.start]
    after = paragraph.text[cited.end : cited.end + AROUND]
    context = (_cut(before, cited.start > AROUND, at_start=True), cited.text,
               _cut(after, len(paragraph.text) - cited.end > AROUND, at_start=False))  # fmt: skip
    return Checked(cited, paragraph.number, context, status, reasons, proof)


def _cut(text: str, shortened: bool, *, at_start: bool) -> str:
    if not shortened:
        return text
    return f"… {text.partition(' ')[2]}" if at_start else f"{text.rpartition(' ')[0]} …"


def check(cited: Cited, shelf: Shelf) -> tuple[list[_Finding], Proof | None]:
    """Return all that is found of a citation, and the place that shows it."""
    if not cited.designation:
        return _without_document(cited, shelf)
    wanted = fold_designation(dated(cited.designation))
    named = _called(wanted, shelf) or _called(fold_designation(cleared(cited.designation)), shelf)
    if not named and cited.assumed:
        return _without_document(cited, shelf)
    if not named:
        why = f"{cited.designation} is not in the library, so it was not checked"
        return [_Finding("not in the library", why)], None
    chosen, findings = _edition(wanted, named, shelf)
    if chosen is None:
        return findings, None
    more, proof = _part(cited, chosen, shelf)
    if cited.assumed and (proof.label is None or any(finding.status != "found" for finding in findings)):
        return _without_document(cited, shelf)
    said = [_assumed(cited)] if cited.assumed else []
    return [*findings, *more, *_title(cited, chosen, proof), *said], proof


def _called(wanted: Designation, shelf: Shelf) -> list[DocumentInfo]:
    """Return the documents that go by this name, in any edition."""
    return list(shelf.called.get(wanted.key, ()))


def _edition(
    wanted: Designation, named: Sequence[DocumentInfo], shelf: Shelf
) -> tuple[DocumentInfo | None, list[_Finding]]:
    """Return the document that is meant among editions and volumes, and what is to be said of it."""
    dated = [info for info in named if not wanted.year or wanted.year in _years(info, shelf)]
    valid = [info for info in named if info.status not in OUT_OF_FORCE]
    if dated:
        meant = dated if len(dated) == 1 or wanted.year else ([d for d in dated if d in valid] or dated)
        if len(meant) > 1:
            return None, [_Finding("ambiguous", f"it may be {_list(meant)}")]
        return meant[0], _out_of_force(meant[0], valid)
    years = f"edition {wanted.year} is cited; loaded: {_list(named)}"
    loaded = valid or list(named)
    findings = [_Finding("wrong edition", years)]
    if len(loaded) > 1:
        return None, findings
    return loaded[0], [*findings, *_out_of_force(loaded[0], valid)]


def _out_of_force(info: DocumentInfo, valid: Sequence[DocumentInfo]) -> list[_Finding]:
    if info.status not in OUT_OF_FORCE:
        return []
    now = f"; in force and loaded is {_list(valid)}" if valid else ""
    return [_Finding("withdrawn" if info.status == "withdrawn" else "superseded",
                     f"{_called_so(info)} is {info.status}{now}")]  # fmt: skip


def _years(info: DocumentInfo, shelf: Shelf) -> set[str]:
    return {name.year for name in shelf.names[info.id] if name.year}


def _part(cited: Cited, info: DocumentInfo, shelf: Shelf) -> tuple[list[_Finding], Proof]:
    """Return whether the part is in the document, with its place, or the document itself."""
    whole = Proof(info.id, info.designation, info.title, 1)
    if cited.kind == "document":
        return [], whole
    held = shelf.held(info.id)
    name = info.designation or info.id
    reference = Reference(_HERE, 0, 0, cited.text, cited.kind, (), designation=name, number=cited.number)
    (found,) = resolve_external((reference,), (held.loaded,))
    if found.status == "resolved" and found.target is None:
        return [], whole
    if found.target is not None:
        item = held.items.get(found.target)
        proof = Proof(info.id, info.designation, item.title if item else "", item.page if item else 1,
                      found.target, item.kind if item else "clause")  # fmt: skip
        return [_Finding("found", found.reason)] if found.reason else [], proof
    if "candidates" in found.reason:
        return [_Finding("ambiguous", f"{_called_so(info)} has {found.reason}")], whole
    return [_Finding("no such place", f"{_called_so(info)} has no {cited.number or cited.text}")], whole


def _title(cited: Cited, info: DocumentInfo, proof: Proof) -> list[_Finding]:
    """Return whether the title printed beside is that of the place; a place without a title has none."""
    if not cited.title or (cited.kind != "document" and proof.label is None):
        return []
    titles = (info.title, *info.aliases) if proof.label is None else (proof.title,)
    if same_title(cited.title, *titles):
        return []
    return [
        _Finding("wrong title", f"the title printed is “{cited.title}”, that of the library is “{titles[0]}”")
    ]


def _without_document(cited: Cited, shelf: Shelf) -> tuple[list[_Finding], Proof | None]:
    """Return which documents have a part that is named without one; none is chosen where several do."""
    having = [(info, proof) for info in shelf.infos for proof in _having(cited, info, shelf)]
    what = cited.number or cited.text
    whose = f"{what} is named without a document"
    if cited.assumed:
        whose = f"{whose}; it may be one of {cited.designation}, named before"
    if not having:
        return [_Finding("ambiguous", f"{whose}; no document in the library has it")], None
    why = f"{whose}; in the library it is in {_list([info for info, _ in having])}"
    return [_Finding("ambiguous", why)], having[0][1] if len(having) == 1 else None


def _having(cited: Cited, info: DocumentInfo, shelf: Shelf) -> Iterable[Proof]:
    findings, proof = _part(cited, info, shelf)
    return [proof] if proof.label is not None and not findings else []


def _assumed(cited: Cited) -> _Finding:
    return _Finding("found", f"read as a part of {cited.designation}, which is named before")


def _called_so(info: DocumentInfo) -> str:
    return info.designation or info.id


def _list(infos: Sequence[DocumentInfo]) -> str:
    names = [_called_so(info) for info in infos]
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
