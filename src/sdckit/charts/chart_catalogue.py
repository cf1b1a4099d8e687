"""The chart catalogue: every chart of a dossier, found by looking into this folder.

Other packages add theirs through the entry-point group `sdckit.charts`, each entry naming a module.
"""

import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from sdckit import charts
from sdckit.charts.chart import Chart
from sdckit.evaluation.dossier import Dossier


@dataclass(frozen=True)
class ChartEntry:
    """A chart as the report and the tests see it; `section` is empty where a section shows it by itself."""

    name: str
    function: Callable[..., Sequence[Chart]]
    section: str = ""
    order: float = 0
    needs: tuple[str, ...] = ()
    public: bool = True

    def draw(self, dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
        """The charts of a dossier; none where it lacks what they need, or the edition may not show them."""
        if (public and not self.public) or not all(getattr(dossier, name) for name in self.needs):
            return ()
        return tuple(self.function(dossier, public=public))


@lru_cache(maxsize=1)
def every_chart() -> tuple[ChartEntry, ...]:
    """The charts there are, by order and name."""
    found = [read_chart(module) for module in _modules() if hasattr(module, "draw")]
    return tuple(sorted(found, key=lambda entry: (entry.order, entry.name)))


def charts_for_section(section: str, dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The charts that declare this section of the report."""
    return tuple(
        chart for entry in every_chart() if entry.section == section for chart in entry.draw(dossier, public=public)
    )


def read_chart(module: ModuleType) -> ChartEntry:
    """The chart that a module declares."""
    return ChartEntry(
        module.__name__.rpartition(".")[2],
        module.draw,
        getattr(module, "SECTION", ""),
        getattr(module, "ORDER", 0),
        tuple(getattr(module, "NEEDS", ())),
        bool(getattr(module, "PUBLIC", True)),
    )


def _modules() -> Iterator[ModuleType]:
    for info in pkgutil.iter_modules(charts.__path__):
        yield import_module(f"{charts.__name__}.{info.name}")
    for point in entry_points(group="sdckit.charts"):
        yield import_module(point.value)
