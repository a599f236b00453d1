"""What each mechanism is worth: families judged with it and without it.

Goes in: families (a library with judged questions, PDFs with structure truth) and the register of
mechanisms. Comes out: for each mechanism and each group the change of every figure by family with a sign
test over the items that changed, the lines that it costs and its milliseconds. Whatever a mechanism cannot
change is taken from the run with everything; runs are kept by the content of code, library and questions.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT
from typing import Any, Literal, TypeVar

from rich.console import RenderableType

from appliance.core import mechanisms as register
from appliance.core.decoding import convert
from appliance.core.errors import ApplianceError, BadInput
from appliance.core.evidence import Answer, Evidence, Grounded, NotFound
from appliance.core.files import content_hash, data_folder, files_in, parse, write_whole
from appliance.core.mechanisms import Mechanism
from appliance.core.own_modules import behind
from appliance.core.settings import IngestSettings, Settings
from appliance.evaluation.ablation.call_graph import call_graph
from appliance.evaluation.places import contains, first_page_rank, first_rank, normal_value, total
from appliance.evaluation.questions import Family, Progress, Question, load_questions, said, within
from appliance.evaluation.reports import grid, sign_test
from appliance.evaluation.structure import load_truths, score_document
from appliance.ingest.pdf.reader import read as read_pdf
from appliance.ingest.pipeline import read_document
from appliance.ingest.structure.schemes import load_schemes
from appliance.library import Library

PACKAGE = Path(__file__).parents[2]
LIMIT = 20  # places that a search shows
FIRST, TEN = 5, 10
SEARCHED = frozenset({"complete@10", "any@5", "page@10", "mrr"})  # figures of a search
Phase = Literal["structure", "search", "answer"]
MAIN: Mapping[Phase, str] = {"structure": "all items", "search": "complete@10", "answer": "lead value"}
ROOMS: Mapping[str, Phase] = {"ingest": "structure", "retrieval": "search", "answer": "answer"}
ENTRIES: Mapping[Phase, tuple[str, ...]] = {
    "structure": ("appliance.ingest.pipeline", "appliance.evaluation.structure"),
    "search": ("appliance.library", "appliance.evaluation.places"),
    "answer": ("appliance.library", "appliance.evaluation.places"),
}
EVERYTHING = ""  # the run with all mechanisms, beside those without one by its name
Items = Mapping[str, Mapping[str, float]]
"""Of each figure what every item comes to, 0 to 1; an item that is not named comes to 1."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Change:
    """What a mechanism changes in a figure of a family: with it, without it, items won and lost by it."""

    family: str
    figure: str
    before: float
    without: float
    won: int
    lost: int
    chance: float  # that as uneven a split comes of a coin

    @property
    def gain(self) -> float:
        """Return by how much the figure is better with the mechanism."""
        return self.before - self.without


@dataclass(frozen=True, slots=True)
class Row:
    """What one mechanism or group comes to; `milliseconds` for each question or page."""

    name: str
    does: str
    place: str
    lines: int
    milliseconds: float
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Run:
    """What one family came to in one phase, and by question what changed something in its search."""

    figures: Mapping[str, float]
    items: Items
    changed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    answered: Mapping[str, frozenset[str]] = field(default_factory=dict)  # while an answer was made
    seconds: Mapping[str, float] = field(default_factory=dict)


def families_of(path: Path) -> tuple[Family, ...]:
    """Return the families that a TOML file names ([[family]] name, library, questions, structure, pdfs).

    Paths are taken from the folder of the file. Raises BadInput where it says anything else.
    """
    try:
        return convert(
            parse(path)[1].get("family"),
            tuple[Family, ...],
            hook=lambda _, value: path.parent / Path(value).expanduser(),
        )
    except (ValueError, TypeError) as error:
        raise BadInput(f"{path} does not name families: {error}.") from None


