import pytest

from sdckit.datasets import simulate_business
from sdckit.errors import NotApplicableError, ParameterError
from sdckit.evaluation.fuzziness_map import fuzziness_map
from sdckit.fuzzy.clusterings import EntropyCMeans, NoiseClustering

QUICK = {"risk": "distance-linkage", "seeds": 1, "workers": 1}


@pytest.fixture(scope="module")
def found():
    data = simulate_business(90, seed=1)
    return fuzziness_map(data, centres=(1.05, 1.3), assignment=(1.05, 1.5, 4.0), max_risk=0.5, **QUICK)


def test_every_pair_is_measured(found):
    pairs = {(each.centres, each.assignment) for each in found.points}
    assert pairs == {(m1, m2) for m1 in (1.05, 1.3) for m2 in (1.05, 1.5, 4.0)}
    assert all(0 <= each.risk <= 1 and each.loss > 0 for each in found.points)


def test_a_fuzzier_assignment_has_less_risk_and_more_loss(found):
    for m1 in (1.05, 1.3):
        row = sorted((each for each in found.points if each.centres == m1), key=lambda each: each.assignment)
        assert row[0].risk > row[-1].risk
        assert row[0].loss < row[-1].loss


def test_the_recommended_pair_has_the_least_loss_within_the_limit(found):
    within = [each for each in found.points if each.risk <= 0.5]
    assert found.recommended == min(within, key=lambda each: each.loss)
    assert "recommended" in found._repr_html_()


def test_other_clusterings_are_mapped_and_those_without_a_fuzziness_refused():
    data = simulate_business(60, seed=2)
    noisy = fuzziness_map(data, clustering=NoiseClustering(), centres=[1.1], assignment=[1.2], max_risk=0.0, **QUICK)
    assert len(noisy.points) == 1
    assert noisy.recommended is None or noisy.recommended.risk == 0
    with pytest.raises(ParameterError, match="no fuzziness"):
        fuzziness_map(data, clustering=EntropyCMeans(), **QUICK)


def test_a_file_that_cannot_be_masked_or_measured_is_refused_with_the_reason():
    data = simulate_business(20, seed=2)
    pair = {"centres": [1.1], "assignment": [1.2]} | QUICK
    with pytest.raises(NotApplicableError, match=r"at least 21 records .* smaller group_size"):
        fuzziness_map(data, group_size=21, **pair)
    with pytest.raises(NotApplicableError, match="household-intruder cannot be measured"):
        fuzziness_map(data, **pair | {"risk": "household-intruder"})
