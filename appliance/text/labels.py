"""The labels of a place in the forms that a reader may know them by."""

from __future__ import annotations

import re
from typing import Protocol

from appliance.core.document import Label
from appliance.core.evidence import PlaceKind

_LAST = re.compile(r"\(\d{1,3}\)$")
TITLED = frozenset({"heading", "annex", "requirement"})  # kinds of place whose title belongs to the label


class Labelled(Protocol):
    """The part of a `Place` that its labels are printed from."""

    @property
    def label(self) -> Label: ...
    @property
    def labels(self) -> tuple[Label, ...]: ...
    @property
    def kind(self) -> PlaceKind: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def heading_path(self) -> tuple[str, ...]: ...


def printed_labels(place: Labelled) -> tuple[str, ...]:
    """Return every label of the shown text in the forms a reader may know it by.

    Besides the labels themselves: a titled division whose heading it shows with its title ("Section 6:
    Protection from collision"), the bare number of a requirement ("K1" of "Requirement K1"), and that of a
    paragraph with the mark of a principle that is printed behind it ("6.1(2)P").
    """
    named = str(place.label)
    own = [str(label) for label in place.labels]
    forms = [*own, *(titled for label in own for titled in _titled(label, place.heading_path))]
    forms += [f"{label}P" for label in own if (last := _LAST.search(label)) and f"{last[0]}P" in place.text]
    if place.title and place.title != named and place.kind in TITLED:
        forms.append(f"{named}: {place.title}")
    if place.kind == "requirement" and any(character.isdigit() for character in named):
        forms.append(named.rsplit(" ", 1)[-1])
    return tuple(dict.fromkeys(forms))


def _titled(label: str, headings: tuple[str, ...]) -> list[str]:
    """Return a label in words with its title, where it is one of the headings above the text."""
    begun = [heading for heading in headings if heading.startswith(f"{label} ") and label[:1].isalpha()]
    return [f"{label}: {heading.removeprefix(label).strip()}" for heading in begun]
