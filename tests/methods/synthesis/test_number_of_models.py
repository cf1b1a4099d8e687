"""The number of models controls loss and risk on a real file: more models lose less and disclose more."""

from itertools import pairwise

import pytest
from tools.number_of_models import MODELS, TASKS, figures, read

from sdckit.datasets.reference import local_copy

RECORDS, DRAWS = 300, 2


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_loss_falls_and_risk_rises_with_the_number_of_models_on_a_real_file(name):
    path = local_copy(TASKS[name].file.removesuffix(".csv"))
    if path is None or path.suffix != ".csv":
        pytest.skip(f"there is no local copy of {name}")
    data = read(TASKS[name], path, RECORDS)
    by_models = [figures(TASKS[name], data, models, DRAWS) for models in MODELS]
    assert all(more.loss < fewer.loss for fewer, more in pairwise(by_models))
    assert all(more.expected > fewer.expected for fewer, more in pairwise(by_models))
    assert by_models[-1].found > 3 * max(by_models[0].found, 1 / RECORDS)
    for each in by_models:  # within three standard errors of the number found
        assert abs(each.found - each.expected) <= 3 * (each.expected / RECORDS / DRAWS) ** 0.5
