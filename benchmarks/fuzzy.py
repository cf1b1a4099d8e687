"""How fast the clusterings and integrals of sdckit.fuzzy are, beside other packages on the same data and rounds.

Where scikit-fuzzy and fuzzy-c-means are installed for another interpreter, name that in the variable FUZZY_PEERS. Times
are processor time, computing and system together; the share of the system is that of allocating tables of all records
and centres, which differs much between machines.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.c_means import c_means, memberships
from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.clusters import Clusters
from sdckit.fuzzy.constrained_c_means import constrained_c_means
from sdckit.fuzzy.entropy_c_means import entropy_c_means
from sdckit.fuzzy.exponential_possibilistic_c_means import exponential_possibilistic_c_means
from sdckit.fuzzy.fuzzy_possibilistic_c_means import FuzzyPossibilisticRule, fuzzy_possibilistic_c_means
from sdckit.fuzzy.linear_constraints import LinearConstraints
from sdckit.fuzzy.measures import lambda_measure
from sdckit.fuzzy.noise_clustering import noise_clustering
from sdckit.fuzzy.possibilistic_c_means import PossibilisticRule, possibilistic_c_means
from sdckit.fuzzy.possibilistic_fuzzy_c_means import possibilistic_fuzzy_c_means

RECORDS, CENTRES, ATTRIBUTES, ROUNDS = 10_000, 2_000, 10, 3
FUZZINESS = (1.2, 2.0)
PEERS = {
    "scikit-fuzzy": """
import os, sys
import numpy as np, skfuzzy
points, degrees = np.load(sys.argv[1]), np.load(sys.argv[2])
start = os.times()
centres = skfuzzy.cmeans(points.T, len(degrees), float(sys.argv[3]), error=0, maxiter=int(sys.argv[4]), init=degrees)[0]
print(os.times().user - start.user, os.times().system - start.system)
np.save(sys.argv[5], centres)
""",
    "fuzzy-c-means": """
import os, sys
import numpy as np, fcmeans
points, degrees = np.load(sys.argv[1]), np.load(sys.argv[2])
fcmeans.FCM._init_u = lambda self, X: setattr(self, "u", degrees.T)
model = fcmeans.FCM(n_clusters=len(degrees), m=float(sys.argv[3]), max_iter=int(sys.argv[4]), error=1e-9)
start = os.times()
model.fit(points)
print(os.times().user - start.user, os.times().system - start.system)
np.save(sys.argv[5], model.centers)
""",
}
PEERS_OF_OTHERS = {
    "possibilistic c-means": """
import os, sys
import numpy as np
from fcmeans.pcm import PCM
points, degrees = np.load(sys.argv[1]), np.load(sys.argv[2])
def start_from(self, X):
    self.u, self.eta = degrees.T, np.ones(len(degrees))
PCM._init_u = start_from
model = PCM(n_clusters=len(degrees), m=float(sys.argv[3]), max_iter=int(sys.argv[4]), error=1e-9)
start = os.times()
model.fit(points)
print(os.times().user - start.user, os.times().system - start.system)
np.save(sys.argv[5], model.centers)
""",
    "fuzzy possibilistic": """
import os, sys
import numpy as np
from fcmeans.fpcm import FPCM
points, degrees = np.load(sys.argv[1]), np.load(sys.argv[2])
def start_from(self, X):
    self.u, self.t = degrees.T, np.load(sys.argv[6])
FPCM._init_u = start_from
m = float(sys.argv[3])
model = FPCM(n_clusters=len(degrees), m=m, eta=m, max_iter=int(sys.argv[4]), error=1e-9)
start = os.times()
model.fit(points)
print(os.times().user - start.user, os.times().system - start.system)
np.save(sys.argv[5], model.centers)
""",
}


def seconds(task: Callable[[], object], repeats: int = 3) -> float:
    """The least processor time of a few runs, over all cores."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


class Peer(NamedTuple):
    """What another package took, computing and system, and the centres that it found."""

    computing: float
    system: float
    centres: NDArray[np.float64]

    @property
    def whole(self) -> float:
        """Computing and system together."""
        return self.computing + self.system

    def beside(self, ours: float, centres: NDArray[np.float64]) -> str:
        """The comparison with our time and centres, in words."""
        gap = float(np.abs(self.centres - centres).max())
        times = f"{self.whole / ours:.0f} times ours, {self.computing / ours:.1f} computing"
        return f"{self.whole / ROUNDS:.3f} s a round, {times}; centres differ by {gap:.0e}"


def peer(
    script: str, points: NDArray[np.float64], fuzziness: float, degrees: Sequence[NDArray[np.float64]]
) -> Peer | None:
    """Another package from these degrees, records by rows; None where it is not installed."""
    python = os.environ.get("FUZZY_PEERS", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("points.npy", "degrees.npy", "centres.npy", "typicalities.npy")]
        np.save(files[0], points)
        np.save(files[1], np.ascontiguousarray(degrees[0].T))
        for more in degrees[1:]:
            np.save(files[3], more)
        arguments = [str(files[0]), str(files[1]), str(fuzziness), str(ROUNDS), str(files[2]), str(files[3])]
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        run = subprocess.run(
            [python, "-c", script, *arguments], capture_output=True, text=True, check=False, env=environment
        )
        if run.returncode != 0:
            return None
        computing, system = map(float, run.stdout.split())
        return Peer(computing, system, np.load(files[2]))


