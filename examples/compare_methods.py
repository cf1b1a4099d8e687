"""Risk against loss for several methods and parameters: the lower both are, the better."""

import sdckit
from sdckit.datasets import simulate_business
from sdckit.methods import AdditiveNoise, Mdav, RankSwapping

firms = simulate_business(300, seed=1)
maskings = [
    *(AdditiveNoise(variance_share=share) for share in (0.01, 0.1, 0.5)),
    *(RankSwapping(window=window) for window in (0.02, 0.1, 0.3)),
    *(Mdav(group_size=size) for size in (3, 10, 30)),
]

print(f"{'':36}{'linkage':>9}{'method known':>14}{'IL1s':>8}")
for masking in maskings:
    release = sdckit.protect(firms, masking)
    result = sdckit.assess(release, ["distance-linkage", "intersection-attack", "il1s"], before=False)
    linkage, informed, loss = (score.value for score in result.values())
    print(f"{sdckit.Recipe.of(masking)!s:36.36}{linkage:9.1%}{informed:14.1%}{loss:8.3f}")
