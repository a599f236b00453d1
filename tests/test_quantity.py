"""Quantities in text, and the kinds of quantity that questions ask for."""

from __future__ import annotations

import pytest

from appliance.text.quantities import asked_kinds, kinds_of, printed_as, quantities, size_of


@pytest.mark.parametrize(
    ("text", "printed", "kind"),
    [
        ("at least 900 mm high", "900 mm", "length"),
        ("an area of 94,500 mm²", "94,500 mm²", "area"),
        ("24 kN/m³", "24 kN/m³", "weight density"),
        ("Density in kN/m³ 24.0ᵃ,ᵇ kN/m³", "24.0ᵃ,ᵇ kN/m³", "weight density"),
        ("0.3 l/s per m²", "0.3 l/s per m²", "flow"),
        ("125 litres/person/day", "125 litres/person/day", "flow"),
        ("a slope of 1:12", "1:12", "slope"),
        ("falls 1 in 80", "1 in 80", "slope"),
        ("not steeper than 42°", "42°", "angle"),
        ("24 Mbps or more", "24 Mbps", "data rate"),
        ("three bedrooms", "three", "count"),
        ("one metre in height", "one metre", "length"),
        ("a wind of (60 mph) 97 km/h", "97 km/h", "speed"),
        ("60 mph (97 km/h)", "97 km/h", "speed"),
        ("a site of 4 ha", "4 ha", "area"),
        ("down to \u22125 °C", "\u22125 °C", "temperature"),
        ("from 10\u221215 mm", "15 mm", "length"),
        ("above 20 °C", "20 °C", "temperature"),
        ("no more than 48\u02daC", "48\u02daC", "temperature"),  # a ring, a raised o: printed like a degree
        ("heated to 100 \u00baC", "100 \u00baC", "temperature"),
        ("a pitch of 30\u02da or more", "30\u02da", "angle"),
        ("debris of 666 kg/m 3.", "666 kg/m 3", "density"),  # the raised figure stands apart in a scan
        ("7,5 kN/m 2 on floors", "7,5 kN/m 2", "pressure"),
        ("weighs 20 kN/ m\u00a03", "20 kN/ m\u00a03", "weight density"),
        ("7 m 3 doors", "7 m", "length"),  # that is two numbers
        ("5 kN/m 2 m apart", "5 kN/m", "line load"),
        ("5 kN/m 2 to 3 times", "5 kN/m", "line load"),
        ("from 5 kN/m 2,5 times", "5 kN/m", "line load"),
    ],
)
def test_a_quantity_is_known_by_what_it_measures(text: str, printed: str, kind: str) -> None:
    assert (printed, True) in [(text[q.start : q.end], kind in q.kinds) for q in quantities(text)]


@pytest.mark.parametrize(
    "text", ["", "see clause 5.3.2", "EN 1991-1-3", "no number here", "mm", "\u0663 mm²"]
)
def test_a_label_or_a_bare_unit_measures_nothing(text: str) -> None:
    assert not [q for q in quantities(text) if q.kinds - {"count", "area"}]


