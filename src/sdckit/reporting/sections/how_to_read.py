"""How to read the figures."""

from collections.abc import Mapping
from typing import Any

from sdckit.evaluation.assess import Assessment

TITLE = "How to read this report"
ORDER = 90


def content(result: Assessment, *, public: bool) -> Mapping[str, Any] | None:
    """The same in every report."""
    return {}
