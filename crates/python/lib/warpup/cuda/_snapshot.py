"""What the caching allocator holds, and how much it may hold. Loaded on first use."""

import _cuda
import _host

_fraction = 1.0

# Where the first segment lies. Each begins at a multiple of this, so that no two have an address in common.
_APART = 1 << 43


def _block(address, offset, size, requested):
    return {
        "address": address + offset,
        "size": size,
        "requested_size": 0 if requested is None else requested,
        "state": "inactive" if requested is None else "active_allocated",
        "frames": [],
    }


def _segment(number, small, pool, is_expandable, size, parts):
    address = number * _APART
    blocks = [_block(address, *it) for it in parts]
    held = [it for it in blocks if it["state"] == "active_allocated"]
    allocated = sum(it["size"] for it in held)
    return {
        "device": 0,
        "address": address,
        "total_size": size,
        "allocated_size": allocated,
        "active_size": allocated,
        "requested_size": sum(it["requested_size"] for it in held),
        "stream": 0,
        "segment_type": "small" if small else "large",
        "segment_pool_id": (0, pool),
        "is_expandable": is_expandable,
        "frames": [],
        "blocks": blocks,
    }


def memory_snapshot(mempool_id=None, include_traces=True):
    """The segments of the caching allocator, with their blocks, of one pool or of all. Their addresses are made up."""
    segments = [_segment(number, *it) for number, it in enumerate(_cuda.snapshot(), 1)]
    return [it for it in segments if mempool_id in (None, it["segment_pool_id"])]


def set_per_process_memory_fraction(fraction, device=None):
    global _fraction
    _cuda.needs_card()
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    _cuda.set_memory_fraction(fraction)
    _fraction = fraction


def get_per_process_memory_fraction(device=None):
    _cuda.needs_card()
    return _fraction


def _record_memory_history(enabled="all", *args, **options):
    """Takes the call: the report of a run has its memory over time, without stacks."""
    if enabled:
        _host.note(
            "torch.cuda.memory._record_memory_history records nothing: snapshots have segments and blocks without their "
            "history. The lab screen shows memory over time, by purpose and line"
        )


def _snapshot(device=None, augment_with_fx_traces=False):
    return {"segments": memory_snapshot(), "device_traces": [[]], "allocator_settings": {}, "external_annotations": []}


def _dump_snapshot(filename="dump_snapshot.pickle", augment_with_fx_traces=False):
    from warpup import _standard

    _standard.load("pickle")
    import pickle

    with open(filename, "wb") as file:
        pickle.dump(_snapshot(), file)
