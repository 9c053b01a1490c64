"""torch.cuda.random: the random numbers of the card. Loaded on first use."""

import _cuda
from warpup._generator import card_generator as _card


def __getattr__(name):
    if name == "default_generators":
        return (_card,) if _cuda.has_card() else ()
    raise AttributeError(f"module 'torch.cuda.random' has no attribute {name!r}")


def manual_seed(seed):
    _card.manual_seed(seed)


manual_seed_all = manual_seed


def get_rng_state(device="cuda"):
    _cuda.needs_card()
    return _card.get_state()


def get_rng_state_all():
    return [_card.get_state()] if _cuda.has_card() else []


def set_rng_state(new_state, device="cuda"):
    _card.set_state(new_state)


def set_rng_state_all(new_states):
    for it in new_states:
        _card.set_state(it)


def _get_rng_state_offset(device="cuda"):
    _cuda.needs_card()
    return _card.get_offset()


def _set_rng_state_offset(offset, device="cuda"):
    _card.set_offset(offset)


def seed():
    _cuda.needs_card()
    _card.seed()


seed_all = seed


def initial_seed():
    _cuda.needs_card()
    return _card.initial_seed()
