"""Which documents and editions a question names, as cases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from appliance.core.settings import SearchSettings
from appliance.retrieval.query.documents import in_force_first
from appliance.retrieval.search import read
from appliance.store.read import Store
from tests.retrieval.conftest import FakeEmbedder
from tests.retrieval.searching import search
from tests.store.libraries import densities_code, opened, snow_code

SETTINGS = SearchSettings()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A code in the edition in force and in one withdrawn, its national annex, and another code."""
    now = replace(snow_code(), status="in force", edition="2024", aliases=())
    old = replace(snow_code("DC-1-3-2011", "DC 1-3:2011"), status="withdrawn", edition="2011", aliases=())
    annex = replace(snow_code("DC-1-3-NA", "NA to DC 1-3:2024"), status="in force", aliases=())
    other = replace(densities_code(), edition="2013 edition incorporating 2018 amendments")
    series = replace(densities_code(), id="EN-1991-1-3", designation="BS EN 1991-1-3:2003", aliases=())
    letter = replace(densities_code(), id="AR-S", designation="Agreed Ruling S", aliases=())
    volume = replace(densities_code(), id="AD-M1", designation="Agreed Document M Volume 1", aliases=())
    short = replace(densities_code(), id="AD-D", designation="Agreed Document D", aliases=())
    more = (series, letter, volume, short)
    with opened(tmp_path_factory.mktemp("editions") / "a", old, now, annex, other, *more) as store:
        yield store


@pytest.mark.parametrize(
    ("question", "documents", "editions"),
    [
        ("eaves in DC 1-3", ("DC-1-3",), ()),
        ("eaves in DC 1-3:2011", ("DC-1-3-2011",), ("DC-1-3-2011",)),
        ("eaves in the 2011 edition of DC 1-3", ("DC-1-3-2011",), ("DC-1-3-2011",)),
        ("DC-1-3-2011 eaves", ("DC-1-3-2011",), ("DC-1-3-2011",)),
        ("eaves in DC 1-3:1999", ("DC-1-3",), ()),
        ("DC 1-3:2011 against DC 1-3:2024", ("DC-1-3-2011", "DC-1-3"), ("DC-1-3-2011", "DC-1-3")),
        ("NA to DC 1-3, eaves", ("DC-1-3-NA",), ()),
        ("eaves in the national annex to DC 1-3", ("DC-1-3-NA",), ()),
        ("eaves in the UK National Annex of the DC 1-3?", ("DC-1-3-NA",), ()),
        ("eaves in the national annex and DC 1-3", ("DC-1-3",), ()),
        ("national annex to EN 1991-1-3: eaves", ("EN-1991-1-3",), ()),  # that annex is not loaded
        ("DC 1-3 NA.2.7", ("DC-1-3-NA",), ()),
        ("what does NA.2.7 of DC 1-3 say?", ("DC-1-3-NA",), ()),
        ("DC 1-3 Table NA.1", ("DC-1-3-NA",), ()),
        ("National Annex NA.2.3 of DC 1-3", ("DC-1-3-NA",), ()),
        ("DC 1-3, 5.2(3) and NA.2.7", ("DC-1-3", "DC-1-3-NA"), ()),
        ("EN 1991-1-3 NA.2.7", ("EN-1991-1-3",), ()),  # its annex is not loaded
        ("eaves in the 2011 snow code", ("DC-1-3-2011",), ("DC-1-3-2011",)),
        ("eaves in the edition of 2011", ("DC-1-3-2011",), ("DC-1-3-2011",)),
        ("hay in the 2018 edition", ("DC-1-1",), ("DC-1-1",)),
        ("eaves in EC1-1-3", ("EN-1991-1-3",), ()),
        ("eaves in ec1", ("EN-1991-1-3",), ()),
        ("eaves in EC1-3", ("EN-1991-1-3",), ()),
        ("eaves in ec1 1-3", ("EN-1991-1-3",), ()),
        ("eaves in EC 1-1-3", ("EN-1991-1-3",), ()),
        ("eaves in EC1 1-4", (), ()),
        ("eaves in EN 1991-3", (), ()),  # another document: only a short form leaves out its Part
        ("Eurocode 1, Part 1-3: eaves", ("EN-1991-1-3",), ()),
        ("eaves in BS EN 1991-1-3", ("EN-1991-1-3",), ()),
        ("eaves in EC2", (), ()),
        ("eaves at 1991 mm or 1-3 m", (), ()),
        ("a barn built in 2011", (), ()),
        ("what the agreed rulings say of eaves", (), ()),  # no "Agreed Ruling S"
        ("eaves in the Agreed Ruling S", ("AR-S",), ()),
        ("eaves in clause 5.2011", (), ()),
        ("eaves in 1991-1-3", ("EN-1991-1-3",), ()),
        ("Part 1-3 of Eurocode 1: eaves", ("EN-1991-1-3",), ()),
        ("NA to 1991-1-3, eaves", ("EN-1991-1-3",), ()),  # its annex is not loaded
        ("eaves built 1991-2011", (), ()),
        ("Agreed Document M vol. 1: eaves", ("AD-M1",), ()),
        ("Agreed Documents D and M: eaves", ("AD-M1", "AD-D"), ()),
        # without the volume, by the initials, by a shorter word, in a list
        ("eaves in the Agreed Document M", ("AD-M1",), ()),
        ("eaves in the Agreed Document M, Volume 1", ("AD-M1",), ()),
        ("eaves in the Agreed Document M Volume 2", (), ()),
        ("eaves in the Agreed Document M, vol. 2", (), ()),
        ("eaves in AD M", ("AD-M1",), ()),
        ("ad-m eaves", ("AD-M1",), ()),
        ("eaves in doc m", ("AD-M1",), ()),
        ("eaves in documents D and M", ("AD-M1", "AD-D"), ()),
        ("eaves in part m", ("AD-M1",), ()),
        ("part m of the eaves", (), ()),
        # words are no names
        ("what must I add to the eaves", (), ()),
        ("an ad for it", (), ()),
        ("which document a builder needs", (), ()),
        ("add eaves", (), ()),
    ],
)
def test_the_documents_and_editions_that_a_question_names(
    library: Store, question: str, documents: tuple[str, ...], editions: tuple[str, ...]
) -> None:
    asked = read(library, question, SETTINGS)
    assert (asked.query.documents, asked.editions) == (documents, editions)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("overhanging snow at the eaves", "DC-1-3"),
        ("clause 6.1", "DC-1-3"),
        ("clause 6.1 of DC 1-3:2011", "DC-1-3-2011"),
        ("overhanging snow at the eaves in the 2011 edition", "DC-1-3-2011"),
    ],
)
def test_the_edition_in_force_comes_first_unless_another_is_named(
    library: Store, embedder: FakeEmbedder, question: str, first: str
) -> None:
    hits = search(library, embedder, None, question, SETTINGS).hits
    editions = [place.document for place in hits if place.document in {"DC-1-3", "DC-1-3-2011"}]
    assert editions[0] == first
    assert hits[0].document in {first, "DC-1-3-NA"}
    assert set(editions) == {"DC-1-3", "DC-1-3-2011"}  # the other edition is still shown


