import torch

x = torch.arange(12.0).reshape(3, 4)

results = {
    "x[0:2]": x[0:2],
    "x[[0, 1]]": x[[0, 1]],
    "x[:, ::2]": x[:, ::2],
    "x.t()": x.t(),
    "x.reshape(12)": x.reshape(12),
    "x.t().reshape(12)": x.t().reshape(12),
    "x.contiguous()": x.contiguous(),
}

shared = []
for name, result in results.items():
    same = result.data_ptr() == x.data_ptr()
    word = "shares" if same else "copy  "
    print(f"{name:18}", word, tuple(result.stride()))
    if same:
        shared.append(name)
