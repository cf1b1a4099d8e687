"""A printed figure and ours are never mixed up, and the words for how near they come mean what they say."""

import json

import pytest

from sdckit.published.comparison import LIMITS, Cell, Computed, Outcome, Printed, beside, compared, judged


def cells(*pairs: tuple[float, float], decimals: int = 2) -> list[Cell]:
    return [
        Cell({"k": number}, "IL", Printed(printed, decimals), Computed(ours))
        for number, (printed, ours) in enumerate(pairs)
    ]


def test_equal_means_equal_at_the_printed_digits() -> None:
    inside, outside = cells((5.69, 5.6949), (5.69, 5.6952))
    assert inside.equal and not outside.equal
    assert cells((0.483, 0.4834), decimals=3)[0].equal
    assert not cells((0.483, 0.4836), decimals=3)[0].equal


def test_a_part_is_reproduced_only_if_every_cell_is() -> None:
    assert judged("all", cells((1.0, 1.001), (9.0, 8.999))).outcome is Outcome.REPRODUCED
    assert judged("one off", cells((1.0, 1.001), (9.0, 8.98)), "why").outcome is Outcome.NOT


def test_what_is_not_reproduced_shows_its_deviation_and_that_of_saying_the_mean_everywhere() -> None:
    printed = (0.0, 10.0)  # the mean is off by 5 everywhere
    near = judged("near", cells((printed[0], 2.5), (printed[1], 12.5)), "guessed")
    assert (near.outcome, near.deviation, near.baseline, near.why) == (Outcome.NOT, 2.5, 5.0, "guessed")
    assert judged("part", cells((0.0, 8.0), (10.0, 10.0))).furthest.deviation == 8.0


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
    compared_cells = tuple(cells((5.0, 5.25)))
    document = compared(
        "name", "nin2008", compared_cells, (judged("part", compared_cells, "why"),), convention="as printed"
    ).to_dict()
    back = json.loads(json.dumps(document))
    assert back["cells"][0]["printed"] == 5.0 and back["cells"][0]["ours"] == 5.25
    assert back["verdicts"][0]["outcome"] == "not reproduced" and back["convention"] == "as printed"
    assert back["cells"][0]["deviation"] == pytest.approx(0.25)
    assert back["limits"] == LIMITS and back["readings"] == []


def test_a_verdict_tells_where_it_is_off_most_whatever_the_place_is_called() -> None:
    named = [
        Cell({"file": name, "unit": "%"}, "links", Printed(10.0 * number), Computed(10.0 * number + number))
        for number, name in enumerate(("M4-33", "M4-28", "M5-38"))
    ]
    assert judged("part", named).description == (
        "off by 1 on average (saying the mean everywhere: 6.67), most at file = M5-38: +2"
    )
    assert judged("part", named[2:]).description == "off by +2 where 20 is printed"


def test_draws_tell_their_spread_and_nothing_is_off_by_minus_0() -> None:
    drawn = Cell({"k": 1}, "IL", Printed(5.0), Computed(4.9996, 0.25))
    still = Cell({"k": 1}, "ID", Printed(5.0), Computed(5.0))
    assert [row["figures"] for row in beside([drawn, still])] == ["printed", "ours", "our sd", "off by"]
    assert [row["ID"] for row in beside([drawn, still])] == [5.0, 5.0, "", 0.0]
    assert str(beside([drawn, still])[3]["IL"]) == "0.0"


def test_a_line_of_the_table_holds_both_figures_and_how_they_were_judged() -> None:
    compared_cells = cells((5.0, 5.25), (9.0, 9.0))
    (first, _) = compared("name", "nin2008", compared_cells, [judged("part", compared_cells)], convention="").table()
    assert (first["printed"], first["ours"], first["part"], first["outcome"]) == (5.0, 5.25, "part", "not reproduced")


def test_the_picture_has_what_is_printed_below_and_ours_at_the_left() -> None:
    compared_cells = cells((5.0, 5.25), (9.0, 9.0))
    chart = compared("name", "nin2008", compared_cells, [judged("part", compared_cells)], convention="").charts["name"]
    assert [(each["printed"], each["ours"], each["outcome"]) for each in chart.records] == [
        (5.0, 5.25, "not reproduced"),
        (9.0, 9.0, "not reproduced"),
    ]
    (square,) = chart.spec["concat"]
    equality, dots = square["layer"][0], square["layer"][-1]["layer"][-1]
    assert all(end["printed"] == end["ours"] for end in equality["data"]["values"])
    for layer in (equality, dots):
        assert layer["encoding"]["x"]["field"] == "printed" and "source" in layer["encoding"]["x"]["axis"]["title"]
        assert layer["encoding"]["y"]["field"] == "ours" and "us" in layer["encoding"]["y"]["axis"]["title"]
        assert layer["encoding"]["x"]["scale"] == layer["encoding"]["y"]["scale"]
