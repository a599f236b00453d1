"""A search is kept to what is about a material, a structure or a load."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from appliance.core.errors import BadInput
from appliance.core.settings import SearchSettings
from appliance.ingest.knowledge.build import build_graph
from appliance.library import Library
from appliance.retrieval.query.lexicon import Tag, load_tags
from appliance.retrieval.search_context import Filter, tag_named
from appliance.store.read import Store
from appliance.store.write import LibraryMeta, write_library
from tests.factories import clause, document
from tests.retrieval.searching import search
from tests.store.libraries import chunked


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("tags") / "a"
    source = chunked(
        document(
            [
                clause("1", "The moisture content of timber is 12 per cent.", title="Moisture"),
                clause("2", "The moisture content of aggregate is 3 per cent.", title="Moisture"),
                clause("3", "The moisture content of a wooden roof is 18 per cent.", title="Moisture"),
            ]
        )
    )
    write_library(path, [source], meta=LibraryMeta(""), graph=build_graph([source]))
    with Store(path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ((), {"1", "2", "3"}),
        (("timber",), {"1", "3"}),
        (("wood",), {"1", "3"}),  # by one of its words
        (("timber", "roof"), {"3"}),
    ],
)
def test_only_places_about_all_the_tags_are_found(
    store: Store, tags: tuple[str, ...], expected: set[str]
) -> None:
    evidence = search(store, None, None, "moisture content", SearchSettings(), wanted=Filter(tags=tags))
    assert {str(place.label) for place in evidence.hits} == expected


def test_a_tag_that_no_place_has_is_refused_by_its_name(store: Store) -> None:
    with pytest.raises(BadInput, match=r"seismic action"):
        search(store, None, None, "moisture", SearchSettings(), wanted=Filter(tags=("seismic action",)))


def test_a_tag_that_nobody_knows_is_refused_with_those_known(store: Store) -> None:
    with pytest.raises(BadInput, match=r"no tag 'tibmer'.*timber"):
        search(store, None, None, "moisture", SearchSettings(), wanted=Filter(tags=("tibmer",)))


def test_a_name_comes_before_a_word() -> None:
    tags = (Tag("structure", "wall", ("wall", "panel")), Tag("material", "panel", ("panel",)))
    assert tag_named("Panel", tags).kind == "material"


def test_every_shipped_tag_has_a_kind_that_is_known() -> None:
    assert {tag.kind for tag in load_tags()} == {"material", "structure", "load", "discipline"}
    assert all(tag.names[0] == tag.name for tag in load_tags())


def test_a_filter_offers_what_the_documents_name_and_each_set_of_places_once(demo: Library) -> None:
    offered = demo.tags()
    assert {"snow load", "roof", "fire", "bridge"} <= {name for _, name in offered}
    assert not {"chimney", "crane", "fire safety"} & {name for _, name in offered}
