"""torch._logging: the logs of PyTorch's compiler, which warpup does not write."""

import _host
from warpup import _names


def set_logs(**options):
    """Takes the call."""
    if any(options.values()):
        _host.note(
            "torch._logging.set_logs writes no logs: they are those of PyTorch's compiler. The notes name the lines that "
            "break a graph, and the timeline has the kernels"
        )


def getArtifactLogger(module_qname, artifact_name):
    from warpup import _standard

    _standard.load("logging")
    import logging

    return logging.getLogger(f"{module_qname}.__{artifact_name}")


def warning_once(logger_obj, *args, **kwargs):
    logger_obj.warning(*args, **kwargs)


__getattr__ = _names.getter("torch._logging", globals())
