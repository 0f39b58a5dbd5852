"""Sets the learning rate of each step, uses half precision on a GPU, and keeps the running average of weights that ships."""

import math

import torch


def rate_at(step, steps, settings):
    cosine = 0.5 * (1 + math.cos(math.pi * min(1.0, step / steps)))
    return min(1.0, (step + 1) / settings["warm_up"]) * (settings["last_rate"] + (1 - settings["last_rate"]) * cosine)


def follow(slow, module, averaging):
    with torch.no_grad():
        for old, new in zip(slow.parameters(), module.parameters()):
            old.mul_(averaging).add_(new, alpha=1 - averaging)


def half(device):
    """Computes matrix products in bfloat16 on a GPU."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
