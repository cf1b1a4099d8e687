"""The screens: each module has its routes in `ROUTES`."""

from importlib import import_module
from pkgutil import iter_modules

from starlette.routing import BaseRoute


def every_route() -> list[BaseRoute]:
    """The routes of all modules of this folder."""
    modules = [import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__)]
    return [route for module in modules for route in module.ROUTES]
