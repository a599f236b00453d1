"""Linked documents to one graph, document by document, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

from appliance.core.document import Document
from appliance.core.files import content_hash, data_folder
from appliance.core.graph import Edge, Graph, Mention
from appliance.core.own_modules import behind
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.names import read_definitions, read_mentions, read_parameters
from appliance.ingest.knowledge.requirements import read_demands, read_scope
from appliance.ingest.knowledge.values import read_values
from appliance.ingest.knowledge.vocabulary import load_vocabulary
from appliance.ingest.pipeline import Steps


def build_graph(
    documents: Sequence[Document], relations: Iterable[Edge] = (), folders: Sequence[Path] = ()
) -> Graph:
    """Return the graph of linked documents; `relations` are the edges between documents.

    Raises:
        BadSettings: a vocabulary is not what this program reads.
    """
    vocabulary = load_vocabulary(*folders)
    items = {document.id: Items(document) for document in documents}
    into = Collected()
    into.nodes.update((node.id, node) for node in vocabulary.nodes)
    into.names.update(dict.fromkeys(vocabulary.names))
    for edge in (*vocabulary.edges, *relations):
        into.keep(edge)
    for document in documents:
        own, steps = items[document.id], Steps()
        for name, step in (  # each on its own: one that fails leaves what the others find
            ("values", partial(read_values, own, vocabulary, into)),
            ("demands", partial(read_demands, own, items, into)),
            ("scope of its clauses", partial(read_scope, own, vocabulary, into)),
            ("definitions in the graph", partial(read_definitions, own, vocabulary, into)),
            ("parameters", partial(read_parameters, own, vocabulary, into)),
            ("mentions", partial(read_mentions, own, vocabulary, into)),
        ):
            steps.run(name, step, None)
        into.problems += [(document.id, problem) for problem in steps.problems]
    return Graph(
        tuple(sorted(into.nodes.values())),
        tuple(edge for _, edge in sorted(into.edges.items())),
        tuple(into.names),
        tuple(sorted(into.quantities.items(), key=lambda item: item[0])),
        tuple(sorted(into.homes.items())),
        tuple(sorted(Mention(*place, rank) for place, rank in into.mentions.items())),
        tuple(into.problems),
    )


def knowledge_version() -> str:
    """Return a hash of the code and the words that decide what a graph holds."""
    folders = (data_folder(), data_folder() / "graph", data_folder() / "vocabularies")
    words = [path for folder in folders for path in folder.glob("*.toml")]
    return content_hash(
        sorted([*words, *behind(Path(__file__).parent.glob("*.py"))]), f"pint {version('pint')}"
    )
