"""What must hold of a kernel and of what is done without it for few records."""

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest


def both_ways(*modules: ModuleType) -> Callable[..., Iterator[None]]:
    """A fixture by which every test of a file runs with the kernels of these modules and without them."""

    @pytest.fixture(autouse=True, scope="module", params=[False, True], ids=["kernel", "numpy"])
    def way(request: pytest.FixtureRequest) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            for module in modules:
                patch.setattr(module, "spared", lambda *_: request.param)
            yield

    return way
