"""Thirteen files masked with seed 7: the informed intruder finds what a plain experiment that joined all found."""

import pytest
from benchmarks.arena import THIRTEEN
from tests.conftest import reference_file

from sdckit.files import read
from sdckit.files.release_files import read_masked
from sdckit.kernels.intervals import wilson
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.risks import InformedIntruder
from sdckit.schema import Schema

TOLERANCE = 0.015


@pytest.mark.slow
@pytest.mark.parametrize("name", THIRTEEN)
def test_the_informed_intruder_finds_what_was_found_before(name):
    schema = Schema.from_toml(reference_file("data", "arena", "schema.toml"))
    original = read(reference_file("data", "arena", "original.csv"), schema)
    masked = read_masked(reference_file("data", "arena", f"{name}.csv"), schema)
    recipe = Recipe.from_toml(reference_file("data", "arena", f"{name}.toml")).resolve(original)
    score = InformedIntruder().measure(Release.in_order(original, masked, recipe), seed=1)
    assert score.value >= THIRTEEN[name] / 100 - TOLERANCE
    low, high = wilson(score.value * len(original), len(original), 0.999)
    assert low <= score.details["expected_found"] <= high
