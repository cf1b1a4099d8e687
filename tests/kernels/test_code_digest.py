"""Machine code that was kept is used only where nothing has changed that the kernel is compiled from."""

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import sdckit
from sdckit.kernels.code_digest import LOOKED_UP_IN_MODULES, code_digest, used_by
from sdckit.kernels.compiled import Kernel, compilations, njit

CALLER = """
from sdckit.kernels.compiled import njit
from middle import through

@njit(cache=True)
def called(value):
    return through(value)
"""
MIDDLE = """
import inner
from sdckit.kernels.compiled import njit

@njit(cache=True)
def through(value):
    return inner.changed(value)
"""
INNER = """
from constants import ADDED
from sdckit.kernels.compiled import njit

@njit(cache=True)
def changed(value):
    return {factor} * value + ADDED
"""
SHOW = (
    "from caller import called; print(called(10), sum(called.dispatcher.stats.cache_hits.values()), called.dispatcher)"
)


def packed(folder: Path, factor: int = 2, added: int = 1) -> None:
    """A caller and, in files of their own, the kernel that it calls, one that this calls, and a constant."""
    files = {"caller": CALLER, "middle": MIDDLE, "inner": INNER.format(factor=factor), "constants": f"ADDED = {added}"}
    for name, text in files.items():
        path = folder / f"{name}.py"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def shown(folder: Path, **environment: str) -> tuple[int, int]:
    """The value that the caller returns for 10 in a new process, and how much machine code was found."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(Path(sdckit.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}
        | environment,
    )
    assert done.returncode == 0, done.stderr
    value, hits, _ = done.stdout.split(maxsplit=2)
    return int(value), int(hits)


@pytest.mark.slow
def test_a_kernel_follows_a_change_in_the_file_of_a_kernel_that_it_calls(tmp_path: Path) -> None:
    """Numba alone would show the former value: the caller's own file is as it was."""
    packed(tmp_path)
    assert shown(tmp_path) == (21, 0)
    assert shown(tmp_path) == (21, 1), "code that nothing changed is found again"
    packed(tmp_path, factor=3)
    assert shown(tmp_path) == (31, 0)


@pytest.mark.slow
def test_a_kernel_follows_a_change_of_a_constant_in_another_file(tmp_path: Path) -> None:
    packed(tmp_path)
    assert shown(tmp_path) == (21, 0)
    packed(tmp_path, added=5)
    assert shown(tmp_path) == (25, 0)
    assert shown(tmp_path) == (25, 1)


@pytest.mark.slow
def test_a_kernel_runs_from_a_package_and_a_home_that_are_read_only(tmp_path: Path) -> None:
    """Each folder in which the code could be kept is a file here."""
    packed(tmp_path)
    file = tmp_path / "no-folder"
    file.touch()
    (tmp_path / "__pycache__").touch()
    nowhere = {"NUMBA_CACHE_DIR": str(file / "own"), "HOME": str(file), "XDG_CACHE_HOME": str(file)}
    assert shown(tmp_path, **nowhere) == (21, 0)
    assert shown(tmp_path, **nowhere) == (21, 0)


def test_a_kernel_runs_where_its_machine_code_can_be_kept_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core.caching import CacheImpl, NullCache

    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    before, three = compilations.lost, njit(cache=True)(one_more)
    assert three(2) == 3
    assert isinstance(three.dispatcher._cache, NullCache)
    assert compilations.lost == before + 1


def cache_file(folder: Path, stamp: str) -> Any:
    from sdckit.kernels.compiler import _CacheFile

    return _CacheFile(str(folder), "kernel", stamp)


def test_code_is_found_again_by_its_stamp_and_key(tmp_path: Path) -> None:
    cache_file(tmp_path, "new").save("key", "code")
    assert cache_file(tmp_path, "new").load("key") == "code"
    assert cache_file(tmp_path, "new").load("other key") is None
    assert cache_file(tmp_path, "newer").load("key") is None


@pytest.mark.parametrize(("stamp", "key"), [("former", "key"), ("new", "other key")])
def test_other_code_under_an_index_is_not_used(tmp_path: Path, stamp: str, key: str) -> None:
    """The index is written first: a process that is killed then, or that another overtakes, leaves other code there."""
    cache_file(tmp_path, stamp).save(key, "other code")
    (path,) = tmp_path.glob("*.nbc")
    other = path.read_bytes()
    for each in tmp_path.iterdir():
        each.unlink()
    cache_file(tmp_path, "new").save("key", "code")
    path.write_bytes(other)
    assert cache_file(tmp_path, "new").load("key") is None


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 0.5])
def test_a_damaged_file_of_the_cache_is_made_anew(tmp_path: Path, kind: str, left: float) -> None:
    cache_file(tmp_path, "new").save("key", "code")
    (path,) = tmp_path.glob(f"*.{kind}")
    path.write_bytes(path.read_bytes()[: int(left * path.stat().st_size)])
    assert cache_file(tmp_path, "new").load("key") is None
    cache_file(tmp_path, "new").save("key", "code")
    assert cache_file(tmp_path, "new").load("key") == "code"


