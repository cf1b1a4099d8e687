"""Any function of a file can say what was lost."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, Release, UserAnalysisLoss, assess, protect, sweep
from sdckit.errors import AnalysisError, NotApplicableError, ParameterError
from sdckit.loss.analysis.user_analysis_loss import relative_differences
from sdckit.testing.files import ordinary
from sdckit.user_function import FunctionInFile

results = st.recursive(
    st.floats() | st.text(max_size=3) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


def mean_rent(frame):
    return float(frame["rent"].mean())


@pytest.fixture(scope="module")
def release():
    return protect(ordinary(), "rank-swapping:window=0.2", seed=1)


def test_a_mean_by_hand():
    before, after = (pl.DataFrame({"rent": rents}) for rents in ([1.0, 3.0], [3.0, 9.0]))
    score = UserAnalysisLoss(analysis=mean_rent).measure(Release.in_order(before, after))
    assert score.value == pytest.approx((6 - 2) / (6 + 2))


def test_it_stands_among_the_other_scores(release):
    result = assess(release, ["il1", UserAnalysisLoss(analysis=mean_rent)])
    assert result["user-analysis-loss"].kind == "loss"
    assert result["user-analysis-loss"].value == pytest.approx(0, abs=1e-12)  # swapping keeps means


def test_nothing_is_lost_by_the_untouched_file():
    untouched = protect(ordinary(), "mdav", seed=1).untouched()
    loss = UserAnalysisLoss(analysis=lambda frame: np.corrcoef(frame["rent"], frame["yearly income"]))
    assert loss.measure(untouched).value == 0


def test_a_relation_that_swapping_breaks_is_seen(release):
    loss = UserAnalysisLoss(analysis=lambda frame: {"r": np.corrcoef(frame["rent"], frame["yearly income"])[0, 1]})
    score = loss.measure(release)
    assert 0 < score.value <= 1
    assert score.details["by_result"]["r"] == score.value


def test_a_divergence_of_your_own(release):
    loss = UserAnalysisLoss(analysis=lambda frame: frame.height, divergence=lambda a, b: 10 * abs(a - b) + 2)
    assert loss.measure(release).value == 2
    with pytest.raises(ParameterError, match="0 or more"):
        UserAnalysisLoss(analysis=mean_rent, divergence=lambda a, b: -1).measure(release)


def test_the_analysis_gets_the_kind_of_frame_that_came_in():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"rent": [1.0, 2.0, 3.0]})
    kinds = []
    release = Release.in_order(Microdata.from_frame(frame), Microdata.from_frame(frame + 1))
    score = UserAnalysisLoss(analysis=lambda file: kinds.append(type(file)) or file["rent"].describe()).measure(release)
    assert kinds == [pandas.DataFrame] * 2
    assert score.value > 0


def test_identifiers_that_the_release_dropped_are_in_neither_file(release):
    seen = []
    UserAnalysisLoss(analysis=lambda frame: seen.append(frame.columns) or 0).measure(release)
    assert seen[0] == seen[1] and "name" not in seen[0]


def test_without_an_analysis_it_does_not_apply(release):
    with pytest.raises(NotApplicableError, match="needs your analysis"):
        UserAnalysisLoss().measure(release)


def test_a_result_that_cannot_be_compared_is_an_error(release):
    with pytest.raises(ParameterError, match="type object"):
        UserAnalysisLoss(analysis=lambda frame: object()).measure(release)


@pytest.mark.parametrize("result", [None, {}, []])
def test_an_analysis_that_gives_nothing_is_an_error_and_no_loss_of_0(release, result):
    with pytest.raises(AnalysisError, match=r"gives (nothing back|an empty result)"):
        UserAnalysisLoss(analysis=lambda frame: result).measure(release)


@pytest.mark.parametrize("result", ["far", None, math.nan, math.inf])
def test_a_divergence_is_a_number(release, result):
    with pytest.raises(AnalysisError, match="0 or more"):
        UserAnalysisLoss(analysis=mean_rent, divergence=lambda a, b: result).measure(release)


def only_of_whole_rents(frame):
    if (frame["rent"] % 1 != 0).any():
        raise ValueError("rents are whole")
    return frame["rent"].sum()


@pytest.mark.usefixtures("on_terminal")
def test_an_analysis_that_the_masked_file_alone_does_not_bear_does_not_apply():
    before, after = (pl.DataFrame({"rent": rents}) for rents in ([1.0, 3.0], [1.5, 2.5]))
    loss = UserAnalysisLoss(analysis=only_of_whole_rents)
    with pytest.raises(
        NotApplicableError, match=r"of the masked file alone, .* test_user_.*, line \d+, .*rents are whole"
    ):
        loss.measure(Release.in_order(before, after))
    with pytest.raises(AnalysisError, match=r"^only_of_whole_rents fails in .*ValueError: rents are whole"):
        loss.measure(Release.in_order(after, before))


def test_what_is_no_function_is_refused():
    with pytest.raises(ParameterError, match="analysis = 3 is not a function"):
        UserAnalysisLoss(analysis=3)


def test_a_function_is_known_by_what_it_does():
    one, same, other = (eval(text) for text in ("lambda f: 1", "lambda f: 1", "lambda f: 2"))
    assert repr(UserAnalysisLoss(analysis=one)) == repr(UserAnalysisLoss(analysis=same))
    assert repr(UserAnalysisLoss(analysis=one)) != repr(UserAnalysisLoss(analysis=other))


@pytest.mark.slow
def test_workers_run_the_function_of_a_file(tmp_path):
    (tmp_path / "model.py").write_text("def mean(frame):\n    return float(frame['rent'].mean())\n")
    own = UserAnalysisLoss(analysis=FunctionInFile.read(f"{tmp_path / 'model.py'}:mean"))
    options = {"seeds": 1, "measures": ["distance-linkage", own], "workers": 2}
    found = sweep(ordinary(), ["rank-swapping"], grid={"rank-swapping": {"window": [0.1, 0.2]}}, **options)
    figures = {point.label: point.scores["user-analysis-loss"] for point in found.points}
    assert figures.pop("constant") == pytest.approx(0, abs=1e-12)  # every value is the mean
    assert all(value == pytest.approx(0, abs=1e-12) for value in figures.values())  # swapping keeps means


def test_a_sweep_ends_where_the_analysis_fails(tmp_path):
    (tmp_path / "model.py").write_text("def mean(frame):\n    return frame['rents']\n")
    own = UserAnalysisLoss(analysis=FunctionInFile.read(f"{tmp_path / 'model.py'}:mean"))
    with pytest.raises(AnalysisError, match=r"fails in model.py, line 2"):
        sweep(ordinary(), ["mdav"], seeds=1, measures=[own], workers=1)


def test_a_finished_point_is_not_taken_for_that_of_another_content(tmp_path):
    model, kept = tmp_path / "model.py", tmp_path / "map"
    figures = []
    for result in ("frame.height", "float(frame['rent'].std())"):
        model.write_text(f"def analysis(frame):\n    return {result}\n")
        own = UserAnalysisLoss(analysis=FunctionInFile.read(f"{model}:analysis"))
        found = sweep(ordinary(), ["mdav"], seeds=1, measures=[own, "distance-linkage"], workers=1, folder=kept)
        figures.append(max(point.scores["user-analysis-loss"] for point in found.points))
    assert figures[0] == 0 < figures[1]


def test_measures_beside_all_that_apply(release):
    result = assess(release, also=[UserAnalysisLoss(analysis=mean_rent), "interval-disclosure:widest=0.2"])
    assert {"user-analysis-loss", "interval-disclosure", "il1"} <= set(result)
    assert "user-analysis-loss" in assess(release).skipped


@pytest.mark.slow
@given(results, results)
def test_the_difference_is_between_0_and_1_and_0_for_equal_results(one, other):
    assert all(0 <= gap <= 1 for _, gap in relative_differences(one, other))
    assert not any(gap for _, gap in relative_differences(one, one))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1.0, -1.0, {"": 1.0}),
        (math.nan, math.nan, {"": 0.0}),
        (math.inf, 1.0, {"": 1.0}),
        ([1, 2], [1], {"0": 0.0, "1": 1.0}),
        ({"a": {"b": 1}}, {"a": {"b": 3}}, {"a.b": 0.5}),
        ("Ely", "Rye", {"": 1.0}),
        ([1.0], 1.0, {"": 1.0}),
        (np.array([[1.0, 2.0]]), np.array([[1.0, 6.0]]), {"0.0": 0.0, "0.1": 0.5}),
    ],
)
def test_differences_by_hand(one, other, expected):
    assert dict(relative_differences(one, other)) == expected
