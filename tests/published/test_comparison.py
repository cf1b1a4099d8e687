"""A printed figure and ours are never mixed up, and the words for how near they come mean what they say."""

import json

import pytest

from sdckit.published.comparison import Cell, Comparison, Computed, Outcome, Printed, beside, judged


def cells(*pairs: tuple[float, float], decimals: int = 2) -> list[Cell]:
    return [
        Cell({"k": place}, "IL", Printed(printed, decimals), Computed(ours))
        for place, (printed, ours) in enumerate(pairs)
    ]


def test_equal_means_equal_at_the_printed_digits() -> None:
    inside, outside = cells((5.69, 5.6949), (5.69, 5.6952))
    assert inside.equal and not outside.equal
    assert cells((0.483, 0.4834), decimals=3)[0].equal
    assert not cells((0.483, 0.4836), decimals=3)[0].equal


def test_a_part_is_reproduced_only_if_every_cell_is() -> None:
    assert judged("all", cells((1.0, 1.001), (9.0, 8.999))).outcome is Outcome.REPRODUCED
    assert judged("one off", cells((1.0, 1.001), (9.0, 8.98)), "why").outcome is Outcome.CLOSE


def test_close_is_half_as_far_off_as_saying_the_mean_everywhere() -> None:
    printed = (0.0, 10.0)  # the mean is off by 5 everywhere
    near = judged("near", cells((printed[0], 2.5), (printed[1], 12.5)), "guessed")
    assert (near.outcome, near.deviation, near.baseline, near.why) == (Outcome.CLOSE, 2.5, 5.0, "guessed")
    assert judged("far", cells((printed[0], 2.6), (printed[1], 12.5))).outcome is Outcome.NOT


def test_one_cell_far_off_spoils_the_part() -> None:
    pairs = [(0.0, 0.0), (10.0, 10.0)] * 5 + [(0.0, 8.0), (10.0, 10.0)]
    spoilt = judged("part", cells(*pairs))
    assert spoilt.deviation < 0.5 * spoilt.baseline and spoilt.outcome is Outcome.NOT
    assert spoilt.furthest.deviation == 8.0


def test_a_single_cell_is_reproduced_or_not() -> None:
    assert judged("cell", cells((5.0, 5.0))).outcome is Outcome.REPRODUCED
    assert judged("cell", cells((5.0, 5.1))).outcome is Outcome.NOT


def test_rows_say_whose_figure_they_hold() -> None:
    rows = beside(cells((5.0, 5.25)))
    assert rows == (
        {"k": 0, "figures": "printed", "IL": 5.0},
        {"k": 0, "figures": "ours", "IL": 5.25},
        {"k": 0, "figures": "off by", "IL": 0.25},
    )


def test_nothing_computed_can_be_taken_for_printed() -> None:
    (cell,) = cells((5.0, 5.25))
    assert type(cell.printed) is not type(cell.computed)
    assert Printed(5.0) != Computed(5.0)


def test_a_comparison_goes_to_json() -> None:
    held = tuple(cells((5.0, 5.25)))
    told = Comparison("nin2008", beside(held), (), {}, held, (judged("part", held, "why"),), "as told").to_dict()
    back = json.loads(json.dumps(told))
    assert back["cells"][0]["printed"] == 5.0 and back["cells"][0]["ours"] == 5.25
    assert back["verdicts"][0]["outcome"] == "not reproduced" and back["convention"] == "as told"
    assert back["cells"][0]["deviation"] == pytest.approx(0.25)
