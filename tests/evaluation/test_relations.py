"""Relations: what loses as much as shuffled keys is not chosen, and the report shows what became of the strongest."""

import numpy as np
import polars as pl
import pytest

from sdckit.evaluation.assess import assess
from sdckit.evaluation.baselines import shuffled
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.relations import relations_after
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.evaluation.tune import tune
from sdckit.microdata import Microdata
from sdckit.release import protect
from sdckit.reporting.sections import relations


@pytest.fixture(scope="module")
def pairs() -> Microdata:
    rng = np.random.default_rng(2)
    size = rng.normal(size=80)
    return Microdata.from_frame(pl.DataFrame({"a": size, "b": size + 0.2 * rng.normal(size=80)}))


def point(method: str, loss: float, relations: float, *, baseline: bool = False) -> Point:
    steps = () if baseline else ({"method": method},)
    return Point(method, steps, 0, {"risk": 0.1, "loss": loss, "association-loss": relations}, baseline)


def test_the_best_setting_loses_less_than_shuffled_keys() -> None:
    kinds = {"risk": "risk", "loss": "loss", "association-loss": "loss"}
    points = (
        point("shuffled", 0.5, 1.0, baseline=True),
        point("scrambles", 0.01, 0.95),
        point("spoils", 0.46, 0.5),
        point("fair", 0.3, 0.4),
    )
    best = RiskUtilityMap(points, kinds, 80).best(0.2, "risk", "loss")
    assert best is not None and best.method == "fair"
    assert RiskUtilityMap(points[:3], kinds, 80).best(0.2, "risk", "loss") is None
    assert RiskUtilityMap(points[1:], kinds, 80).best(0.2, "risk", "loss").method == "scrambles"


@pytest.mark.slow
def test_the_tuner_refuses_a_recipe_that_keeps_no_relation(pairs: Microdata) -> None:
    """By the means alone, which any swap keeps, swapping over the whole file would be free."""
    found = tune(pairs, 1.0, risk="uniqueness", loss="il2", methods=["rank-swapping"], trials=20, draws=2, workers=1)
    assert found.best is not None
    ((relation,), shuffle) = found.relations, found.shuffled
    assert shuffle is not None and shuffle.mean["association-loss"] > 0.5
    assert found.best.mean["association-loss"] < 0.9 * shuffle.mean["association-loss"]
    assert relation["after"] > 0.1 and relation["before"] > 0.9
    assert found.to_dict()["strongest_relations"] == [dict(relation)]


def test_what_a_recipe_does_to_relations_is_that_of_its_release(pairs: Microdata) -> None:
    (relation,) = relations_after(pairs, [{"method": "additive-noise", "variance_share": 0.5}])
    masked = protect(pairs, "additive-noise:variance_share=0.5", seed=0).masked.matrix(["a", "b"])
    assert relation["after"] == pytest.approx(np.corrcoef(masked.T)[0, 1])
    assert relation["before"] == pytest.approx(np.corrcoef(pairs.matrix(["a", "b"]).T)[0, 1])


def test_the_report_warns_where_no_more_is_left_than_of_shuffled_keys(pairs: Microdata) -> None:
    warned = []
    for release in (shuffled(pairs, 1), protect(pairs, "mdav:group_size=3", seed=1)):
        content = relations.content(Dossier(assess(release, ["association-loss"])), public=False)
        assert content is not None and len(content["relations"]) == 1
        warned.append(content["like_shuffled"])
    assert warned == [True, False]
