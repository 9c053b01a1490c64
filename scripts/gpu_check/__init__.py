"""The parts of scripts/gpu-check. `report` is pure; the other modules start processes."""
