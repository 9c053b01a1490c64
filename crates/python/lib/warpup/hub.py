"""torch.hub: programs import it for weights of others, which a run without a network cannot have."""

from warpup import _names


def _needs_network(function):
    def refused(*args, **kwargs):
        raise NotImplementedError(
            f"{function} is not part of warpup, where a run has no network; PyTorch has it. Make the model without "
            "weights of others, as with pretrained=False"
        )

    refused.__name__ = refused.__qualname__ = function
    return refused


load_state_dict_from_url = _needs_network("load_state_dict_from_url")
download_url_to_file = _needs_network("download_url_to_file")
load = _needs_network("load")

__getattr__ = _names.getter("torch.hub", globals())
