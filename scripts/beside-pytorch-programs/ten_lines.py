import torch
x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
w = torch.ones(4, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
y = x @ w + b
loss = (y ** 2).mean()
loss.backward()
print(loss.item())
print(w.grad)
print(b.grad)
