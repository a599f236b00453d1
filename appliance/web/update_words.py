"""What the updater says, in the language of the page: events, reasons, and the facts in its sentences.

Rules of this module: the updater knows no page and writes English into its log; here each phrase that it
can say is known by the pattern of its words, and said again with the same facts. A reason within a sentence
is a phrase too. What is no phrase of ours (a name, what a foreign program said last) is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from appliance.update.desk import Doing
from appliance.update.words import Why, at_page
from appliance.web.language import later, say

FATES = (later("added"), later("changed"), later("withdrawn"))
EVENTS = frozenset(
    {
        later("committed"), later("damaged"), later("exported"), later("made"), later("made room"),
        later("new keys"), later("rebuilt"), later("refused"), later("rolled back"), later("scrubbed"),
        later("staged"), later("tried"), later("went back"),
    }
)  # fmt: skip
STATUSES = (later("superseded"), later("withdrawn"))  # behind an edition that a report names
REASONS = ("why", "name", "versions", "box")  # facts that may be phrases
PHRASES = (  # what is more exact stands first
    # the log
    later("version {n} was removed"),
    later("version {n}"),
    later("{n} of {all} golden questions"),
    later("only {n} of {all} golden questions are answered"),
    later("{n} files are whole"),
    later("{n} notes"),
    later("from {generation}"),
    later("box without a name, keys {keys}"),
    later("box {site}, keys {keys}"),
    later("root {root}, release keys {keys}"),
    later("state.json was lost"),
    later("noted later, for the disk took no line then"),
    # why it was not served
    later("it was tried twice and the box stopped each time"),
    later("what was kept of it cannot be read"),
    later("the keys that signed it are no longer trusted"),
    later("it is not what its signed list of files describes"),
    later("{file} is not what was copied"),
    later("{file} was not read back as it was written"),
    later("{generation} is damaged"),
    later("it did not answer within {n} seconds (setting update.trial_seconds)"),
    later("its process ended with {code} and no answer"),
    later("its library holds no document"),
    later("the image of {document}, page {page} is missing"),
    later("its server ended by itself with {code}: {why}"),
    later("its server did not say within {n} seconds that it is well ({why})"),
    later("it said nothing"),
    later("it says that it is not well"),
    later("its program did not start within {n} seconds"),
    later("its program does not start: {why}"),
    later("{path} cannot be read as a library ({why}). Build it again with: {command}"),
    later("{path} cannot be used as the home of a box ({why}). {command}"),
    # what a bundle should not be
    later("a program that is larger than it says"),
    later("a program that is not what it says"),
    later("a wheel that is none ({kind})"),
    later("a wheel that is none"),
    later("a description that cannot be read"),
    later("a description of another version"),
    later("a list of page images that does not fit them"),
    later("the patch of the library"),
    later("the file of the keys"),
    later("its signed list of files"),
    later(" (version {n} after {floor})"),
    later("without a name"),
    # what a disk or a stick said
    later("it is mounted for reading alone"),
    later("what was written is not what can be read"),
    later("No space left on device"),
    later("Input/output error"),
    later("Read-only file system"),
    later("Permission denied"),
    later("No such file or directory"),
)


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", phrase)
    words = (f"(?P<{part}>.+)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
    return re.compile("".join(words), re.DOTALL)


_KNOWN = tuple((_pattern(phrase), phrase) for phrase in PHRASES)


def in_words(text: str) -> str:
    """Return a phrase of the updater in the language of the page, any other text as it is."""
    for pattern, phrase in _KNOWN:
        if found := pattern.fullmatch(text):
            return say(phrase).format(**_facts(found.groupdict()))
    return text


def _facts(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts of a sentence, the reasons among them in the language of the page."""
    return {
        name: in_words(fact) if name in REASONS and isinstance(fact, str) else fact
        for name, fact in facts.items()
    }


def sentence(words: str, facts: Mapping[str, object] | None) -> str:
    """Return a sentence with its facts in the language of the page; whatever stands in these is text."""
    return say(words) if facts is None else say(words).format(**_facts(facts))


def told(doing: Doing) -> str:
    """Return what came of a task."""
    return sentence(doing.words, doing.facts)


def edition(name: str) -> str:
    """Return the name of an edition with the status that stands behind it."""
    before, comma, status = name.rpartition(", ")
    return f"{before}, {say(status)}" if comma and status in STATUSES else name


def said_of(line: dict[str, Any]) -> str:
    """Return what a line of the log says."""
    return refusal(line) if line.get("code") else in_words(str(line["said"]))


def refusal(line: dict[str, Any]) -> str:
    """Return the sentence of a refusal in the log."""
    try:
        return sentence(at_page(Why(line["code"])), line["facts"])
    except (ValueError, KeyError):  # a log that another program wrote
        return str(line["said"])
