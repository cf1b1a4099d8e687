import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from sdckit import Microdata, Release, build, protect
from sdckit.kernels.propensity import expected_when_synthesised, propensities, propensity_mean_squared_error
from sdckit.rows import Sampled

rng = np.random.default_rng(11)


def file_of(values, labels=None):
    columns = {f"x{number}": column for number, column in enumerate(np.asarray(values, dtype=float).T)}
    if labels is not None:
        columns["label"] = list(labels)
    return Microdata.from_frame(pl.DataFrame(columns), roles=dict.fromkeys(columns, "key"))


def loss(before, after, **values):
    return build("loss", "propensity-loss", **values).measure(Release.in_order(before, after), seed=1)


def test_the_fit_is_the_logistic_regression_of_scikit_learn():
    one, other = rng.normal(size=(300, 3)), rng.normal(0.5, 1.3, size=(200, 3))
    model = LogisticRegression(C=1e8, tol=1e-10, max_iter=10_000)
    rows = np.concatenate([one, other])
    theirs = model.fit(rows, np.repeat([0, 1], [300, 200])).predict_proba(rows)[:, 1]
    assert propensities(one, other) == pytest.approx(theirs, abs=1e-4)


def test_files_that_differ_altogether_are_distinguished_with_certainty():
    before, after = file_of(rng.normal(0, 1, (80, 1))), file_of(rng.normal(100, 1, (80, 1)))
    assert loss(before, after).value == pytest.approx(1, abs=0.01)


def mean_error(synthesise):
    found = []
    for _ in range(200):
        original = rng.normal(size=(250, 4))
        found.append(propensity_mean_squared_error(propensities(original, synthesise(original)), 0.5))
    return np.mean(found)


def test_a_file_of_the_right_model_differs_as_much_as_theory_says():
    def synthesised(original):
        return rng.multivariate_normal(original.mean(axis=0), np.cov(original.T), 250)

    assert mean_error(synthesised) == pytest.approx(expected_when_synthesised(4, 0.5, 500), rel=0.15)


def test_two_files_of_one_population_differ_twice_as_much():
    expected = expected_when_synthesised(4, 0.5, 500) / (1 - 0.5)
    assert mean_error(lambda _: rng.normal(size=(250, 4))) == pytest.approx(expected, rel=0.15)


def test_the_same_file_in_another_order_loses_nothing():
    values, labels = rng.normal(size=(60, 2)), rng.choice(["a", "b", "c"], 60)
    order = rng.permutation(60)
    assert loss(file_of(values, labels), file_of(values[order], labels[order])).value == 0


def test_more_noise_loses_more():
    data = file_of(rng.normal(size=(500, 3)) @ rng.normal(size=(3, 3)))
    figures = [
        build("loss", "propensity-loss").measure(protect(data, f"additive-noise:variance_share={v}", seed=1)).value
        for v in (0.01, 0.3, 1.0)
    ]
    assert figures == sorted(figures)


def test_a_broken_relation_is_seen_though_each_column_is_the_same():
    values = rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 600)
    mixed = np.column_stack([values[:, 0], rng.permutation(values[:, 1])])
    assert loss(file_of(values), file_of(mixed)).value > 0.1


def test_suppressed_values_and_changed_categories_are_seen():
    values, labels = rng.normal(size=(200, 1)), rng.choice(["a", "b"], 200)
    holes = values.copy()
    holes[:100] = np.nan
    assert loss(file_of(values), file_of(holes)).value > 0.1
    assert loss(file_of(values, labels), file_of(values, np.where(np.arange(200) < 150, "a", labels))).value > 0.05


def test_a_part_of_the_records_tells_about_the_same():
    data = file_of(rng.normal(size=(4000, 2)))
    release = protect(data, "additive-noise:variance_share=1", seed=1)
    whole, part = (build("loss", "propensity-loss", records=n).measure(release, seed=1).value for n in (4000, 2000))
    assert part == pytest.approx(whole, rel=0.4)


def test_the_interval_of_the_untouched_file_is_nothing_but_0():
    data = file_of(rng.normal(size=(60, 2)), rng.choice(["a", "b"], 60))
    assert loss(data, data).interval == (0, 0)


def test_the_interval_holds_the_value_and_narrows_with_the_records():
    widths = []
    for records in (200, 3200):
        data = file_of(rng.normal(size=(records, 2)))
        score = build("loss", "propensity-loss").measure(
            protect(data, "additive-noise:variance_share=1", seed=1), seed=1
        )
        low, high = score.interval
        assert low < score.value < high
        widths.append(high - low)
    assert widths[1] < widths[0] / 2  # four times narrower in theory


def test_a_record_and_its_rows_are_drawn_together_and_a_row_of_nobody_alone():
    data = file_of(rng.normal(size=(40, 2)))
    known = Release(data, data.take(np.arange(0, 40, 2)), None, Sampled(np.arange(0, 40, 2)))
    unknown = Release(data, data.take(np.arange(0, 40, 2)), None, Sampled(np.full(20, -1)))
    measure = build("loss", "propensity-loss")
    assert len(np.unique(measure._whose(known, np.arange(40), np.arange(20)))) == 40
    assert len(np.unique(measure._whose(unknown, np.arange(40), np.arange(20)))) == 60
