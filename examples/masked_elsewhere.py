"""Attack a file that another program masked: row i of the masked frame belongs to record i of the original."""

import polars

import sdckit

original = polars.DataFrame({"age": [31, 44, 52, 29, 47, 63], "income": [2100, 3900, 4800, 1900, 4100, 5200]})
masked = original.select(polars.col("age") // 20 * 20 + 10, polars.col("income") // 2000 * 2000 + 1000)

result = sdckit.assess(sdckit.Release.in_order(original, masked), "distance-linkage")
for record, probability in enumerate(result["distance-linkage"].by_record):
    print(f"record {record} is re-identified with probability {probability:.0%}")
