"""Distributions over attainable totals, and their pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pi.odds.chances import CERTAIN, Chances, mixed, together
from pi.odds.plot import Bar, as_svg, as_text, percent

sets = st.sets(st.integers(0, 9), min_size=1).map(lambda s: tuple(sorted(s)))
some = st.dictionaries(sets, st.integers(1, 10**12), min_size=1, max_size=6).map(Chances)


@given(some, some)
def test_law_two_parts_beside_each_other_add_member_by_member(a: Chances, b: Chances):
    plainly: Counter[tuple[int, ...]] = Counter()
    for x, v in a.weights.items():
        for y, w in b.weights.items():
            plainly[tuple(sorted({i + j for i in x for j in y}))] += v * w
    assert a.beside(b).weights == plainly


@given(some)
def test_law_nothing_beside_changes_nothing(a: Chances):
    assert together([a]).weights == CERTAIN.beside(a).weights == dict(sorted(a.weights.items()))
    assert a.plus(2).mean() == a.mean() + 2


@given(some, some)
def test_law_a_mixture_mixes_every_chance(a: Chances, b: Chances):
    third = mixed([(Fraction(1, 3), a), (Fraction(2, 3), b)])
    for total in range(10):
        assert third.attainable(total) == a.attainable(total) / 3 + b.attainable(total) * 2 / 3
    assert sum(third.best().values()) == 1


def test_with_wilds_several_predictions_may_be_right():
    chances = Chances({(0, 2): 3, (1,): 1})
    assert chances.right() == {0: Fraction(3, 4), 1: Fraction(1, 4), 2: Fraction(3, 4)}
    assert chances.best() == {1: Fraction(1, 4), 2: Fraction(3, 4)}
    assert chances.mean() == Fraction(7, 4)
    assert [chances.at_least(k) for k in range(4)] == [1, 1, Fraction(3, 4), 0]


def test_the_standard_error_is_that_of_a_share_and_never_nothing_for_draws():
    drawn = Chances.of({0: 2500, 1: 7500}, exact=False)
    assert round(drawn.error(1), 5) == 0.00433  # sqrt(0.75 * 0.25 / 10000)
    assert drawn.error(7) > 0
    assert Chances.of({0: 1}).error(0) == 0.0
    assert not drawn.beside(CERTAIN).exact


def test_weights_can_be_reduced_without_changing_a_chance():
    assert Chances({(0,): 6, (1,): 9}).reduced() == Chances({(0,): 2, (1,): 3})


@given(st.floats(1e-30, 1))
def test_law_a_chance_that_is_not_zero_is_never_written_as_zero(share: float):
    assert float(percent(share).removesuffix(" %")) > 0


def test_bars_as_text_are_scaled_to_the_longest():
    lines = as_text([Bar("0", 0.5), Bar("10", 0.25, "± 1 %"), Bar("11", 1e-9)], width=8).splitlines()
    assert lines == [" 0 ######## 50 %", "10 ####     25 % (± 1 %)", "11 .        1e-07 %"]
    assert as_text([]) == ""


def test_bars_as_svg_are_well_formed_and_read_aloud():
    root = ET.fromstring(as_svg([Bar("<0>", 0.5), Bar("1", 0.25)], title="Runs & rows", caption="drawn"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f"{space}title").text == "Runs & rows"
    assert root.find(f"{space}desc").text == "<0>: 50 %; 1: 25 %"
    widths = [float(bar.get("width")) for bar in root.iter(f"{space}rect")]
    assert widths[0] == 2 * widths[1]
