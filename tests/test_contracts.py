"""Every component in the catalogue passes every check of its contract.

One test a component: its checks share the files that it masked and the scores that it gave.
"""

import pytest

from sdckit.catalogue import Entry, entries
from sdckit.testing import check


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_the_contract(entry: Entry) -> None:
    check(entry)