def test_editions_trade_places_among_themselves_alone(library: Store) -> None:
    owners = {1: "DC-1-3-2011", 2: "DC-1-1", 3: "DC-1-3", 4: "DC-1-3-2011", 5: "DC-1-3"}
    assert in_force_first([1, 2, 3, 4, 5], owners, library.documents(), 4) == [3, 2, 1, 4, 5]
    assert in_force_first([], {}, library.documents(), 4) == []


@pytest.mark.parametrize(
    ("question", "terms", "besides"),
    [
        ("eaves in DC 1-3", ["eav"], "eaves in"),
        ("BS EN 1991-1-3 eaves", ["eav"], "eaves"),
        ("DC 1-3", ["dc", "1", "3"], "DC 1-3"),  # says no more than the name
        ("eaves", ["eav"], "eaves"),
    ],
)
def test_the_name_of_a_document_is_no_word_that_its_places_must_say(
    library: Store, question: str, terms: list[str], besides: str
) -> None:
    asked = read(library, question, SETTINGS)
    assert list(asked.query.terms) == terms
    assert asked.besides.strip() == besides
    assert asked.query.text == question


@pytest.mark.parametrize("name", ["DC 1-1", "EN 1991-1-3", "DC 1-3:2024"])
def test_the_places_of_a_document_that_is_named_lead(
    library: Store, embedder: FakeEmbedder, name: str
) -> None:
    asked = read(library, f"loads in {name}", SETTINGS)
    hits = search(library, embedder, None, f"loads in {name}", SETTINGS).hits
    assert hits[0].document in asked.query.documents
    assert {hit.document for hit in hits} - set(asked.query.documents)  # the others are still shown
