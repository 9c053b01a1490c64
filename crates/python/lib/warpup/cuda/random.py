"""torch.cuda.random: the state of the random numbers, which are those of the CPU. Loaded on first use."""

import _cuda
from warpup import _generator
from warpup.cuda import manual_seed, manual_seed_all


def get_rng_state(device="cuda"):
    _cuda.needs_card()
    return _generator.get_rng_state()


def get_rng_state_all():
    return [_generator.get_rng_state()] if _cuda.has_card() else []


def set_rng_state(new_state, device="cuda"):
    _generator.set_rng_state(new_state)


def set_rng_state_all(new_states):
    for it in new_states:
        _generator.set_rng_state(it)


def seed():
    _generator.seed()


seed_all = seed


def initial_seed():
    _cuda.needs_card()
    return _generator.initial_seed()
