"""Risk against loss for several methods and parameters: the lower of both, the better."""

import sdckit
from sdckit.datasets import simulate_business

firms = simulate_business(500, seed=1)

print(f"{'':36}{'linkage':>9}{'knowing how':>13}{'IL1':>8}")
for name in ("additive-noise", "rank-swapping", "mdav"):
    entry = sdckit.find("masking", name)
    parameter = entry.parameters[0]
    for value in parameter.grid:
        release = sdckit.protect(firms, entry.build(**{parameter.name: value}), seed=1)
        result = sdckit.assess(release, measures=["distance-linkage", "intersection-attack", "il1"], before=False)
        linkage, informed, moved = (score.value for score in result.values())
        print(f"{f'{name}, {parameter.name} = {value}':36}{linkage:9.1%}{informed:13.1%}{moved:8.3f}")
