import numpy as np
import polars as pl
import pytest
from tests.methods.synthesis.test_sequential_trees import people, synthetic

from sdckit.kernels.normal_copula import latent_correlations
from sdckit.kernels.ranks import mid_ranks
from sdckit.methods.synthesis.gaussian_copula import GaussianCopula


def test_distributions_and_rank_correlations_survive():
    frame = people(5000)
    made = synthetic(GaussianCopula(size=2), frame).masked.to_frame()
    assert len(made) == 10000
    for name in ("my region", "grade"):
        shares = [dict(file[name].value_counts(normalize=True).iter_rows()) for file in (frame, made)]
        assert shares[1] == pytest.approx(shares[0], abs=0.03)
    for name in ("income", "tax"):
        quantiles = [np.quantile(file[name], [0.1, 0.5, 0.9]) for file in (frame, made)]
        assert quantiles[1] == pytest.approx(quantiles[0], rel=0.1, abs=0.02)
    ranks = [np.corrcoef(file["income"].rank(), file["tax"].rank())[0, 1] for file in (frame, made)]
    assert ranks[1] == pytest.approx(ranks[0], abs=0.05)


def test_unordered_categories_keep_their_relation_to_numbers():
    frame = people(5000)
    means = [
        dict(file.group_by("my region").agg(pl.col("income").log().mean()).iter_rows())
        for file in (frame, synthetic(GaussianCopula(), frame).masked.to_frame())
    ]
    order = [sorted(each, key=each.get) for each in means]
    assert order[0] == order[1]


def test_no_number_is_an_original_one_and_none_leaves_their_range():
    frame = people()
    made = synthetic(GaussianCopula(size=20), frame).masked.columns["income"]
    assert not np.isin(made, frame["income"].to_numpy()).any()
    assert made.min() >= frame["income"].min() and made.max() <= frame["income"].max()


def test_a_value_that_many_have_keeps_its_share():
    frame = pl.DataFrame({"rent": [0.0] * 300 + [float(each) for each in range(1, 701)]})
    made = synthetic(GaussianCopula(size=10), frame).masked.columns["rent"]
    assert (made == 0).mean() == pytest.approx(0.3, abs=0.02)


def test_missing_values_keep_their_share_and_their_relation():
    frame = people(4000).with_columns(income=pl.when(pl.col("tax") < 0.03).then(None).otherwise(pl.col("income")))
    made = synthetic(GaussianCopula(), frame.select("income", "tax")).masked.to_frame()
    assert made["income"].null_count() == pytest.approx(frame["income"].null_count(), rel=0.1)
    low = made.filter(pl.col("tax") < made["tax"].median())["income"].null_count()
    assert low > 0.8 * made["income"].null_count()


def test_independent_attributes_stay_independent():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.normal(size=3000), "b": rng.exponential(size=3000)})
    made = synthetic(GaussianCopula(), frame).masked.matrix(["a", "b"])
    assert abs(np.corrcoef(made.T)[0, 1]) < 0.08


def test_missing_values_do_not_bend_the_relation_of_the_observed_ones():
    rng = np.random.default_rng(4)
    age = rng.uniform(0, 80, 6000)
    wage = np.where(
        age < 20, np.nan, 100 - age + 5 * rng.normal(size=6000)
    )  # children have none, and it falls with age
    frame = pl.DataFrame({"age": age, "wage": wage}).fill_nan(None)
    made = synthetic(GaussianCopula(), frame).masked.to_frame()
    both = made.drop_nulls()
    assert np.corrcoef(both["age"], both["wage"])[0, 1] < -0.7
    assert made["wage"].null_count() == pytest.approx(1500, rel=0.1)
    assert made.filter(pl.col("wage").is_null())["age"].mean() < 0.6 * age.mean()


@pytest.mark.parametrize("cuts", [[0.0], [-1.0, 0.5], [1.5]])
def test_latent_correlations_see_through_coarse_values(cuts):
    rng = np.random.default_rng(5)
    normal = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], size=40_000)
    coarse = np.column_stack([normal[:, 0], np.searchsorted(cuts, normal[:, 1]).astype(float)])
    ranks = np.corrcoef(mid_ranks(coarse).T)[0, 1]
    found = abs(latent_correlations(coarse)[0, 1] - 0.6)
    assert found < 0.25 * abs(2 * np.sin(np.pi * ranks / 6) - 0.6)  # the correction is one of first order
    assert latent_correlations(normal)[0, 1] == pytest.approx(0.6, abs=0.01)
