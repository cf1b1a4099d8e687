"""Learning the distance, linear in its parameters, that links the most records, with proven bounds."""

from sdckit.linear_distances.bilinear import Bilinear, BilinearMetric, NonNegativeBilinear
from sdckit.linear_distances.candidate_lists import CandidateLists
from sdckit.linear_distances.choquet import Choquet, ChoquetMetric
from sdckit.linear_distances.held_out import HeldOut, learn_on_a_share
from sdckit.linear_distances.learn import Learned, Proof, learn
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.pairs import Column
from sdckit.linear_distances.recount import recount, recounted_credits
from sdckit.linear_distances.search import Step
from sdckit.linear_distances.weighted_mean import OWA, WeightedMean, WeightedMeanMetric

__all__ = [
    "OWA",
    "Bilinear",
    "BilinearMetric",
    "CandidateLists",
    "Choquet",
    "ChoquetMetric",
    "Column",
    "HeldOut",
    "Learned",
    "LinearDistance",
    "NonNegativeBilinear",
    "Proof",
    "Step",
    "WeightedMean",
    "WeightedMeanMetric",
    "learn",
    "learn_on_a_share",
    "recount",
    "recounted_credits",
]
