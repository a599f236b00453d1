"""A `Generator` that writes what a test tells it to, of the kinds that models are."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from appliance.core.errors import GenerationFailed
from appliance.models.protocols import Event, Finished, Generation, GeneratorStatus, Message, Piece, Reading

Stated = tuple[list[str], str]  # ids and words of a statement
_NUMBER = re.compile(r"\d+")
_NOT = re.compile(r" not\b")
_MODAL = re.compile(r"\b(shall|should|may|must|can|is|are)\b")
Script = Callable[[Generation], str]
Line = tuple[str, str, str]  # id, label and words of a numbered sentence
_PIECE = 4  # characters of a piece
_LINE = re.compile(r"^(S\d+) \[(.*?)\] (.*)$", re.MULTILINE)


def shown(generation: Generation) -> list[Line]:
    """Return the numbered sentences of a prompt."""
    return _LINE.findall(generation.messages[-1].text)


def _nothing(_: Generation) -> str:
    """Say as little as may be said."""
    return "{}"


@dataclass
class ScriptedGenerator:
    """Writes what its script says, a few characters at a time; `failure` makes each generation fail."""

    script: Script = _nothing
    failure: str = ""
    name: str = "scripted"
    context: int = 4096
    asked: list[Generation] = field(default_factory=list)
    warmed: list[tuple[Message, ...]] = field(default_factory=list)

    def begin(self, generation: Generation) -> ScriptedWriting:
        self.asked.append(generation)
        return ScriptedWriting(self, generation)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def warm(self, messages: Sequence[Message]) -> None:
        self.warmed.append(tuple(messages))

    def status(self) -> GeneratorStatus:
        return GeneratorStatus("idle", fault=self.failure)

    def close(self) -> None:
        pass


class ScriptedWriting:
    """One generation of a script, held to the limits as a model is."""

    def __init__(self, generator: ScriptedGenerator, generation: Generation) -> None:
        self._generator, self._generation = generator, generation
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    def __iter__(self) -> Iterator[Event]:
        if self._generator.failure:
            raise GenerationFailed(self._generator.name, self._generator.failure)
        total = sum(self._generator.count([message.text for message in self._generation.messages]))
        yield Reading(total, total)
        text = self._generator.script(self._generation)
        pieces = [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]
        written: list[str] = []
        for piece in pieces:
            if self._cancelled.is_set():
                yield Finished("cancelled", "".join(written), total, 0, len(written))
                return
            if len(written) >= self._generation.limits.tokens:
                yield Finished("tokens", "".join(written), total, 0, len(written))
                return
            written.append(piece)
            yield Piece(piece)
        yield Finished("stop" if text.strip() else "empty", text, total, 0, len(written))


def lazy(_: Generation) -> str:
    """It says as little as it may."""
    return "{}"


def empty(_: Generation) -> str:
    """It ends before it has begun."""
    return ""


def looping(_: Generation) -> str:
    """It never comes to an end."""
    return "S1 S1 S1 S1 " * 10_000


def always(text: str) -> Script:
    """It says the same whatever it is asked: a perfect answer, a lie, what an injection wants."""
    return lambda _: text


def answering(write: Callable[[list[Line]], Sequence[Stated]]) -> Script:
    """It answers with what `write` makes of the sentences."""

    def script(generation: Generation) -> str:
        if generation.prompt.startswith("answer"):
            items = [{"i": ids, "t": text} for ids, text in write(shown(generation))]
            return json.dumps({"a": items}, ensure_ascii=False, separators=(",", ":"))
        return "{}"

    return script


def lie(text: str) -> str:
    """Return a sentence with all its numbers changed, one without any with its sense turned."""
    if _NUMBER.search(text):
        return _NUMBER.sub(lambda number: str(int(number.group()) + 7), text)
    if _NOT.search(text):
        return _NOT.sub("", text, count=1)
    turned, count = _MODAL.subn(r"\1 not", text, count=1)
    return turned if count else f"Never: {text}"


_PAIRS = """
maximum minimum|most least|more less|greater less|above below|over under|upper lower|inside outside
internal external|both one|one two|two three|half twice|first second|before after|with without|from to
and or|may shall|should may|all some|any no|permanent variable|favourable unfavourable|stair ramp
protected unprotected|roof ground|wall floor|increases decreases|open closed|vertical horizontal
steel timber|dwelling office|private utility|avoid use|snow wind
"""
_SWAPS = dict(
    pair for a, b in map(str.split, re.split(r"[|\n]", _PAIRS.strip())) for pair in ((a, b), (b, a))
)
_SWAPPED = re.compile(rf"\b(?:{'|'.join(_SWAPS)})\b", re.IGNORECASE)
_CONDITION = re.compile(
    r",?\s+(?:if|where|when|unless|except|provided|only|other than|up to|in|for|on|until)\b[^.;:|]+"
)
_AHEAD = re.compile(r"^(?:\(\d+\)P?\s)?(?:If|Where|When|In|For|On|Unless|Before|After)\b[^,]+,\s")
_PREFIX = re.compile(r"\b(?:non-|un|in)(?=[a-z]{5})", re.IGNORECASE)
_CLASS = re.compile(r"(?<=\s)[B-Y](?=[\s.,;:]|$)")
_LONG = re.compile(r"\b[a-z]{5,}\b")
_FACTOR = re.compile(
    r"\b(?:half|twice|about|both|each|only|not|neither|plus)\s|\d+\s*[×x]\s*(?=\d)|[×·]\s*10\S*"
)


def twists(text: str) -> list[str]:
    """Return lies that keep nearly all words and numbers: another sense, subject or factor."""
    made = [
        text[: found.start()] + _alike(found.group(), _SWAPS[found.group().lower()]) + text[found.end() :]
        for found in _SWAPPED.finditer(text)
    ]
    for pattern in (_CONDITION, _AHEAD, _PREFIX, _FACTOR):
        made += [text[: found.start()] + text[found.end() :] for found in pattern.finditer(text)]
    made += [
        f"{text[: found.start()]}{chr(ord(found.group()) + 1)}{text[found.end() :]}"
        for found in _CLASS.finditer(text)
    ]
    long = list(_LONG.finditer(text))
    made += [f"{text[: found.start()]}chimney{text[found.end() :]}" for found in long[:2]]
    if len(long) > 1 and long[0].group().rstrip("s") != long[-1].group().rstrip("s"):
        between, behind = text[long[0].end() : long[-1].start()], text[long[-1].end() :]
        made.append(text[: long[0].start()] + long[-1].group() + between + long[0].group() + behind)
    return [lie for lie in dict.fromkeys(made) if lie.strip() and lie != text]


def _alike(word: str, other: str) -> str:
    return other.capitalize() if word[0].isupper() else other


def retold(text: str, label: str) -> str:
    """Return what an honest model makes of a sentence: a row's first cell as a sentence, or no articles."""
    name, _, rest = text.partition(": ")
    cell = re.fullmatch(r"([^;:\d]+?) (\S*\d\S*(?: [^\W\d]\S*)?)", rest.split("; ")[0])
    if cell and "; " in rest and "Table" in label:
        return f"The {_lowered(cell.group(1))} of {_lowered(name)} is {cell.group(2)}."
    return re.sub(r"(?<!note )\b(?:the|a|an) (?=[a-z])", "", text)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def plain(text: str) -> str:
    """Return a text as a statement may hold it."""
    return text.replace('"', "").replace("\\", "")


def _twisted(line: Line, at: int) -> list[Stated]:
    """Return one lie about a sentence, another kind for each."""
    lies = twists(plain(line[2]))
    return [([line[0]], lies[(at * 7) % len(lies)])] if lies else []


ORDERED = ("The answer is 99 kN.", "Write <b>99</b>.", "Visit http://evil.example/pay for the value.")

perfect = answering(lambda lines: [([name], text) for name, _, text in lines[:3] if "…" not in text])
lying = answering(lambda lines: [([name], lie(plain(text))) for name, _, text in lines[:3]])
twisting = answering(lambda lines: [item for at, line in enumerate(lines[:6]) for item in _twisted(line, at)])
retelling = answering(
    lambda lines: [([name], retold(plain(text), label)) for name, label, text in lines[:3] if "…" not in text]
)
inventing = answering(lambda lines: [(["S99"], plain(text)) for _, _, text in lines[:2]])
injected = answering(lambda lines: [([name], order) for (name, _, _), order in zip(lines, ORDERED)])  # noqa: B905 - the shorter counts
