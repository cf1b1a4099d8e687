"""A reader learns whether the confidence of an intruder can be relied on, and why not."""

from sdckit.evaluation.calibration_text import describe_calibration
from sdckit.measure import Score


def of(**details):
    return describe_calibration(Score(0.002, name="ordinary-intruder", details=details))


def test_a_calibrated_intruder_agrees_with_itself():
    assert of(calibrated=True) == "The confidence of the ordinary-intruder agrees with how often it is correct."


def test_one_that_is_not_says_by_how_much_and_which_laws_are_estimates():
    text = of(calibrated=False, expected_found=0.37, laws={"age": "learned", "sex": "untouched"})
    assert "expects to re-identify 37.0% and re-identifies 0.20%" in text
    assert "How age changed is estimated" in text and "sex" not in text


def test_figures_that_are_not_there_are_left_out():
    assert of(calibrated=False).startswith("The ordinary-intruder is not calibrated. Do not rely")
