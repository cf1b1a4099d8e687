"""Ratios of membership are those of two normal laws, person by person, and a ROC curve is a comparison of all pairs."""

import numpy as np
import pytest

from sdckit.kernels.membership_scores import area_under, held_out_ratios, roc, true_rate_at


def ratios_of_one_feature(values, inside, tested):
    """By the definition: shifts of persons, shrunk towards that of all, and ratios of two normal densities."""
    persons, files = range(len(values[0])), range(len(values))
    by_person = []
    residuals = []
    for person in persons:
        in_file = [values[file][person] for file in files if inside[file][person]]
        out = [values[file][person] for file in files if not inside[file][person]]
        by_person.append((np.mean(in_file), np.mean(out), len(in_file), len(out)))
        residuals += [value - np.mean(part) for part in (in_file, out) for value in part]
    largest = max(1.0, max(abs(value) for line in values for value in line))
    freedom = max(len(residuals) - 2 * len(by_person), 1)
    variance = max(sum(each**2 for each in residuals) / freedom, 1e-12 * largest**2)
    shifts = np.array([mean_in - mean_out for mean_in, mean_out, _, _ in by_person])
    errors = np.array([variance / n_in + variance / n_out for _, _, n_in, n_out in by_person])
    common = np.sum(shifts / errors) / np.sum(1 / errors)
    if common**2 <= 4 / np.sum(1 / errors):
        common = 0.0
    between = max(np.mean((shifts - common) ** 2 - errors), 0.0)
    ratios = []
    for person in persons:
        share = between / (between + errors[person])
        shift = share * shifts[person] + (1 - share) * common
        without = np.mean([values[file][person] - shift * inside[file][person] for file in files])
        spread = variance * (1 + 1 / len(values))
        ratios.append(shift * (2 * (tested[person] - without) - shift) / (2 * spread))  # a² − (a − s)² = s (2a − s)
    return np.array(ratios)


@pytest.mark.parametrize("scale", [1.0, 0.01, 100.0])
def test_ratios_are_those_of_normal_laws_fitted_to_the_other_files(scale):
    for seed in range(25):
        check_ratios(seed, scale)


def check_ratios(seed, scale):
    rng = np.random.default_rng(seed)
    files, persons, kinds = rng.integers(3, 7), rng.integers(1, 4), rng.integers(1, 3)
    inside = rng.random((files, persons)) < 0.5
    features = scale * (rng.integers(0, 3, (files, persons, kinds)) + inside[:, :, None] * rng.integers(0, 3, kinds))
    found = held_out_ratios(features, inside)
    for file in range(files):
        others = [each for each in range(files) if each != file]
        usable = np.array([0 < inside[others, person].sum() < len(others) for person in range(persons)])
        assert (found[file, ~usable] == 0).all()
        if usable.any():
            expected = sum(
                ratios_of_one_feature(
                    features[np.ix_(others, usable, [kind])][:, :, 0],
                    inside[np.ix_(others, usable)],
                    features[file, usable, kind],
                )
                for kind in range(kinds)
            )
            assert found[file, usable] == pytest.approx(expected, rel=1e-6, abs=1e-4)


@pytest.mark.parametrize("seed", range(30))
def test_a_roc_curve_compares_all_pairs(seed):
    rng = np.random.default_rng(seed)
    inside, outside = (rng.integers(0, 4, rng.integers(1, 6)).astype(float) for _ in range(2))
    false, true = roc(inside, outside)
    thresholds = [np.inf, *sorted({*inside, *outside}, reverse=True)]
    assert true.tolist() == [np.mean(inside >= each) for each in thresholds]
    assert false.tolist() == [np.mean(outside >= each) for each in thresholds]
    wins = np.mean([(one > other) + (one == other) / 2 for one in inside for other in outside])
    assert area_under(false, true) == pytest.approx(wins)
    for limit in (-0.1, 0.0, 0.3, *false, 1.0):
        expected = max([here for there, here in zip(false, true, strict=True) if there <= limit], default=0.0)
        assert true_rate_at(false, true, limit) == expected
