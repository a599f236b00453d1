"""What each citation is worth: its status, why, and the place of the library that proves it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.citing.find import citations
from appliance.citing.names import annex_of, annex_place, dated, document_and_part, same_title
from appliance.citing.shelf import Item, Shelf
from appliance.citing.values import STATUSES, Checked, Cited, Paragraph, Proof, Report, Reviewed, Status
from appliance.core.document import OUT_OF_FORCE, Label, Reference
from appliance.core.settings import CitingSettings
from appliance.ingest.references.resolve import resolve_external
from appliance.store.records import DocumentInfo
from appliance.text.designations import Designation, amendments, fold_designation

AROUND = 90  # characters shown on either side of a citation
NAMED = 4  # documents named in a reason
UNREAD = 60  # names told that look like standards
_CODE = re.compile(r"[A-Z]{1,2}\d{1,2}")  # a part in which numbers begin anew
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
    for one in _carried(cited):
        if time.monotonic() > until:
            left = one.paragraph
            break
        checked.append(_checked(one, text.paragraphs[one.paragraph], shelf))
    if left is not None:
        at = f"{text.unit} {text.paragraphs[left].number}"
        after = f"Checking was stopped after {limits.seconds:g} seconds at {at}"
        problems = (*problems, f"{after}: the rest was not checked. Send it in parts.")
    if gathered.unread:
        said = [
            f"{one.name} ({text.unit} {text.paragraphs[one.position].at(one.start)})"
            for one in gathered.unread
        ]
        names = ", ".join(said[:UNREAD]) + (", ..." if len(said) > UNREAD else "")
        like = (
            f"{len(said)} names look like standards that are not known here, and were not checked: {names}."
        )
        problems = (*problems, like)
    if len(cited) >= limits.citations:
        problems = (*problems, f"Only the first {limits.citations} citations were checked.")
    return Report(text.name, text.unit, shelf.version, tuple(checked), problems)


def _carried(cited: Iterable[Cited]) -> Iterator[Cited]:
    """Yield the citations, a part that stands behind its document with the amendments named there."""
    named: dict[str, frozenset[str]] = {}
    for one in cited:
        if one.amended or one.designation in " ".join(one.text.split()):
            named[one.designation] = one.amended
        yield replace(one, amended=named.get(one.designation, one.amended))


def _checked(cited: Cited, paragraph: Paragraph, shelf: Shelf) -> Checked:
    findings, proof = check(cited, shelf)
    found: tuple[Status, ...] = tuple(finding.status for finding in findings) or ("found",)
    status = min(found, key=STATUSES.index)
    reasons = tuple(dict.fromkeys(finding.why for finding in findings if finding.why))
    before = paragraph.text[max(0, cited.start - AROUND) : cited.start]
    after = paragraph.text[cited.end : cited.end + AROUND]
    if cited.start > AROUND:
        before = f"… {before.partition(' ')[2]}"
    if len(paragraph.text) - cited.end > AROUND:
        after = f"{after.rpartition(' ')[0]} …"
    context = (before, cited.text, after)
    return Checked(cited, paragraph.at(cited.start), context, status, reasons, proof)


def check(cited: Cited, shelf: Shelf) -> tuple[list[_Finding], Proof | None]:
    """Return all that is found of a citation, and the place that shows it."""
    if not cited.designation:
        return _without_document(cited, shelf)
    cited = _of_its_own(cited, shelf)
    wanted = fold_designation(dated(cited.designation))
    named = shelf.called.get(wanted.key, ())
    if not named:
        found = _of_parted(cited, shelf) or _of_series(cited, wanted, shelf)
        if found or cited.assumed:
            return found or _without_document(cited, shelf)
        why = f"{cited.designation} is not in the library, so it was not checked"
        return [_Finding("not in the library", why)], None
    chosen, findings = _edition(wanted, named, shelf)
    if chosen is None:
        return findings, None
    findings = [*findings, *_amended(cited, chosen)]
    more, proof = _part(cited, chosen, shelf)
    if cited.assumed and (proof.label is None or any(finding.status != "found" for finding in findings)):
        return _without_document(cited, shelf)
    named_there = f"read as a part of {cited.designation}, which is named {_where(cited)}"
    said = [_Finding("found", named_there)] if cited.assumed else []
    return [*findings, *more, *_title(cited, chosen, proof), *said], proof


def _of_series(cited: Cited, wanted: Designation, shelf: Shelf) -> tuple[list[_Finding], Proof | None] | None:
    """Return what is found of a code that is named whole in its parts that are loaded, None for none."""
    parts = [
        info for info in shelf.infos if any(n.key.startswith(f"{wanted.key}-") for n in shelf.names[info.id])
    ]
    if cited.assumed or not wanted.key[-1:].isdigit() or not parts:
        return None
    several = f"{cited.designation} has several parts"
    if cited.kind == "document":
        return [_Finding("ambiguous", f"{several}; loaded are {_list(parts)}")], None
    having = _having(cited, parts, shelf)
    what = cited.number or cited.text
    if not having:
        return [_Finding("ambiguous", f"{several}; none of those loaded has {what}")], None
    why = f"{several}; of those loaded these have {what}: {_list([info for info, _ in having])}"
    return [_Finding("ambiguous", why)], having[0][1] if len(having) == 1 else None


def _of_its_own(cited: Cited, shelf: Shelf) -> Cited:
    """Return what is named behind another document as that of its own.

    A requirement ("Part H3, Requirement K1"), or a place of a national annex named behind its code ("DC 1-3,
    NA.2.7"); a code that prints its annex has the place itself.
    """
    number = cited.number.rsplit(" ", 1)[-1]
    if cited.kind == "requirement" and document_and_part(cited.designation)[1]:
        owner, _ = document_and_part(number)
        cited = replace(cited, designation=owner) if owner and _called(owner, shelf) else cited
    code, annex = annex_of(cited.designation)
    if not annex or not annex_place().match(number):
        return cited
    own = (_part(cited, info, shelf) for info in _called(code, shelf)) if not _called(annex, shelf) else ()
    return cited if any(_sure(*found) for found in own) else replace(cited, designation=annex)


def _of_parted(cited: Cited, shelf: Shelf) -> tuple[list[_Finding], Proof | None] | None:
    """Return what is found of "Approved Document H3, 1.9" in the document loaded that it is a part of.

    None where no such document is loaded: what is not there is called as it is printed.
    """
    name, mark, year = dated(cited.designation).partition(":")
    document, part = document_and_part(name)
    named = _called(document, shelf) if document else ()
    having = [
        info
        for info in named
        if _sure(*_part(replace(cited, kind="requirement", number=f"Requirement {part}"), info, shelf))
    ]
    if not named:
        return None
    if cited.kind == "part":
        return _without_document(cited, shelf)
    chosen, findings = _edition(fold_designation(f"{document}{mark}{year}"), having or named, shelf)
    if chosen is None:
        return findings, None
    more, proof = _in_part(cited, part, chosen, shelf)
    return [*findings, *more, *_title(cited, chosen, proof)], proof


def _in_part(cited: Cited, part: str, info: DocumentInfo, shelf: Shelf) -> tuple[list[_Finding], Proof]:
    """Return whether the part, and the place in it, is in the document; numbers may begin anew in each."""
    missing, proof = _part(replace(cited, kind="requirement", number=f"Requirement {part}"), info, shelf)
    if cited.kind == "document" or not _sure(missing, proof):
        return missing, proof
    head, _, number = cited.number.rpartition(" ")
    for tried in (f"{head} {part} {number}".strip(), cited.number):
        findings, there = _part(replace(cited, number=tried), info, shelf)
        above = there.label.parts[:-1] if there.label else ()
        if there.label is not None and not any(_CODE.fullmatch(one) and one != part for one in above):
            return findings, there
    why = f"{_called_so(info)} has no {cited.number or cited.text} in {part}"
    return [_Finding("no such place", why)], proof


def _sure(findings: Sequence[_Finding], proof: Proof) -> bool:
    """Tell whether a place was found, as it is named or as what holds it."""
    return proof.label is not None and all(one.status == "found" for one in findings)


def _called(name: str, shelf: Shelf) -> Sequence[DocumentInfo]:
    """Return the documents that go by this name, in any edition."""
    return shelf.called.get(fold_designation(name).key, ())


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
    said = []
    for info in named:  # each with its edition, where its designation does not say it
        years, name = sorted(_years(info, shelf)), _called_so(info)
        told = not years or any(year in name for year in years)
        said.append(name if told else f"{name} ({', '.join(years)})")
    loaded = valid or list(named)
    findings = [_Finding("wrong edition", f"edition {wanted.year} is cited; loaded: {_joined(said)}")]
    if len(loaded) > 1:
        return None, findings
    return loaded[0], [*findings, *_out_of_force(loaded[0], valid)]


def _out_of_force(info: DocumentInfo, valid: Sequence[DocumentInfo]) -> list[_Finding]:
    if info.status not in OUT_OF_FORCE:
        return []
    now = f"; in force and loaded is {_list(valid)}" if valid else ""
    status: Status = "withdrawn" if info.status == "withdrawn" else "superseded"
    return [_Finding(status, f"{_called_so(info)} is {info.status}{now}")]


def _amended(cited: Cited, info: DocumentInfo) -> list[_Finding]:
    """Return which amendments are cited and not in the document loaded, or in it and not cited.

    A citation without a date is of the document as it is amended.
    """
    named = amendments(cited.designation) | cited.amended
    own = amendments(info.designation, info.edition, *info.aliases)
    lacking, more = sorted(named - own), sorted(own - named)
    is_dated = bool(named or fold_designation(dated(cited.designation)).year)
    findings = []
    if lacking:
        why = f"amendments cited and not taken in by the {_called_so(info)} loaded: {_joined(lacking)}"
        findings.append(_Finding("wrong edition", why))
    if more and is_dated:
        why = f"amendments not cited that the {_called_so(info)} loaded takes in: {_joined(more)}"
        findings.append(_Finding("wrong edition", why))
    return findings


def _years(info: DocumentInfo, shelf: Shelf) -> set[str]:
    return {name.year for name in shelf.names[info.id] if name.year}


def _part(cited: Cited, info: DocumentInfo, shelf: Shelf) -> tuple[list[_Finding], Proof]:
    """Return whether the part is in the document, with its place, or the document itself."""
    whole = Proof(info.id, info.designation, info.title, 1)
    if cited.kind == "document":
        return [], whole
    loaded, items = shelf.held(info.id)
    name = info.designation or info.id
    reference = Reference(_HERE, 0, 0, cited.text, cited.kind, (), designation=name, number=cited.number)
    (found,) = resolve_external((reference,), (loaded,))
    if found.status == "resolved" and found.target is None:
        return [], whole
    if found.target is not None:
        item = items.get(found.target, Item("clause", "", 1))
        proof = Proof(info.id, info.designation, item.title, item.page, found.target, item.kind)
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
    why = f"the title printed is “{cited.title}”, that of the library is “{titles[0]}”"
    return [_Finding("wrong title", why)]


def _without_document(cited: Cited, shelf: Shelf) -> tuple[list[_Finding], Proof | None]:
    """Return which documents have a part that is named without one; none is chosen where several do."""
    having = _having(cited, shelf.infos, shelf)
    what = cited.number or cited.text
    whose = f"{what} is named without a document"
    if cited.assumed:
        whose = f"{whose}; it may be one of {cited.designation}, named {_where(cited)}"
    if not having:
        return [_Finding("ambiguous", f"{whose}; no document in the library has it")], None
    why = f"{whose}; in the library it is in {_list([info for info, _ in having])}"
    return [_Finding("ambiguous", why)], having[0][1] if len(having) == 1 else None


def _having(cited: Cited, infos: Iterable[DocumentInfo], shelf: Shelf) -> list[tuple[DocumentInfo, Proof]]:
    """Return which of the documents have the very place, with its proof."""
    found = ((info, *_part(cited, info, shelf)) for info in infos)
    return [(info, proof) for info, findings, proof in found if proof.label is not None and not findings]


def _where(cited: Cited) -> str:
    return "behind it" if cited.behind else "before"


def _called_so(info: DocumentInfo) -> str:
    return info.designation or info.id


def _list(infos: Sequence[DocumentInfo]) -> str:
    return _joined([_called_so(info) for info in infos])


def _joined(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
