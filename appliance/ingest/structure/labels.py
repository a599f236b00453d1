"""Labels: the number as the code prints it, with the enclosing Part where numbers begin again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from appliance.core.document import ClauseKind, Label
from appliance.ingest.page import Line
from appliance.ingest.structure.headings import number_of_title
from appliance.ingest.structure.schemes import Level


@dataclass(slots=True, eq=False)
class Node:
    """A place of the document while its text is gathered."""

    kind: ClauseKind
    rank: float
    parent: Node | None
    level: Level | None = None
    number: str = ""
    head: str = ""
    marker: str = ""
    title: str = ""
    principle: bool = False
    normative: bool = True
    container: Node | None = None  # the Part in which its numbers count
    titles: list[Line] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    skip: int = 0  # characters of the first line that are its marker
    breaks: set[int] = field(default_factory=set)
    indent: float = 0.0
    lists: dict[str, tuple[int, float]] = field(default_factory=dict)  # last number and its indent

    @property
    def unread(self) -> bool:
        """Whether its title has a number that is none of the sequence: its paragraphs are not another's."""
        return self.level is None and bool(number_of_title(self.title))

    def ancestors(self) -> list[Node]:
        """Return the nodes above it, nearest first."""
        found, node = [], self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return found


FRONT = "Front matter"
GLUED = "{head}{number}"  # label of a number with a letter before it: "C5.2", "R301.2"
_TITLE = 160  # characters of a title that serve as label


def label_nodes(nodes: Sequence[Node]) -> list[Label]:
    """Return the label of each node, in order."""
    names = [printed(node) for node in nodes]
    parted = _parted_containers(nodes, names)
    keys = [(*_part(node, parted), name) for node, name in zip(nodes, names, strict=True)]
    longer: tuple[Callable[[Node], tuple[str, ...]], ...] = (_under_container, _under_numbered, _under_all)
    for lengthen in longer:
        counts = Counter(keys)
        keys = [
            (*lengthen(node), name) if counts[key] > 1 else key
            for key, node, name in zip(keys, nodes, names, strict=True)
        ]
    return counted(map(Label, keys))


def printed(node: Node) -> str:
    """Return the label as the code prints it."""
    if node.level is None:
        return _short(node.title) if node.title else FRONT
    label = node.level.label.format(
        number=node.number,
        head=node.head or f"{node.level.name.capitalize()} {node.number}",
        parent=_base(node),
    )
    return " ".join(label.split())


def _short(title: str) -> str:
    return title if len(title) <= _TITLE else title[: title.rfind(" ", 0, _TITLE)]


def _base(node: Node) -> str:
    """Return what the label of a place inside a clause starts with."""
    for above in node.ancestors():
        if above.level is None:
            if above.unread or node.kind != "paragraph" or not any(n.number for n in above.ancestors()):
                return f"{_short(above.title)} " if above.title else ""
            continue
        if above.kind in {"clause", "requirement", "section"}:
            signed = above.level.label == GLUED or (above.head and not above.head[0].isalnum())  # "§ 12"
            return printed(above) if signed else above.number
        return printed(above)
    return ""


def _parted_containers(nodes: Sequence[Node], names: Sequence[str]) -> dict[Node, str]:
    """Return the name of each Part that the labels inside it need."""
    seen: dict[str, set[Node]] = defaultdict(set)
    for node, name in zip(nodes, names, strict=True):
        if node.level and node.level.sequence == "dotted" and node.container and node.container is not node:
            seen[name].add(node.container)
    inner = {part for parts in seen.values() for part in parts if part.parent is not None}
    outer = {part for parts in seen.values() if len(parts - inner) > 1 for part in parts - inner}
    return {part: _part_name(part) for part in outer | inner}


def _part_name(container: Node) -> str:
    name = container.number if container.kind == "requirement" else printed(container)
    return f"{printed(container.parent)} {name}" if container.parent is not None else name


def _part(node: Node, parted: dict[Node, str]) -> tuple[str, ...]:
    """Return the Part of a numbered place, or of a place inside one."""
    numbered = next((n for n in (node, *node.ancestors()) if n.level and n.level.sequence == "dotted"), None)
    part = numbered.container if numbered and numbered.container is not node else None
    name = parted.get(part) if part else None
    return (name,) if name else ()


def _under_container(node: Node) -> tuple[str, ...]:
    return (_part_name(node.container),) if node.container and node.container is not node else ()


def _under_numbered(node: Node) -> tuple[str, ...]:
    above = next((n for n in node.ancestors() if n.number), None)
    return (*_under_container(node), printed(above)) if above else _under_container(node)


def _under_all(node: Node) -> tuple[str, ...]:
    return (*_under_container(node), *(printed(n) for n in reversed(node.ancestors())))


def counted(labels: Iterable[Label]) -> list[Label]:
    """Return the labels; what is alike gets the count of its occurrence before its last part."""
    used = Counter[Label]()
    found = []
    for label in labels:
        used[label] += 1
        apart = (f"no. {used[label]}",) if used[label] > 1 else ()
        found.append(Label((*label.parts[:-1], *apart, label.parts[-1])))
    return found
