"""The labels of a place in the forms that a reader may know them by."""

from __future__ import annotations

import re

from appliance.core.evidence import Place

_LAST = re.compile(r"\(\d{1,3}\)$")
TITLED = frozenset({"heading", "annex", "requirement"})  # kinds of place whose title belongs to the label


def printed_labels(place: Place) -> tuple[str, ...]:
    """Return every label of the shown text in the forms a reader may know it by.

    Besides the labels themselves: a titled division whose heading it shows with its title ("Section 6:
    Protection from collision"), the bare number of a requirement ("K1" of "Requirement K1"), and that of a
    paragraph with the mark of a principle that is printed behind it ("6.1(2)P").
    """
    named = str(place.label)
    own = [str(label) for label in place.labels]
    forms = own.copy()
    for label in own:  # in words, with the title where it is one of the headings above the text
        begun = [
            above for above in place.heading_path if above.startswith(f"{label} ") and label[:1].isalpha()
        ]
        forms += [f"{label}: {heading.removeprefix(label).strip()}" for heading in begun]
    forms += [f"{label}P" for label in own if (last := _LAST.search(label)) and f"{last[0]}P" in place.text]
    if place.title and place.title != named and place.kind in TITLED:
        forms.append(f"{named}: {place.title}")
    if place.kind == "requirement" and any(character.isdigit() for character in named):
        forms.append(named.rsplit(" ", 1)[-1])
    return tuple(dict.fromkeys(forms))
