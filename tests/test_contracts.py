"""Every component in the catalogue passes every check of its contract."""

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.testing import Check, checks_for

CONTRACTS = [
    pytest.param(entry, check, id=f"{entry.name}: {check.__name__.replace('_', ' ')}")
    for entry in entries()
    for check in checks_for(entry)
]


@pytest.mark.parametrize(("entry", "check"), CONTRACTS)
def test_the_contract(entry: Entry, check: Check) -> None:
    check(entry)