def bench_c_means(points: NDArray[np.float64], start: NDArray[np.float64]) -> dict[float, tuple[str, Peer]]:
    """Prints the comparison with other packages; returns the faster one for each fuzziness, if any is installed."""
    fastest: dict[float, tuple[str, Peer]] = {}
    for fuzziness in FUZZINESS:
        found = c_means(points, start, fuzziness, tolerance=0, max_rounds=ROUNDS)
        ours = seconds(lambda fuzziness=fuzziness: c_means(points, start, fuzziness, tolerance=0, max_rounds=ROUNDS))
        size = f"{RECORDS} x {ATTRIBUTES}, {CENTRES} centres"
        print(f"fuzzy c-means, {size}, m = {fuzziness:g}: {ours / ROUNDS:.3f} s a round")
        for name, script in PEERS.items():
            theirs = peer(script, points, fuzziness, [memberships(points, start, fuzziness)])
            if theirs is None:
                print(f"  {name} is not installed")
                continue
            if fuzziness not in fastest or theirs.whole < fastest[fuzziness][1].whole:
                fastest[fuzziness] = name, theirs
            print(f"  {name}: {theirs.beside(ours, found.centres)}")
    return fastest


def own_peer(name: str, points: NDArray[np.float64], start: NDArray[np.float64], m: float) -> Peer | None:
    """The same clustering of fuzzy-c-means, which starts from the degrees of these centres."""
    if name not in PEERS_OF_OTHERS:
        return None
    if name == "possibilistic c-means":
        degrees = [PossibilisticRule(m, np.ones(len(start))).memberships(points, start)]
    else:
        degrees = [memberships(points, start, m), FuzzyPossibilisticRule(m, m).typicalities(points, start)]
    return peer(PEERS_OF_OTHERS[name], points, m, degrees)


def bench_others(
    points: NDArray[np.float64], start: NDArray[np.float64], fastest: dict[float, tuple[str, Peer]]
) -> None:
    """Prints each clustering beside fuzzy c-means, ours and that of the faster package, and beside its own peer."""
    more = {"tolerance": 0.0, "max_rounds": ROUNDS}
    widths = np.ones(len(start))
    for m in FUZZINESS:
        plain = seconds(lambda m=m: c_means(points, start, m, **more))
        tasks: dict[str, Callable[[], Clusters]] = {
            "noise clustering": lambda m=m: noise_clustering(points, start, m, 2.0, **more),
            "possibilistic c-means": lambda m=m: possibilistic_c_means(points, start, m, widths, **more),
            "fuzzy possibilistic": lambda m=m: fuzzy_possibilistic_c_means(points, start, m, m, **more),
            "possibilistic-fuzzy": lambda m=m: possibilistic_fuzzy_c_means(points, start, m, m, widths, **more),
            "constrained, equality": lambda m=m: constrained_c_means(points, start, m, edits(), **more),
            "constrained, both": lambda m=m: constrained_c_means(points, start, m, edits(bounds=True), **more),
        }
        if m == 2:
            tasks["entropy-regularised"] = lambda: entropy_c_means(points, start, 2.0, **more)
            tasks["exponential possibilistic"] = lambda: exponential_possibilistic_c_means(
                points, start, widths=widths, **more
            )
        for name, task in tasks.items():
            found = task()
            took = seconds(task, 2)
            line = f"{took / ROUNDS:.3f} s a round, {took / plain:.1f} times fuzzy c-means"
            if m in fastest:
                other, theirs = fastest[m]
                line += f"; fuzzy c-means of {other} takes {theirs.whole / took:.0f} times as long"
            print(f"  {name}, m = {m:g}: {line}")
            same = own_peer(name, points, start, m)
            if same is not None:
                print(f"    the same of fuzzy-c-means: {same.beside(took, found.centres)}")


def edits(bounds: bool = False) -> LinearConstraints:
    """The first two attributes add up to the third; with bounds, the first two are at most ½ and a sum is limited."""
    row = np.zeros((1, ATTRIBUTES))
    row[0, :3] = 1, 1, -1
    if not bounds:
        return LinearConstraints(equal=row, values=np.zeros(1))
    limits = np.zeros((3, ATTRIBUTES))
    limits[0, 0] = limits[1, 1] = 1
    limits[2, 3:6] = 1
    return LinearConstraints(row, np.zeros(1), limits, np.array([0.5, 0.5, 1.0]))


def bench_memory() -> None:
    points = np.random.default_rng(1).standard_normal((100_000, ATTRIBUTES))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    took = seconds(lambda: c_means(points, points[:CENTRES], 1.2, max_rounds=1), 1)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    whole = len(points) * CENTRES * 8 / 1024**3
    print(
        f"a round on 100000 records: {took:.1f} s, peak {before:.2f} to {after:.2f} GB; all memberships are "
        f"{whole:.1f} GB"
    )


def bench_choquet() -> None:
    values, weights = np.random.default_rng(2).random((1_000_000, 6)), np.full(6, 0.3)
    measure = lambda_measure(weights)
    choquet_integral(values[:10], measure)
    mean, integral = seconds(lambda: values @ (weights / 1.8), 7), seconds(lambda: choquet_integral(values, measure), 7)
    print(f"Choquet integral, 1000000 x 6: {integral:.3f} s, {integral / mean:.0f} times a weighted mean")


def main() -> None:
    points = np.random.default_rng(0).standard_normal((RECORDS, ATTRIBUTES))
    start = points[:CENTRES] + 0.01
    bench_memory()
    bench_others(points, start, bench_c_means(points, start))
    bench_choquet()


if __name__ == "__main__":
    main()
