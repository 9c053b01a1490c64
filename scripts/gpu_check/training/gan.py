"""A generator and its critic, each with convolutions, norms of batches and an optimizer of its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from common import measure, numbers, set_weights

ROWS = 128
NOISE = 64
WIDTH = 64
STEPS = 10

generator = nn.Sequential(
    nn.ConvTranspose2d(NOISE, 4 * WIDTH, 4, 1, 0, bias=False), nn.BatchNorm2d(4 * WIDTH), nn.ReLU(inplace=True),
    nn.ConvTranspose2d(4 * WIDTH, 2 * WIDTH, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * WIDTH), nn.ReLU(inplace=True),
    nn.ConvTranspose2d(2 * WIDTH, WIDTH, 4, 2, 1, bias=False), nn.BatchNorm2d(WIDTH), nn.ReLU(inplace=True),
    nn.ConvTranspose2d(WIDTH, 3, 4, 2, 1, bias=False), nn.Tanh(),
)  # fmt: skip
critic = nn.Sequential(
    nn.Conv2d(3, WIDTH, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(WIDTH, 2 * WIDTH, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * WIDTH), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(2 * WIDTH, 4 * WIDTH, 4, 2, 1, bias=False), nn.BatchNorm2d(4 * WIDTH), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(4 * WIDTH, 1, 4, 1, 0, bias=False), nn.Flatten(),
)  # fmt: skip
set_weights(generator, critic)
generator.to("cuda")
critic.to("cuda")
of_generator = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
of_critic = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
real, noise = numbers(ROWS, 3, 32, 32).to("cuda"), numbers(ROWS, NOISE, 1, 1).to("cuda")
ones, zeros = torch.ones(ROWS, 1, device="cuda"), torch.zeros(ROWS, 1, device="cuda")


def step():
    made = generator(noise)
    of_critic.zero_grad()
    told_real = F.binary_cross_entropy_with_logits(critic(real), ones)
    told_made = F.binary_cross_entropy_with_logits(critic(made.detach()), zeros)
    (told_real + told_made).backward()
    of_critic.step()
    of_generator.zero_grad()
    fooled = F.binary_cross_entropy_with_logits(critic(made), ones)
    fooled.backward()
    of_generator.step()
    return told_real + told_made + fooled.detach()


measure(step, STEPS)