def demo_family(library: Path) -> Family:
    """Return the family that ships with the program; its library is left out where it is not built."""
    demo = data_folder() / "demo"
    built = library if library.is_file() else None
    return Family("demo", built, (demo / "questions.jsonl",), demo / "structure", demo / "pdfs")


def ablate(
    families: Sequence[Family],
    settings: Settings,
    work: Path,
    *,
    only: Sequence[str] = (),
    phases: Sequence[Phase] = ("structure", "search"),
    progress: Progress | None = None,
) -> tuple[Row, ...]:
    """Return a row for each mechanism and group, by name; results are kept in the folder `work`.

    `only` names those to be tried. Raises BadInput for unknown names, a file that is not what it should be.
    """
    register.check(only)
    known = [one for one in register.mechanisms() if not only or {one.name, one.group} & {*only}]
    named = {one.name: (one,) for one in known}
    for one in known:
        if not only or one.group in only:
            named[one.group] = (*named.get(one.group, ()), one)
    jobs = [
        (family, phase)
        for family, phase in product(families, phases)
        if not (phase == "search" and "answer" in phases)  # an answer is judged with its search
        if (family.structure and family.pdfs if phase == "structure" else family.library and family.questions)
    ]
    tried = [(*job, name) for job in jobs for name, members in named.items() if _can_change(job[1], members)]
    runs: dict[tuple[Family, Phase, str], _Run] = {}
    cores = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cores, get_context("spawn"), signal.signal, (SIGINT, SIG_IGN)) as pool:
        try:
            for step in ([(*job, EVERYTHING) for job in jobs], tried):
                waiting = {pool.submit(_run, *one, settings, work): one for one in step}
                for finished in as_completed(waiting):
                    runs[waiting[finished]] = finished.result()
                    if progress is not None:
                        progress(len(runs), len(jobs) + len(tried))
        finally:
            pool.shutdown(cancel_futures=True)  # what waits when one fails or is interrupted is not begun
    changes: dict[str, list[Change]] = {name: [] for name in named}
    seconds: dict[str, list[float]] = {name: [] for name in named}
    for family, phase, name in tried:
        whole = runs[family, phase, EVERYTHING]
        found = _changes(family.name, whole, runs[family, phase, name])
        searches = any(ROOMS[one.module.split(".")[1]] != "answer" for one in named[name])
        changes[name] += (change for change in found if searches or change.figure not in SEARCHED)
        spent = sum(whole.seconds.get(one.name, 0.0) for one in named[name])
        seconds[name].append(1000 * spent / max(len(whole.changed), 1))
    return tuple(_row(name, named[name], changes[name], seconds[name]) for name in sorted(named))


def _can_change(phase: Phase, members: Sequence[Mechanism]) -> bool:
    """Return whether a phase can come out otherwise without these mechanisms."""
    rooms = {ROOMS[one.module.split(".")[1]] for one in members}
    return rooms <= ({"search", "answer"} if phase == "answer" else {phase})


@lru_cache(maxsize=2)  # the phases of one family, whose runs follow each other
def _runs_of(family: Family, phase: Phase, settings: Settings, work: Path) -> _Judged | _Read:
    return (
        _Read(family, settings.ingest, work)
        if phase == "structure"
        else _Judged(family, phase, settings, work)
    )


def _run(family: Family, phase: Phase, name: str, settings: Settings, work: Path) -> _Run:
    """Return, in a process of its own, what a family comes to without a mechanism or group."""
    return _runs_of(family, phase, settings, work)((name,) if name != EVERYTHING else ())


def _row(name: str, members: Sequence[Mechanism], changes: Sequence[Change], spent: Sequence[float]) -> Row:
    lines = call_graph(PACKAGE).lines_of([(one.module, one.function) for one in members])
    does, place, first = f"{len(members)} mechanisms together.", "", members[0]
    if name == first.name:
        does = first.does
        place = f"{first.module.removeprefix('appliance.').replace('.', '/')}.py:{first.line}"
    return Row(name, does, place, lines, sum(spent) / max(len(spent), 1), tuple(changes))


