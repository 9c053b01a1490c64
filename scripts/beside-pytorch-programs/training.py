"""The time of training steps, in milliseconds: the least mean of several short rounds."""
import torch
from time import perf_counter

nn = torch.nn
torch.manual_seed(0)


class Lstm(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 10)

    def forward(self, x):
        states, _ = self.lstm(x)
        return self.out(states[:, -1])


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(256, 128)
        layer = nn.TransformerEncoderLayer(
            128, 4, 512, dropout=0.0, batch_first=True, activation="gelu", norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(128, 256)

    def forward(self, x):
        return self.out(self.layers(self.embed(x))).view(-1, 256)


mlp = nn.Sequential(
    nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10)
)
cnn = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(32 * 7 * 7, 10),
)
normalized = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(), nn.Linear(32 * 7 * 7, 10),
)


def least(name, net, x, y, steps, rounds):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    loss_of = nn.CrossEntropyLoss()
    best = 1e9
    for _ in range(rounds):
        start = perf_counter()
        for _ in range(steps):
            optimizer.zero_grad()
            loss = loss_of(net(x), y)
            loss.backward()
            optimizer.step()
        best = min(best, (perf_counter() - start) / steps)
    print(name, best * 1e3)


least("mlp", mlp, torch.randn(128, 784), torch.randint(0, 10, (128,)), 5, 30)
least("cnn", cnn, torch.randn(64, 1, 28, 28), torch.randint(0, 10, (64,)), 1, 30)
least("cnn-bn", normalized, torch.randn(64, 1, 28, 28), torch.randint(0, 10, (64,)), 1, 30)
least("lstm", Lstm(32, 128), torch.randn(32, 28, 32), torch.randint(0, 10, (32,)), 1, 40)
least("lstm-64", Lstm(16, 64), torch.randn(100, 40, 16), torch.randint(0, 10, (100,)), 1, 40)
least("transformer", Transformer(), torch.randint(0, 256, (8, 64)), torch.randint(0, 256, (512,)), 1, 30)