def test_a_number_with_a_unit_is_no_count() -> None:
    assert [q.kinds for q in quantities("900 mm")] == [frozenset({"length"})]


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("how deep must the pipe be buried", {"length"}),
        ("how many litres of cold water storage per bedroom", {"volume"}),
        ("how many litres per second can a pipe take", {"flow"}),
        ("how many litres a second can a stack take", {"flow"}),
        ("how many litres a day does each person use", {"flow"}),
        ("how many litres a person are stored", {"volume"}),
        ("how many metres a stair may rise", {"length"}),
        ("how many hours a day may it run", {"time"}),
        ("what is the maximum capacity of a stack", {"flow", "power", "volume"}),
        ("at what age is it tested", {"time"}),
        ("how many months may pass before the filter is changed", {"time"}),
        ("how many ventilators does a flat need", {"count"}),
        ("thermostatic mixing valve servicing interval", {"time"}),
        ("what lux level is needed", {"light"}),
        ("how steep can a private stair be", {"angle", "slope"}),
        ("what does a hearth need", set()),
        ("", set()),
        ("how many exits are required", {"count"}),
        ("how many reinforcing bars", {"count"}),
        ("how many bars", {"count"}),
        ("how many links, pins or rods", {"count"}),
        ("how many fixing points", {"count"}),
        ("how many second staircases", {"count"}),
        ("how many storeys", {"count"}),
        ("how many cubic metres of storage", {"volume"}),
        ("how many square metres", {"area"}),
        ("how many kn", {"force"}),
        ("how many feet", {"length"}),
        ("how many clear metres", {"length"}),
        ("how many amps", {"current"}),
        ("does the snow load apply", set()),
        ("where are snow loads covered?", set()),
        ("do i need guarding in a sunken area next to a building", set()),  # a place
        ("barn conversion in conservation area need ev charging", set()),
        ("is radon protection needed in my area", set()),
        ("does the loaded area need a lid", set()),  # no value is asked for
        ("minimum area of a bedroom in a conservation area", {"area"}),
        ("limit on the increase in floor area", {"area"}),
        ("opening area for purge ventilation", {"area", "flow"}),
        ("percentage in area of the wall", {"area", "share"}),
        ("how big must the area for bins be", {"area", "length", "volume"}),
        ("which clause gives the imposed load", set()),
        ("how do i combine actions", set()),
        ("i design a roof. do i need to apply snow loading?", set()),
        ("is there a minimum imposed load", {"force", "line load", "pressure", "weight density"}),
        ("imposed loads on office floors", {"force", "line load", "pressure"}),
        ("what does copper weigh", {"force", "mass", "weight density"}),
        ("walls that weigh 1.8 kN, do they count", set()),  # that is stated
        ("litres per second for a bathroom", {"flow"}),
        ("l/s for a bathroom", {"flow"}),
        # words of everyday speech name a kind beside what makes it one
        ("k for a circular object in a river current", set()),
        ("what is the current edition of bs 7671", set()),
        ("what current can a ring circuit carry", {"current"}),
        ("current rating of a socket", {"current", "power"}),
        ("what is the current rule for sockets", set()),
        ("how much does gigabit broadband cost at most", set()),
        ("what gigabit speed is needed", {"data rate", "speed"}),
        ("how much notice is given", {"time"}),
        ("who needs a building notice", set()),
        ("what falls under en 1991-1-4?", set()),
        ("which roofs fall within category h", set()),
        ("what gives rise to drifting", set()),
        ("what weighs in favour of a lobby", set()),
        ("what fall does a drain need under a house", {"slope"}),
        ("rise of a step", {"length"}),
        ("extract rate of a kitchen", {"flow", "rate of change", "speed"}),
        ("rate of heat release of an office", {"heat flux", "power"}),
        ("maximum heat release rate", {"heat flux", "power"}),
        ("maximum rate of heat release in kw/m2", {"heat flux", "power"}),
        (
            "density of a wall in kg/m2",
            {"density", "mass on an area", "weight density"},
        ),  # the typed unit counts
        ("kn/m2 of a stair", {"pressure"}),
        # a share is asked for whatever it is taken of
        ("what percentage must i add to the rainfall", {"share"}),
        ("which minimum proportion of the wind load is taken", {"share"}),
        ("what percentage of the area and what height", {"area", "length", "share"}),  # two are asked
        ("what height and what percentage", {"length", "share"}),
        ("is 20 l/s in a bathroom right", set()),  # a stated one
        ("walls and/or floors", set()),
        ("people per hectare", set()),
        (
            "what is the snow load in zone 3? does it apply here?",
            {"force", "line load", "pressure", "weight density"},
        ),
    ],
)
def test_a_question_asks_for_kinds_of_quantity(question: str, kinds: set[str]) -> None:
    assert asked_kinds(question) == kinds


def test_units_of_one_kind_share_it_whatever_their_size() -> None:
    assert kinds_of("m") == kinds_of("mm") == frozenset({"length"})
    assert kinds_of("nonsense") == frozenset()
    assert kinds_of("kJ/m2") == {"energy on an area"}, "of the dimension of a line load"
    assert kinds_of("N/mm") == {"line load"}
    assert size_of("ha").dimension == size_of("m²").dimension
    assert size_of("kNm") == size_of("kN m")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("hammers of 1- to 5-lb (0.5 to 2.3 kg) are used", "0.5 to 2.3", "kg"),
        ("prisms of 40 mm × 40 mm × 160 mm", "40 mm × 40 mm × 160", "mm"),
        ("a zebra of 2–4 m", "2–4", "m"),
        ("a ramp of 1:8", "1:8", ""),
        ("a gap of 2 in. (50 mm)", "2", "in. (50 mm)"),
        ("900 mm, or 1,200 mm in a hospital", "900", "mm"),
        ("a slope between 70 and 80 degrees", "70 and 80", "degrees"),
        ("Between 450 mm and 600 mm wide", "450 mm and 600", "mm"),
        ("rods of 450 mm and 600 mm", "450", "mm"),
        ("a test pressure of 50Pa or 4Pa", "50Pa or 4", "Pa"),
    ],
)
def test_a_range_a_product_and_a_ratio_are_printed_whole(text: str, value: str, unit: str) -> None:
    assert printed_as(text, next(quantities(text))) == (value, unit)
