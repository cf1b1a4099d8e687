"""Example files: simulated ones, whose true structure is known, and the public reference files of the literature."""

from sdckit.datasets.billing import simulate_billing
from sdckit.datasets.business import simulate_business
from sdckit.datasets.reference import census, eia
from sdckit.datasets.survey import simulate_survey

__all__ = ["census", "eia", "simulate_billing", "simulate_business", "simulate_survey"]
