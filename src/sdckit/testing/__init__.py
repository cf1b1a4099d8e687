"""The contract checks that every component must pass, a third party's too.

```python
import pytest
from sdckit.catalogue import find
from sdckit.testing import checks_for

entry = find("masking", "my-method")

@pytest.mark.parametrize("check", checks_for(entry), ids=lambda check: check.__name__)
def test_the_contract(check):
    check(entry)
```

A check is a function of a catalogue entry whose name is a sentence; it raises an error, as a rule an AssertionError
that says on which file and with which parameters the sentence does not hold. Files are small and made on the spot, so
no data is needed.
"""

from collections.abc import Callable, Iterable

from sdckit.catalogue import Entry
from sdckit.graph import Graph
from sdckit.testing import (
    candidates_checks,
    component_checks,
    graph_masking_checks,
    graph_measure_checks,
    masking_checks,
    masking_declarations,
    measure_checks,
)

Check = Callable[[Entry], None]


def checks_for(entry: Entry) -> tuple[Check, ...]:
    """The checks that an entry of its kind and domain must pass."""
    if entry.domain is Graph:
        return (*component_checks.CHECKS, *_graph_checks(entry.kind))
    if entry.kind == "masking":
        return (
            *component_checks.CHECKS,
            *masking_checks.CHECKS,
            *masking_declarations.CHECKS,
            *candidates_checks.CHECKS,
        )
    of_kind = measure_checks.RISK_CHECKS if entry.kind == "risk" else measure_checks.LOSS_CHECKS
    return (*component_checks.CHECKS, *measure_checks.CHECKS, *of_kind)


def _graph_checks(kind: str) -> tuple[Check, ...]:
    """The checks of a masking, risk or loss of graphs."""
    if kind == "masking":
        return graph_masking_checks.CHECKS
    of_kind = graph_measure_checks.RISK_CHECKS if kind == "risk" else graph_measure_checks.LOSS_CHECKS
    return (*graph_measure_checks.CHECKS, *of_kind)


def check(entry: Entry, checks: Iterable[Check] | None = None) -> None:
    """Run all checks of an entry, or the given ones; the error lists every one that fails."""
    failures = []
    for each in checks_for(entry) if checks is None else checks:
        try:
            each(entry)
        except Exception as failure:  # whatever goes wrong is a breach
            failures.append(f"{each.__name__.replace('_', ' ')}: {failure}")
    assert not failures, f"{entry.name} breaks its contract:\n" + "\n".join(failures)
