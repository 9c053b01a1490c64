"""The parts of scripts/gpu-check. `report` is pure; everything else talks to processes."""
