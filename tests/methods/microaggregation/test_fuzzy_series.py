import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.catalogue import build
from sdckit.fuzzy.clusterings import FuzzyCMeans
from sdckit.fuzzy.series import LevelsAndChanges
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.fuzzy_series import FuzzySeries
from sdckit.release import Release, protect

CRISP = {"clustering": FuzzyCMeans(1), "assignment_fuzziness": 1}


def rising_and_falling(units: int = 20, seed: int = 1) -> np.ndarray:
    """Series of four measurements; half rise from a random level, half fall."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0, 3, units)[:, None]
    slope = np.where(np.arange(units) < units // 2, 1.0, -1.0)[:, None]
    return level + slope * np.arange(4) + 0.01 * rng.standard_normal((units, 4))


def test_the_distance_of_two_series_by_hand():
    """Levels differ by 1 and 3, changes by 2: half of 1 + 9 and half of 4."""
    one, other = LevelsAndChanges(0.5).points(np.array([[[0.0], [0.0]], [[1.0], [3.0]]]))
    assert ((one - other) ** 2).sum() == pytest.approx(0.5 * 10 + 0.5 * 4)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_series_come_back_from_their_points(share):
    series = correlated(10, 6, seed=1).reshape(10, 3, 2)
    distance = LevelsAndChanges(share)
    assert distance.series(distance.points(series), 3, 2) == pytest.approx(series)


def test_by_changes_units_that_develop_alike_are_grouped_and_by_levels_those_of_the_same_level():
    series = rising_and_falling()
    by_changes = masked_matrix(FuzzySeries(group_size=10, change_share=0.95, **CRISP), series)
    slopes = by_changes[:, -1] - by_changes[:, 0]
    assert (slopes[:10] > 0).all() and (slopes[10:] < 0).all()
    by_levels = masked_matrix(FuzzySeries(group_size=10, change_share=0.0, **CRISP), series)
    mean = series.mean(axis=1)
    assert by_levels.mean(axis=1)[mean.argmax()] > by_levels.mean(axis=1)[mean.argmin()]
    assert (np.sign(by_levels[:, -1] - by_levels[:, 0]) != np.sign(slopes)).any()


def test_one_centre_is_the_mean_series_and_single_units_keep_theirs():
    series = rising_and_falling()
    one = masked_matrix(FuzzySeries(group_size=20), series)
    assert one == pytest.approx(np.tile(series.mean(axis=0), (20, 1)))
    assert masked_matrix(FuzzySeries(group_size=1, **CRISP), series) == pytest.approx(series)


def test_a_unit_gets_a_whole_series_and_missing_values_stay_missing():
    series = rising_and_falling()
    holes = series.copy()
    holes[3, 1] = holes[7, 0] = np.nan
    data = numeric(holes)
    masked = protect(data, FuzzySeries(group_size=5), seed=1).masked.matrix(data.names())
    assert np.array_equal(np.isnan(masked), np.isnan(holes))
    whole = ~np.isnan(masked).any(axis=1)
    assert len(equal_rows(masked[whole]).sizes) <= 4


def test_the_clustering_loss_sees_changes_where_it_is_asked_to():
    """Each unit keeps its mean level and gets the development of another: levels tell them apart, changes do not."""
    series = rising_and_falling(40)
    level = series.mean(axis=1, keepdims=True)
    developed = level + np.random.default_rng(2).permutation(series - level)
    release = Release.in_order(numeric(series), numeric(developed))
    by_level, by_change = (
        build("loss", "fuzzy-clustering-loss", clusters=2, change_share=share).measure(release, seed=1).value
        for share in (0.0, 0.95)
    )
    assert by_change > by_level
