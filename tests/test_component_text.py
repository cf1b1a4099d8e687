import pytest

from sdckit.component_text import ComponentText, parsed
from sdckit.errors import ParameterError
from sdckit.fuzzy.operators import WeightedMean
from sdckit.parameters import converted
from sdckit.recipe import Recipe


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mdav", ComponentText("mdav")),
        (" mdav ", ComponentText("mdav")),
        ("mdav:", ComponentText("mdav")),
        ("blocks(2+3)", ComponentText("blocks", ("2", "3"))),
        ("blocks( 2 + 3 )", ComponentText("blocks", ("2", "3"))),
        ("blocks()", ComponentText("blocks")),
        ("weighted-mean(1e+06+2)", ComponentText("weighted-mean", ("1e+06", "2"))),
        ("matrix(2 1;1 1)", ComponentText("matrix", ("2 1;1 1",))),
        ("mdav:group_size=3, block_size=2", ComponentText("mdav", values={"group_size": "3", "block_size": "2"})),
        ("projection:operator=owa(0.5),k=3", ComponentText("projection", values={"operator": "owa(0.5)", "k": "3"})),
        ("loss:model=model.py:fit", ComponentText("loss", values={"model": "model.py:fit"})),
        ("", ComponentText("")),
    ],
)
def test_a_component_is_read_as_it_is_written(text, expected):
    assert parsed(text) == expected


def test_a_bracket_that_is_not_closed_is_refused():
    with pytest.raises(ParameterError, match="not closed"):
        parsed("owa(0.5")


def test_a_parameter_without_a_value_is_refused():
    with pytest.raises(ParameterError, match="name=value"):
        parsed("mdav:3")


def test_an_operator_with_large_weights_is_read_as_it_is_written():
    operator = WeightedMean(1e6, 2e6)
    assert converted(str(operator), type(operator)) == operator


def test_a_recipe_with_an_operator_is_read_from_one_line():
    (step,) = Recipe.of("aggregation-projection:operator=weighted-mean(0.7+0.3),group_size=4").steps
    assert step.masking.operator == WeightedMean(0.7, 0.3)
    assert step.masking.group_size == 4
