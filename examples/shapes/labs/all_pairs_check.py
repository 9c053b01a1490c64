# ruff: noqa: F821
lab.metric("largest_mb", max(t.nbytes for t in (a, b, differences, distances)) / 1e6, "MB")
lab.check(
    "Each point has a distance to each",
    distances.shape == (500, 500),
    "Leave `points` with 500 rows.",
)
