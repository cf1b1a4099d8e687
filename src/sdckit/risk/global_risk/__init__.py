"""Global disclosure risk: one figure for a whole release, after Truta, Fotouhi and Barth-Jones.

Two things protect a record: sharing its keys with others, in the original or in the release, and values that were
moved. The first is counted in a classification matrix: how many records are in a cluster of size i in the release and
of size j in the original. The second is a factor for each key: inversions for ordered ones, changes for unordered ones,
and changes weighted by the tree for partially ordered ones. An intruder leaves out keys that mislead more
than they help, so the risk is the largest over all subsets of the keys.
"""
