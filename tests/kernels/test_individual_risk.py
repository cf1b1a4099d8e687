import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import hyp2f1
from scipy.stats import nbinom

from sdckit.kernels.individual_risk import _individual_risks, individual_risks


def risk(frequency, population):
    return individual_risks(np.array([frequency]), np.array([population], dtype=float))[0]


def test_the_figures_of_francdat_to_the_printed_digits():
    frequency = np.array([2, 2, 2, 1, 1, 1, 1, 2])
    population = np.array([110, 84.5, 84.5, 17, 541, 8, 5, 110])
    printed = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]
    assert individual_risks(frequency, population) == pytest.approx(printed, abs=5e-9)


def test_five_records_for_forty_persons():
    assert risk(5, 40) == pytest.approx(0.0300765222, abs=5e-11)


@pytest.mark.parametrize("share", [0.001, 0.2, 0.5, 0.9])
def test_one_and_two_records_have_the_closed_form_of_the_literature(share):
    odds = share / (1 - share)
    assert risk(1, 1 / share) == pytest.approx(odds * np.log(1 / share))
    assert risk(2, 2 / share) == pytest.approx(odds - odds**2 * np.log(1 / share))


@given(st.integers(1, 80), st.floats(0.01, 1))
def test_it_is_the_hypergeometric_form(frequency, share):
    wanted = share / frequency * hyp2f1(1, 1, frequency + 1, 1 - share)  # Euler's transformation of the printed one
    assert risk(frequency, frequency / share) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("frequency", "share"), [(1, 1e-6), (29, 1e-6), (30, 1e-6), (29, 0.4999), (2, 0.5), (500, 0.01)]
)
def test_it_is_the_integral_at_the_edges_of_the_two_ways(frequency, share):
    odds = (1 - share) / share
    integral = quad(lambda v: v ** (frequency - 1) / (1 + odds * v), 0, 1, epsabs=0, epsrel=1e-12, points=[1 / odds])[0]
    assert risk(frequency, frequency / share) == pytest.approx(integral, rel=1e-8)


def test_it_is_the_mean_of_one_over_a_negative_binomial_number():
    extra = np.arange(200_000)
    mean = (nbinom.pmf(extra, 3, 0.05) / (3 + extra)).sum()
    assert risk(3, 60) == pytest.approx(mean)


def test_a_class_taken_in_full_is_a_pick_among_its_records():
    assert risk(4, 4) == pytest.approx(1 / 4)
    assert risk(4, 2) == pytest.approx(1 / 4)


def test_python_and_the_compiled_kernel_give_the_same_bits():
    rng = np.random.default_rng(1)
    frequency = rng.integers(1, 60, 3_000)
    population = frequency / rng.choice([1e-4, 0.01, 0.3, 0.5, 0.8, 1.0], 3_000)
    assert (_individual_risks(frequency, population) == _individual_risks.py_func(frequency, population)).all()
