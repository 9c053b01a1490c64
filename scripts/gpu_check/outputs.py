"""Whether a program prints what PyTorch prints: the PyTorch of this card, or the outputs of the version that warpup follows. Pure."""

import re

from .report import FAILED, OTHER_VERSION, PASSED, first_difference

# How newer and older versions say the same, and what differs between any two runs.
ALIKE = (
    (re.compile(r"\b(?:add)?mm: mat1"), "mat1"),
    (re.compile(r"\b\d+(?:\.\d+)? (ms|us|µs|s|GB/s|TFLOP/s)\b"), r"N \1"),
    (re.compile(r"^(?:Compile with `TORCH_USE_CUDA_DSA`|For debugging consider passing CUDA_LAUNCH_BLOCKING|An index or a label was out of range in a kernel).*\n?", re.MULTILINE), ""),
)
# What an older version says of a name or an argument that it does not have.
UNKNOWN_NAME = re.compile(r"has no attribute|cannot import name|unexpected keyword argument|No module named")


def alike(text):
    """The output without what may differ between versions and runs.

    >>> alike("mm: mat1 and mat2: asked in 6.52 ms\\n")
    'mat1 and mat2: asked in N ms\\n'
    """
    for pattern, said in ALIKE:
        text = pattern.sub(said, text)
    return text


def without_places(text):
    """The output without device names, as on the CPU. Line breaks may still differ.

    >>> without_places("tensor([1.], device='cuda:0', requires_grad=True)")
    'tensor([1.], requires_grad=True)'
    >>> without_places("tensor([1.],\\n       device='cuda:0') torch.cuda.FloatTensor cuda:0")
    'tensor([1.]) torch.FloatTensor cpu'
    """
    text = re.sub(r",\s+device='cuda:0'", "", text)
    return text.replace("torch.cuda.", "torch.").replace("cuda:0", "cpu")


def same_as_stored(stored, ours):
    """Whether warpup on a card prints the stored output, which PyTorch printed on the CPU.

    >>> same_as_stored("tensor([1.])\\n", "tensor([1.], device='cuda:0')\\n"), same_as_stored(None, "")
    (True, False)
    """
    return stored is not None and alike(without_places(stored)) == alike(without_places(ours))


def release(version):
    """The two numbers that name a release.

    >>> release("2.11.0+cu130"), release("PyTorch 2.15.0+cu132"), release("")
    ('2.11', '2.15', '')
    """
    found = re.search(r"\d+\.\d+", version)
    return found[0] if found else ""


def judged(ours, theirs, stored, here, followed):
    """The state of an output beside PyTorch's on this card, whose version is `here`, and why; `followed` made the stored one.

    >>> of = {"output": "a\\n1\\n", "raised": None}
    >>> judged("a\\n1\\n", of, None, "2.11.0", "2.15.0")
    ('passed', 'prints what PyTorch prints')
    >>> judged("a\\n2\\n", of, "a\\n2\\nb\\n", "2.11.0", "2.15.0")
    ('other version', "PyTorch 2.11 here prints something else, PyTorch 2.15 the same line: line 2: '1' against '2'")
    >>> judged("a\\n2\\n", of, "a\\n2\\nb\\n", "2.15.1", "2.15.0")
    ('failed', "PyTorch prints something else: line 2: '1' against '2'")
    >>> new = {"output": "a\\n", "raised": {"kind": "AttributeError", "message": "'torch' has no attribute 'new'"}}
    >>> judged("a\\n2\\n", new, None, "2.11.0", "2.15.0")
    ('other version', "PyTorch 2.11 here does not know it: 'torch' has no attribute 'new'")
    """
    raised = theirs["raised"]
    printed = theirs["output"] + (f"raised {raised['kind']}\n" if raised else "")
    difference = first_difference(alike(printed), alike(ours))
    if difference is None:
        return PASSED, "prints what PyTorch prints"
    if release(here) != release(followed):
        if raised and UNKNOWN_NAME.search(raised["message"]) and ours.startswith(theirs["output"]):
            return OTHER_VERSION, f"PyTorch {release(here)} here does not know it: {raised['message'][:160]}"
        if stored is not None and all(line_is_known(it, printed, stored) for it in alike(without_places(ours)).splitlines()):
            return OTHER_VERSION, f"PyTorch {release(here)} here prints something else, PyTorch {release(followed)} the same line: {difference}"
    return FAILED, f"PyTorch prints something else: {difference}"


def line_is_known(line, *printed):
    """Whether one of both versions prints this line."""
    return any(line in alike(without_places(it)).splitlines() for it in printed)
