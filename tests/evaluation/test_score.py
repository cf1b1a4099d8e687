"""The score of Domingo-Ferrer and Torra: the printed table, and that of a release."""

import pytest
from tests.conftest import columns, reference_file

from sdckit import assess, build, protect
from sdckit.errors import NotApplicableError
from sdckit.evaluation.score import DOMINGO_TORRA, YANCEY, disclosure_risk, information_loss, score, trade_off
from sdckit.risk.composite.disclosure_risk import PARTS
from sdckit.testing.files import ordinary


def test_every_row_of_the_printed_table_comes_out():
    """Nin and Torra (2008), Table 1: IL, DLD, PLD, ID and the score, to two decimals."""
    table = columns(reference_file("published", "projected_microaggregation.csv"))
    rows = zip(*([float(cell) for cell in table[name]] for name in ("IL", "DLD", "PLD", "ID", "score")), strict=True)
    computed = [
        (trade_off(loss, disclosure_risk(distance, probabilistic, interval)), printed)
        for loss, distance, probabilistic, interval, printed in rows
    ]
    assert len(computed) == 54
    assert max(abs(ours - printed) for ours, printed in computed) <= 0.006


def test_information_loss_is_a_fifth_of_the_sum():
    assert information_loss([0.1, 0.2, 0.3, 0.4, 0.5]) == pytest.approx(0.2 * 1.5)


@pytest.mark.parametrize("losses", [YANCEY, DOMINGO_TORRA])
def test_the_score_of_a_release_is_made_of_its_parts(losses):
    result = assess(protect(ordinary(), "mdav:group_size=3", seed=1), [*losses, *PARTS], seed=1, before=False)
    found = score(result, losses=losses)
    assert found.information_loss == pytest.approx(0.2 * sum(result[name].value for name in losses))
    weights = dict(zip(PARTS, (0.25, 0.25, 0.5), strict=True))
    assert found.disclosure_risk == pytest.approx(sum(weights[name] * result[name].value for name in PARTS))
    assert found.value == found.to_dict()["score"] == (found.information_loss + found.disclosure_risk) / 2


def test_an_untouched_file_has_no_loss_and_its_risk_alone():
    data = ordinary()
    result = assess(protect(data, build("masking", "mdav", group_size=1), seed=1), [*YANCEY, *PARTS], before=False)
    found = score(result)
    assert found.information_loss == 0
    assert found.value == found.disclosure_risk / 2 > 0


def test_a_missing_measure_is_named():
    result = assess(protect(ordinary(), "mdav", seed=1), ["il2", "distance-linkage"], before=False)
    with pytest.raises(NotApplicableError, match="there is no il1s: not among the measures computed"):
        score(result)
