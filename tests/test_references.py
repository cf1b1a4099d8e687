import re

import pytest

from sdckit.catalogue import entries
from sdckit.references import bibliography, citation


def test_a_key_leads_to_its_citation_and_a_citation_to_itself():
    assert citation("moore1996").startswith("R. A. Moore")
    assert citation("J. Doe, A paper, 2001.") == "J. Doe, A paper, 2001."


@pytest.mark.parametrize("key", bibliography())
def test_a_key_holds_the_year_of_its_citation(key):
    year = re.search(r"\d{4}", key)
    assert year and year.group() in bibliography()[key]
    assert bibliography()[key].endswith(".")


def test_every_source_is_used_and_stands_in_the_bibliography():
    assert {entry.reference for entry in entries()} <= set(bibliography())
