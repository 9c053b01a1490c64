# ruff: noqa: F821
lab.metric("shared", len(shared), "results")
lab.check(
    "At least one result shares and one is a copy",
    0 < len(shared) < len(results),
    "Keep at least `x[0:2]` and `x[[0, 1]]` in the dictionary.",
)