def test_a_full_disk_does_not_stop_a_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from numba.core.caching import IndexDataCacheFile

    from sdckit.kernels.compiler import _Cache

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_index", full)
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))

    @njit(cache=True)
    def three(value: int) -> int:
        return 3 * value

    before = compilations.lost
    assert three(2) == 6
    assert compilations.lost == before + 1
    assert isinstance(three.dispatcher._cache, _Cache)


def one_more(value: int) -> int:
    return value + 1


def with_globals(function: Any, **values: object) -> Kernel:
    """A kernel of the function with other values of global names."""
    return Kernel(FunctionType(function.__code__, function.__globals__ | values, function.__name__), {})


class Point(NamedTuple):
    x: float
    y: float


def uses_a_value() -> Any:
    return VALUE  # noqa: F821


def uses_an_attribute() -> Any:
    return np.VALUE  # type: ignore[attr-defined]


class Turned(NamedTuple):
    y: float
    x: float


Turned.__qualname__ = Point.__qualname__


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (1, 1.0),
        (0.0, -0.0),
        ((1, 2), (2, 1)),
        (np.uint64(1), np.int64(1)),
        (np.array([1, 2]), np.array([1, 3])),
        ("a", b"a"),
        (np, sys),
        (Point, Turned),
        (njit()(one_more), njit(fastmath=True)(one_more)),
    ],
)
def test_another_value_of_a_global_name_is_another_digest(one: object, other: object) -> None:
    assert code_digest(with_globals(uses_a_value, VALUE=one)) != code_digest(with_globals(uses_a_value, VALUE=other))
    assert code_digest(with_globals(uses_a_value, VALUE=one)) == code_digest(with_globals(uses_a_value, VALUE=one))


@pytest.mark.parametrize("values", [(1, 2), (njit()(one_more), njit()(uses_a_value))])
def test_another_value_in_a_module_is_another_digest(values: tuple[object, object]) -> None:
    modules = [ModuleType("constants") for _ in values]
    for module, value in zip(modules, values, strict=True):
        module.VALUE = value  # type: ignore[attr-defined]
    one, other = (code_digest(with_globals(uses_an_attribute, np=module)) for module in modules)
    assert one != other


def test_kernels_that_call_each_other_have_a_digest() -> None:
    first, second = with_globals(uses_a_value), with_globals(uses_a_value)
    first.py_func.__globals__["VALUE"], second.py_func.__globals__["VALUE"] = second, first
    assert len(code_digest(first)) == 64


def test_the_digest_is_the_same_in_every_process() -> None:
    """Also where sets have another order, as options of the compiler are sets."""
    code = (
        "from sdckit.kernels.code_digest import code_digest as d; from sdckit.kernels.mdav import _mdav\n"
        "from sdckit.kernels.compiled import njit\n"
        "print(d(_mdav), d(njit(fastmath={'nnan', 'nsz', 'arcp'})(lambda x: x in {'a', 'b', 'c'})))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1


def kernels_of_the_package() -> Iterator[Kernel]:
    for part in ("kernels", "fuzzy", "linear_distances", "matching"):
        package = importlib.import_module(f"sdckit.{part}")
        for found in pkgutil.walk_packages(package.__path__, f"sdckit.{part}."):
            module = importlib.import_module(found.name)
            yield from (each for each in vars(module).values() if isinstance(each, Kernel))


def test_the_digest_sees_all_that_the_kernels_of_the_package_use() -> None:
    """A value of another kind would have the name of its class in the digest, and not its content."""
    seen = (*LOOKED_UP_IN_MODULES, tuple, np.generic, np.ndarray, ModuleType, CodeType)
    opaque = {
        f"{kernel.__module__}.{kernel.__qualname__}: {value!r}"
        for kernel in kernels_of_the_package()
        for value in used_by(kernel.py_func)
        if not isinstance(value, seen)
        and not isinstance(value, BuiltinFunctionType)  # of the standard library
        and not isinstance(value, np.ufunc)
        and not hasattr(value, "_fields")
        and getattr(value, "__module__", "").split(".")[0] == "sdckit"
    }
    assert opaque == set()