def _changes(family: str, whole: _Run, less: _Run) -> Iterator[Change]:
    for figure, before in whole.figures.items():
        ours, theirs = whole.items.get(figure, {}), less.items.get(figure, {})
        pairs = [(ours.get(item, 1.0), theirs.get(item, 1.0)) for item in {**ours, **theirs}]
        won, lost = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        yield Change(family, figure, before, less.figures[figure], won, lost, sign_test(won, lost))


# -- runs of one family, kept by content


class _Kept:
    """Values in a folder by what they follow from."""

    def __init__(self, folder: Path, *parts: object) -> None:
        self._folder, self._parts = folder, parts

    def get(self, make: Callable[[], Value], *parts: object) -> Value:
        """Return what was made of these parts, making it the first time."""
        name = sha256(repr((*self._parts, *parts)).encode()).hexdigest()
        path = self._folder / name[:2] / name
        if path.is_file():
            value: Value = pickle.loads(path.read_bytes())  # noqa: S301 - written below, by this program
            return value
        value = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, pickle.dumps(value))
        return value


@cache
def _code(phase: Phase) -> str:
    """Return the hash of the modules and data that a phase comes from."""
    first, *others = ENTRIES[phase]
    names = ["appliance.retrieval.search" if phase == "search" else first, *others]
    entries = (PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py") for name in names)
    files = {Path(__file__), *behind(entries)}
    demo = data_folder() / "demo"
    data = [path for path in data_folder().rglob("*") if path.is_file() and not path.is_relative_to(demo)]
    return content_hash([*sorted(files), *sorted(data)])


class _Judged:
    """Judged questions put to a library: what nothing switched off can change is taken from the whole run."""

    def __init__(self, family: Family, phase: Phase, settings: Settings, work: Path) -> None:
        files = sorted(files_in(family.questions, "*.jsonl"))
        self._questions = load_questions(files)
        self._answers, self._settings = phase == "answer", settings
        self._library_path = family.library or Path()
        self._evidence: dict[str, Evidence | None] = {}  # with every mechanism
        same = content_hash([self._library_path, *files], repr(settings.search), repr(settings.models))
        self._kept = _Kept(work, phase, _code(phase), same)

    @cached_property
    def _library(self) -> Library:
        return Library.open(self._library_path, self._settings)

    def __call__(self, off: Sequence[str]) -> _Run:
        return self._kept.get(partial(self._less, off, self(())) if off else self._whole, *off)

    def _whole(self) -> _Run:
        found: dict[str, dict[str, float]] = {}
        changed: dict[str, frozenset[str]] = {}
        answered: dict[str, frozenset[str]] = {}
        seconds: Counter[str] = Counter()
        for question in self._questions:
            with register.watched() as searching:
                evidence = self._found(question)
                figures = dict(_search_figures(evidence, question))
            with register.watched() as answering:
                figures |= self._answer(question, evidence)
            found[question.id] = figures
            changed[question.id] = frozenset(searching.changed)
            answered[question.id] = frozenset(answering.changed)
            seconds.update(searching.seconds)
            seconds.update(answering.seconds)
        return _run_of(found, changed, answered, dict(seconds))

    def _less(self, off: Sequence[str], whole: _Run) -> _Run:
        found: dict[str, dict[str, float]] = {}
        for question in self._questions:
            same = {name: of[question.id] for name, of in whole.items.items() if question.id in of}
            search = _touches(off, whole.changed[question.id])
            answer = _touches(off, whole.answered[question.id])
            if search or answer:
                usual = self._usual(question)
                with register.without(off):
                    evidence = self._found(question) if search else usual
                    same |= dict(_search_figures(evidence, question)) if search else {}
                    same |= self._answer(question, evidence) if answer or evidence != usual else {}
            found[question.id] = same
        return _run_of(found)

    def _usual(self, question: Question) -> Evidence | None:
        """Return what is found with every mechanism."""
        if question.id not in self._evidence:
            self._evidence[question.id] = self._found(question)
        return self._evidence[question.id]

    def _found(self, question: Question) -> Evidence | None:
        """Return what is found for a question, but how long it took; None for one that cannot be read."""
        try:
            found = self._library.search(question.question, limit=LIMIT, wanted=question.filter)
        except ApplianceError:
            return None
        return replace(found, timings_ms={})

    def _answer(self, question: Question, evidence: Evidence | None) -> dict[str, float]:
        if evidence is None or not self._answers:
            return {}
        answer = self._library.answer_from(question.question, evidence, question.filter)
        return dict(_answer_figures(answer, question))


def _run_of(
    found: Mapping[str, Mapping[str, float]],
    changed: Mapping[str, frozenset[str]] | None = None,
    answered: Mapping[str, frozenset[str]] | None = None,
    seconds: Mapping[str, float] | None = None,
) -> _Run:
    """Return a run of the figures of each question."""
    items: dict[str, dict[str, float]] = defaultdict(dict)
    for question, values in found.items():
        for figure, value in values.items():
            items[figure][question] = value
    figures = {name: sum(values.values()) / len(values) for name, values in items.items()}
    return _Run(figures, dict(items), changed or {}, answered or {}, seconds or {})


def _touches(off: Sequence[str], changed: AbstractSet[str]) -> bool:
    return any(name in off or name.partition(".")[0] in off for name in changed)


def _search_figures(evidence: Evidence | None, question: Question) -> Iterator[tuple[str, float]]:
    """Yield what the search for an answerable question comes to, by figure."""
    if not question.gold:
        return
    hits = evidence.shown if evidence else ()
    ranks = [first_rank(hits, gold) for gold in question.gold]
    pages = [first_page_rank(hits, gold) for gold in question.gold]
    yield "complete@10", float(all(within(rank, TEN) for rank in ranks))
    yield "any@5", float(any(within(rank, FIRST) for rank in ranks))
    yield "page@10", float(all(within(rank, TEN) for rank in pages))
    yield "mrr", 1 / min((rank for rank in ranks if rank), default=10**9)


def _answer_figures(answer: Answer, question: Question) -> Iterator[tuple[str, float]]:
    """Yield what the answer to a question comes to, by figure."""
    yield "told rightly whether found", float(isinstance(answer, NotFound) != bool(question.gold))
    if question.gold and question.values:
        text = normal_value(said(answer))
        first = normal_value(answer.statements[0].text) if isinstance(answer, Grounded) else ()
        wanted = [normal_value(value) for value in question.values]
        yield "lead value", float(any(contains(first, value) for value in wanted))
        yield "value", float(all(contains(text, value) for value in wanted))


class _Read:
    """PDFs read again from their words and lines, which are kept."""

    def __init__(self, family: Family, settings: IngestSettings, work: Path) -> None:
        self._settings = settings
        folder = family.pdfs or Path()
        truths = load_truths(files_in([family.structure or Path()], "*.structure.json"))
        self._truths = [truth for truth in truths if (folder / f"{truth['document']}.pdf").is_file()]
        self._pdfs = [folder / f"{truth['document']}.pdf" for truth in self._truths]
        self._read = _Kept(work, "words", content_hash([PACKAGE / "ingest" / "pdf" / "reader.py"]))
        self._kept = _Kept(work, "structure", _code("structure"))

    def __call__(self, off: Sequence[str]) -> _Run:
        """Return the runs of the documents as one: F1 by kind, an item for each thing amiss."""
        runs = [self._one(*one, off) for one in zip(self._pdfs, self._truths, strict=True)]
        kinds = list(dict.fromkeys(kind for run in runs for kind in run["scores"]))
        scores = {kind: total(run["scores"][kind] for run in runs if kind in run["scores"]) for kind in kinds}
        figures = {kind: score.f1 for kind, score in scores.items() if score.f1 is not None}
        items: dict[str, dict[str, float]] = {MAIN["structure"]: {}}
        for kind in figures:
            seen: Counter[str] = Counter()
            amiss = [("missed", name) for name in scores[kind].missed]
            amiss += [("wrong", name) for name in scores[kind].wrong]
            items[kind] = {}
            for how, name in amiss:
                seen[how + name] += 1
                items[kind][f"{seen[how + name]} {how} {name}"] = 0.0
            items[MAIN["structure"]] |= {f"{kind} {name}": value for name, value in items[kind].items()}
        found = sum(scores[kind].found for kind in figures)
        wanted = sum(scores[kind].expected for kind in figures)
        seconds = sum((Counter(run["seconds"]) for run in runs), Counter[str]())
        pages = {str(page): frozenset[str]() for page in range(sum(run["pages"] for run in runs))}
        return _Run({MAIN["structure"]: found / max(wanted, 1), **figures}, items, pages, seconds=seconds)

    def _one(self, path: Path, truth: Mapping[str, Any], off: Sequence[str]) -> dict[str, Any]:
        """Return what one document comes to; a mechanism that does nothing in it is not tried."""
        if off and not _touches(off, self._one(path, truth, ())["changed"]):
            return self._one(path, truth, ())

        def run() -> dict[str, Any]:
            source = self._read.get(lambda: read_pdf(path, self._settings), content_hash([path]))
            # a watch runs each mechanism twice
            watch = nullcontext(register.Calls()) if off else register.watched()
            with register.without(off), watch as calls:
                document = read_document(
                    path, truth["document"], self._settings, load_schemes(None), given=source
                )
            loaded = frozenset(one["document"] for one in self._truths)
            scores = score_document(document, truth, loaded).scores
            spent = dict(calls.seconds)
            return {"scores": scores, "changed": calls.changed, "seconds": spent, "pages": len(source.pages)}

        return self._kept.get(run, content_hash([path]), repr(truth), *off)


BESIDE = {"complete@10": ("any@5", "page@10")}  # figures shown beside a main one


def ablation_table(rows: Sequence[Row]) -> Iterator[RenderableType]:
    """Yield a table for each thing judged: a row for each mechanism, a column for each family."""
    for phase, main in MAIN.items():
        shown = [
            (sum(one.won for one in changes), sum(one.lost for one in changes), row)
            for row in rows
            if (changes := [change for change in row.changes if change.figure == main])
        ]
        if not shown:
            continue
        families = list(dict.fromkeys(change.family for *_, row in shown for change in row.changes))
        beside = BESIDE.get(main, ())
        title = f"{phase}: gain in {', '.join((main, *beside))} ({main} won:lost) with the mechanism"
        table = grid("mechanism", "lines", "ms", *families, "all", "p", title=title)
        for won, lost, row in sorted(shown, key=lambda one: one[1] - one[0]):
            cells = [_cell(row, family, (main, *beside)) for family in families]
            told = (f"{won}:{lost}", f"{sign_test(won, lost):.3f}")
            table.add_row(row.name, str(row.lines), f"{row.milliseconds:.1f}", *cells, *told)
        yield table


def _cell(row: Row, family: str, figures: Sequence[str]) -> str:
    """Return the gains in a family with the items won and lost in the first figure, "=" for none at all."""
    own = {change.figure: change for change in row.changes if change.family == family}
    changes = [own[name] for name in figures if name in own]
    if figures[0] not in own or not any(one.won or one.lost for one in changes):
        return "=" if figures[0] in own else ""
    gains = (f"{one.gain:+.3f}".replace("0.", ".") if one.won or one.lost else "=" for one in changes)
    return f"{' '.join(gains)} {changes[0].won}:{changes[0].lost}"


def ablation_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows for programs."""
    return [
        {**asdict(row), "changes": [{**asdict(one), "gain": one.gain} for one in row.changes]} for row in rows
    ]
