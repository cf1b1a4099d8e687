"""The transformer of scikit-learn masks as `protect` does, and keeps to the conventions of estimators."""

import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import sdckit
from sdckit.errors import NotApplicableError, UnknownNameError
from sdckit.methods import Mdav, RankSwapping
from sdckit.sklearn import MaskingTransformer


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {"name": [f"p{i}" for i in range(30)], "age": rng.integers(18, 90, 30), "income": rng.lognormal(7, 1, 30)},
        index=pd.Index(range(100, 130)),
    )


@pytest.mark.slow  # two minutes of checks of scikit-learn's own
@pytest.mark.parametrize("method", ["mdav:group_size=3", "additive-noise"])
def test_it_passes_the_checks_of_estimators(method: str) -> None:
    """All but one: masking part of a file is not part of masking the file."""
    reason = "a record is masked with the other records of its file"
    failures = {"check_methods_subset_invariance": reason, "check_methods_sample_order_invariance": reason}
    check_estimator(MaskingTransformer(method, random_state=0), expected_failed_checks=failures, on_skip=None)


@pytest.mark.parametrize("library", [pd.DataFrame, pl.from_pandas])
def test_it_masks_as_protect_does(frame: pd.DataFrame, library) -> None:
    table = library(frame[["age", "income"]])
    ours = MaskingTransformer([RankSwapping(window=0.2), "mdav:group_size=3"], random_state=7).fit_transform(table)
    theirs = sdckit.protect(table, [RankSwapping(window=0.2), Mdav(group_size=3)], seed=7).masked.to_frame()
    assert type(ours) is type(table)
    assert np.array_equal(ours.to_numpy(), theirs.to_numpy())


def test_without_a_seed_no_two_files_are_masked_alike(frame: pd.DataFrame) -> None:
    transformer = MaskingTransformer("additive-noise", columns=["income"]).fit(frame)
    assert not transformer.transform(frame)["income"].equals(transformer.transform(frame)["income"])


def test_groups_have_their_size_in_an_array_too() -> None:
    values = np.random.default_rng(2).normal(size=(31, 2))
    masked = MaskingTransformer("mdav:group_size=4").fit_transform(values)
    assert min(Counter(map(tuple, masked.tolist())).values()) >= 4


def test_columns_are_named_or_numbered(frame: pd.DataFrame) -> None:
    masked = MaskingTransformer("mdav:group_size=3", columns=["income"]).fit_transform(frame)
    assert masked["age"].equals(frame["age"]) and not masked["income"].equals(frame["income"])
    values = frame[["age", "income"]].to_numpy()
    assert np.array_equal(MaskingTransformer("mdav", columns=[1]).fit_transform(values)[:, 0], values[:, 0])
    with pytest.raises(UnknownNameError, match="did you mean 'income'"):
        MaskingTransformer("mdav", columns=["incom"]).fit(frame)


def test_identifiers_of_a_schema_are_dropped_and_the_index_stays(frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "schema.toml"
    path.write_text(
        '[attributes.name]\nrole = "identifier"\n[attributes.age]\nrole = "other"\n[attributes.income]\nrole = "key"\n',
        encoding="utf-8",
    )
    transformer = MaskingTransformer("mdav:group_size=3", schema=path)
    masked = transformer.set_output(transform="pandas").fit_transform(frame)
    assert list(masked.columns) == list(transformer.get_feature_names_out()) == ["age", "income"]
    assert masked.index.equals(frame.index) and masked["age"].equals(frame["age"])


def test_it_is_cloned_with_its_parameters() -> None:
    transformer = MaskingTransformer("mdav", columns=["a"]).set_params(method="additive-noise", random_state=3)
    again = clone(transformer)
    assert again is not transformer
    assert again.get_params() == {"method": "additive-noise", "columns": ["a"], "schema": None, "random_state": 3}


def test_it_is_a_step_of_a_pipeline(frame: pd.DataFrame) -> None:
    """Masked incomes of groups predict no better than the incomes themselves, which predict perfectly."""
    table, target = frame[["age", "income"]], frame["income"]
    masked = ColumnTransformer([("keys", MaskingTransformer("mdav:group_size=5"), ["age", "income"])])
    assert make_pipeline(masked, LinearRegression()).fit(table, target).score(table, target) < 1 - 1e-6
    assert LinearRegression().fit(table, target).score(table, target) == pytest.approx(1)


def test_nothing_of_the_file_is_stored(frame: pd.DataFrame) -> None:
    transformer = MaskingTransformer("mdav", columns=["income"]).fit(frame)
    assert "p17" not in str(vars(transformer)) and f"{frame['income'].iloc[3]}" not in str(vars(transformer))


def test_methods_that_change_the_rows_are_refused(frame: pd.DataFrame) -> None:
    with pytest.raises(NotApplicableError, match=r"keeps every row; use sdckit\.protect"):
        MaskingTransformer("simple-sampling").fit(frame)


def test_another_file_must_have_the_same_columns(frame: pd.DataFrame) -> None:
    transformer = MaskingTransformer("mdav").fit(frame[["age", "income"]])
    with pytest.raises(ValueError, match="expecting 2 features"):
        transformer.transform(frame[["age"]])
    with pytest.raises(ValueError, match="passed during fit: age, income"):
        transformer.transform(frame[["income", "age"]])


def test_an_index_that_may_identify_is_warned_of(frame: pd.DataFrame) -> None:
    masking = MaskingTransformer("mdav:group_size=3", columns=["age", "income"])
    named = frame.set_index("name")
    with pytest.warns(UserWarning, match="reset_index"):
        assert masking.fit_transform(named).index.equals(named.index)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        masking.fit_transform(named.reset_index(drop=True))
