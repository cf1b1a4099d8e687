"""A release with distinctive values, and the parts of a page."""

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import polars
import pytest

import sdckit
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.page import render

SEED = 918273645


@pytest.fixture(scope="session")
def people() -> polars.DataFrame:
    """120 people whose incomes and identifiers cannot be mistaken for anything else."""
    rng = np.random.default_rng(5)
    return polars.DataFrame(
        {
            "person": [f"id-{7000 + i}-zq" for i in range(120)],
            "income": rng.integers(2_000_003, 8_999_999, 120),
            "age": rng.integers(18, 90, 120),
            "spending": np.round(rng.lognormal(9, 1, 120), 4),
            "town": rng.choice(["Ely", "Wells", "Truro"], 120).tolist(),
        }
    )


@pytest.fixture(scope="session")
def result(people: polars.DataFrame) -> Assessment:
    file = sdckit.Microdata.from_frame(
        people,
        roles={"person": "identifier", "income": "key", "age": "key", "spending": "confidential", "town": "other"},
    )
    return sdckit.assess(sdckit.protect(file, ["rank-swapping:window=0.2"], seed=SEED), seed=SEED)


@pytest.fixture(scope="session")
def text() -> Callable[[Assessment | Dossier, bool], str]:
    """The page of a result without the scripts that draw."""

    def without_scripts(result: Assessment | Dossier, public: bool) -> str:
        html = render(describe_dossier(result, public=public))
        assert html.count("</script") == 3
        return re.sub(r"<script>.*?</script>", "", html, count=1, flags=re.DOTALL)

    return without_scripts


@pytest.fixture(scope="session")
def specs() -> Callable[[str], list[dict[str, Any]]]:
    """The specifications of the charts in a page."""

    def read(html: str) -> list[dict[str, Any]]:
        (payload,) = re.findall(r'<script type="application/json" id="specs">(.*?)</script>', html, flags=re.DOTALL)
        found: list[dict[str, Any]] = json.loads(payload)
        return found

    return read
