"""How fast the syntheses are, beside SDV's Gaussian copula and trees of scikit-learn, and how much memory they need.

The peers run on one thread, where they take the least processor time: threads that wait for each other count. The
syntheses run on one thread and again on as many as the machine has.
Where SDV is installed for another interpreter, name that in the variable SYNTHESIS_PEERS.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from sdckit.catalogue import build
from sdckit.draws import Draws
from sdckit.microdata import Attribute, Kind, Microdata, Role

SIZES = ((10_000, 10), (100_000, 20))
LARGE = (1_000_000, 10)
BY_REGRESSION = ("ipso-a", "ipso-b", "ipso-c", "romm", "sufficiency-hybrid", "fitted-values")
WHOLE = ("gaussian-copula", "sequential-trees")
CLUSTERED = "microhybrid"  # beside mdav with the same group size: clusters like it, and a regression in each
GROUP_SIZE = 25
LEAF_SIZE = 5
SDV = """
import sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd
from sdv.metadata import Metadata
from sdv.single_table import GaussianCopulaSynthesizer
values = np.load(sys.argv[1])
frame = pd.DataFrame(values, columns=[f"v{index}" for index in range(values.shape[1])])
metadata = Metadata.load_from_dict(
    {"tables": {"table": {"columns": {name: {"sdtype": "numerical"} for name in frame.columns}}}}
)
start = time.process_time()
synthesizer = GaussianCopulaSynthesizer(metadata)
synthesizer.fit({"table": frame})
synthesizer.sample(len(frame))
print("seconds", time.process_time() - start)
"""


def values_of(records: int, attributes: int) -> NDArray[np.float64]:
    """Correlated numbers, half of them skewed."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((records, attributes)) @ rng.standard_normal((attributes, attributes))
    values[:, ::2] = np.exp(values[:, ::2] / np.sqrt(attributes))
    return values


def file_of(values: NDArray[np.float64]) -> Microdata:
    """The numbers as a file in which every one is a key."""
    columns = {f"v{index}": column for index, column in enumerate(values.T)}
    return Microdata(tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in columns), columns)


def seconds(method: str, data: Microdata, repeats: int = 3) -> float:
    """The least processor time of a few syntheses; by regression the second half is replaced given the first."""
    parameters = {"sequential-trees": {"leaf_size": LEAF_SIZE}, "mdav": {"group_size": GROUP_SIZE}}
    masking = build("masking", method, **parameters.get(method, {}))
    names = [each.name for each in data.attributes]
    replaced = names[len(names) // 2 :] if method in (*BY_REGRESSION, CLUSTERED, "mdav") else names
    times = []
    for _ in range(repeats):
        start = time.process_time()
        masking.protect(data, replaced, draws=Draws.of(1))
        times.append(time.process_time() - start)
    return min(times)


def trees_of_scikit_learn(values: NDArray[np.float64]) -> float:
    """The processor time of a plain synthesis: a tree of each attribute on those before it, a donor of each leaf."""
    from sklearn.tree import DecisionTreeRegressor

    rng = np.random.default_rng(1)
    start = time.process_time()
    made = np.empty_like(values)
    made[:, 0] = rng.choice(values[:, 0], len(values))
    for index in range(1, values.shape[1]):
        tree = DecisionTreeRegressor(min_samples_leaf=LEAF_SIZE).fit(values[:, :index], values[:, index])
        leaf, wanted = tree.apply(values[:, :index]), tree.apply(made[:, :index])
        order = np.argsort(leaf, kind="stable")
        first, size = np.searchsorted(leaf[order], wanted), np.bincount(leaf, minlength=wanted.max() + 1)[wanted]
        made[:, index] = values[order[first + (rng.random(len(values)) * size).astype(np.int64)], index]
    return time.process_time() - start


def copula_of_sdv(values: NDArray[np.float64]) -> float | None:
    """The processor time of SDV's Gaussian copula, fitted and sampled; None where it is not installed."""
    python = os.environ.get("SYNTHESIS_PEERS", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "values.npy")
        np.save(path, values)
        one = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        done = subprocess.run([python, "-c", SDV, str(path)], capture_output=True, text=True, check=False, env=one)
    lines = [line for line in done.stdout.splitlines() if line.startswith("seconds ")]
    return float(lines[0].split()[1]) if lines else None


def main() -> None:
    small = file_of(values_of(500, 4))
    for method in (*BY_REGRESSION, *WHOLE, CLUSTERED, "mdav"):
        seconds(method, small, 1)  # compiles
    for records, attributes in SIZES:
        values = values_of(records, attributes)
        data = file_of(values)
        sdv, trees = copula_of_sdv(values), trees_of_scikit_learn(values)
        print(f"{records:,} × {attributes}: trees of scikit-learn {trees:.2f} s", end="")
        print(f", copula of SDV {sdv:.2f} s" if sdv is not None else "; SDV is not installed")
        for method in (*BY_REGRESSION, *WHOLE):
            peer = trees if method == "sequential-trees" else sdv
            took = {"one thread": seconds(method, data)}
            with threadpool_limits(os.cpu_count()):
                took[f"{os.cpu_count()} threads"] = seconds(method, data)
            for threads, each in took.items():
                faster = f"{peer / each:7.1f} times as fast" if peer is not None else ""
                print(f"  {method:20} {threads:10} {each:8.3f} s {faster}", flush=True)
        clustered, clusters = seconds(CLUSTERED, data, 1), seconds("mdav", data, 1)
        print(
            f"  {CLUSTERED:20} one thread {clustered:8.3f} s, {clustered / clusters:.2f} times the time of mdav", end=""
        )
        print(f", {sdv / clustered:.1f} times as fast as SDV" if sdv is not None else "", flush=True)
    data = file_of(values_of(*LARGE))
    for method in ("ipso-c", *WHOLE):
        memory_run = seconds(method, data, 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(f"{LARGE[0]:,} × {LARGE[1]}: {method:20} {memory_run:8.2f} s, {peak:.2f} GB at most so far", flush=True)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
