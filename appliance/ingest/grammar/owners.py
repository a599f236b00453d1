"""Whose part a mention names, where the words beside it are silent or name this very document.

Rules of this module: pure; the answer comes from the family's `[[owners]]` and from what the
document has. "Regulation 7" is this document's where it prints regulation 7, else the Building
Regulations'; "Approved Document H1, 2.44" inside Approved Document H is its own "H1 2.44".
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from appliance.document import Document
from appliance.ingest.designations import fold_designation, same_document_part
from appliance.ingest.edition_words import load_edition_words
from appliance.ingest.grammar.hosts import cleared
from appliance.ingest.grammar.mention import NATIONAL, Mention, Reading
from appliance.ingest.grammar.words import Owner

_PARTED = re.compile(r"^(?P<part>[A-Z]{1,2}\d{1,2})-(?P<number>[A-Z]?\.?\d.*)$")
_CODE = re.compile(r"^[A-Z]{1,2}\d")


def settle(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the mention with its document made plain, "" for this one; None if it names only itself."""
    if mention.kind == "relative":
        return _national(mention, document, reading)
    if mention.part:
        mention = _in_other_part(mention, document, reading)
    mention = _in_volume(_in_series(mention, document, reading), document, reading)
    mention = _own(mention, document)
    if mention.kind == "document" and not mention.designation:
        return None
    mention = _parted(mention, reading)
    if _is_requirement(mention, reading):
        mention = replace(mention, kind="requirement", label=reading.words.code)
    for owner in reading.words.owners:
        fits = owner.label == mention.label and not owner.series
        match = owner.number.fullmatch(mention.number) if fits else None
        if match and _applies(owner, mention, reading):
            return replace(mention, designation=match.expand(owner.designation))
        if match and _is_owner(mention.designation, owner):
            return replace(mention, designation="")
    return _of_parent(mention, document, reading)


def _in_other_part(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part of a Part that is another document, or that nothing here is: "clause 1.2 of Part 2"."""
    label, number = mention.part or ("", "")
    whole = settle(Mention(mention.start, mention.end, "part", label, number), document, reading)
    if whole and whole.designation:
        return replace(mention, designation=whole.designation, part=None)
    return replace(mention, label="", number=f"{label} {number} {mention.number}", part=None)


def _in_volume(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part of "Volume 2" alone as one of that volume of this document, where it is in volumes."""
    volume = re.compile(reading.words.volumes or r"(?!)")
    if not volume.fullmatch(mention.designation) or not volume.search(document.designation):
        return mention
    return replace(mention, designation=volume.sub(mention.designation, document.designation))


def _national(mention: Mention, document: Document, reading: Reading) -> Mention | None:
    """Return the national annex named without a designation as that of this document, None if it is one."""
    if mention.number != NATIONAL:
        return mention
    if re.match("|".join(map(re.escape, reading.words.annexes)), document.designation):
        return None
    undated = document.designation.partition(":")[0]
    return replace(mention, designation=reading.words.relative["own"].format(undated)) if undated else None


def _in_series(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a Part as the document of the series that it is: "Part 1-2", "EN 1993 Part 1-2"."""
    for owner in reading.words.owners:
        match = owner.number.fullmatch(mention.number) if owner.label == mention.label else None
        if not match or not owner.series:
            continue
        whole = fold_designation(cleared(mention.designation or document.designation)).key
        series = owner.series.match(whole)
        if series and not (mention.designation and series.end() < len(whole)):
            if not mention.designation and reading.has(mention.kind, mention.label, mention.number):
                continue
            designation = match.expand(owner.designation).format(series=series[1])
            return Mention(mention.start, mention.end, "document", "", "", designation)
    return mention


def _of_parent(mention: Mention, document: Document, reading: Reading) -> Mention:
    """Return a part that a national annex names and does not have as one of the code it is an annex to."""
    parent = _parent(document.designation)
    if not parent or mention.designation or mention.kind in ("relative", "note", "requirement"):
        return mention
    if mention.number.startswith(reading.words.annexes) or reading.has(
        mention.kind, mention.label, mention.number
    ):
        return mention
    return replace(mention, designation=parent)


@lru_cache(maxsize=64)
def _parent(designation: str) -> str:
    """Return the code that "NA to BS EN 1990:2002" and "DIN EN 1990/NA" belong to, "" for no annex."""
    found = (pattern.search(" ".join(designation.split())) for pattern in load_edition_words().annexes)
    return next((match["parent"] for match in found if match), "")


def _is_requirement(mention: Mention, reading: Reading) -> bool:
    """Tell whether "Parts K1 and K2" or "paragraph H2" names a requirement by its code."""
    label = reading.words.code
    if not label or not _CODE.match(mention.number) or mention.kind not in ("part", "clause"):
        return False
    return reading.has("requirement", label, mention.number) and not reading.has(
        mention.kind, mention.label, mention.number
    )


def _applies(owner: Owner, mention: Mention, reading: Reading) -> bool:
    if mention.designation and not _is_owner(mention.designation, owner):
        return False
    if mention.designation and mention.kind == "part":
        return True  # "Part D of Schedule 1 to the ... Regulations"
    return not reading.has(mention.kind, mention.label, mention.number)


def _is_owner(designation: str, owner: Owner) -> bool:
    return bool(designation) and (designation in owner.same or owner.designation.startswith(designation))


def _own(mention: Mention, document: Document) -> Mention:
    """Return a mention of this document's own part as internal, with the Part that the name adds."""
    name = cleared(mention.designation)
    part = same_document_part(name, document) if name else None
    if part is None or (part and not mention.number):
        return mention
    return replace(mention, designation="", number=f"{part} {mention.number}".strip())


def _parted(mention: Mention, reading: Reading) -> Mention:
    """Return "H1-2.17" as clause 2.17 of Part H1, where the document has such a one."""
    match = _PARTED.match(mention.number) if mention.kind == "clause" else None
    if match and not mention.designation and reading.has("clause", "", f"{match['part']} {match['number']}"):
        return replace(mention, number=f"{match['part']} {match['number']}")
    return mention
