"""torch.distributed: a run is one process, so no process group can be made. Its questions have PyTorch's answers for
a program that was not started by `torchrun`.
"""

from warpup import _names


def is_available():
    return True


def is_initialized():
    return False


def is_torchelastic_launched():
    return False


def is_nccl_available():
    return False


def is_gloo_available():
    return False


def is_mpi_available():
    return False


def init_process_group(backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, **options):
    raise NotImplementedError(
        "init_process_group is not part of warpup, where a run is one process with one card; PyTorch has it. "
        "Guard it with `if int(os.environ.get('WORLD_SIZE', 1)) > 1`, as programs for torchrun do"
    )


def _needs_group(*args, **kwargs):
    raise ValueError(
        "Default process group has not been initialized, please make sure to call init_process_group."
    )


def destroy_process_group(group=None):
    if group is None:
        raise AssertionError("Process group cannot be None")
    _needs_group()


def get_rank(group=None):
    _needs_group()


def get_world_size(group=None):
    _needs_group()


def get_backend(group=None):
    _needs_group()


def barrier(group=None, async_op=False, device_ids=None):
    _needs_group()


all_reduce = all_gather = all_gather_into_tensor = broadcast = reduce = reduce_scatter = gather = scatter = _needs_group
all_to_all = send = recv = isend = irecv = new_group = all_gather_object = broadcast_object_list = _needs_group

__getattr__ = _names.getter("torch.distributed", globals(), {"warpup._reduce_op": "ReduceOp"})
