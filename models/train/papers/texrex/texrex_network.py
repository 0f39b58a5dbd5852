"""Trains texrex's perceptron (Schäfer 2016) like FANN: Gaussian symmetric hidden units, RPROP over all lines at once.

Networks with several seeds, or with single inputs, are trained together on the same lines. Gradients are written out, and lines are processed in
blocks that fit the cache, so two slow cores are enough.
"""

from typing import Dict, Optional

import numpy as np
import torch

HIDDEN = 18
# FANN's defaults: steepness of both layers, range of the first weights, and the steps of RPROP.
STEEPNESS = 0.5
FIRST_WEIGHT = 0.1
FIRST_STEP, LARGEST_STEP = 0.1, 50.0
GROW, SHRINK = 1.2, 0.5
BLOCK = 2048

Network = Dict[str, torch.Tensor]


def create(networks: int, inputs: int, seed: int) -> Network:
    """Weights of `networks` networks: w (inputs, networks × HIDDEN), b, v (networks × HIDDEN) and c (networks)."""
    random = torch.Generator().manual_seed(seed)
    first = lambda *size: (torch.rand(*size, generator=random) * 2 - 1) * FIRST_WEIGHT
    units = networks * HIDDEN
    return {"w": first(inputs, units), "b": first(units), "v": first(units), "c": first(networks)}


def activate(network: Network, rows: torch.Tensor) -> torch.Tensor:
    return torch.addmm(network["b"], rows, network["w"]).mul_(STEEPNESS)


def outputs(network: Network, rows: np.ndarray) -> np.ndarray:
    """lines × networks, before clipping to −1..1: about 1 for boilerplate."""
    networks = len(network["c"])
    found = np.empty((len(rows), networks), dtype=np.float32)
    for start in range(0, len(rows), BLOCK):
        block = torch.from_numpy(np.ascontiguousarray(rows[start : start + BLOCK]))
        hidden = activate(network, block).square_().neg_().exp_().mul_(2).sub_(1)
        summed = hidden.mul_(network["v"]).view(len(block), networks, HIDDEN).sum(2)
        found[start : start + BLOCK] = summed.add_(network["c"]).mul_(STEEPNESS).numpy()
    return found


def add_gradient(network: Network, rows: torch.Tensor, wanted: torch.Tensor, into: Network) -> None:
    """Adds the gradient of half the squared error; like FANN, it uses the slope of the unbounded output."""
    networks = len(network["c"])
    z = activate(network, rows)
    gauss = z.square().neg_().exp_()
    hidden = gauss * 2 - 1
    sums = (hidden * network["v"]).view(len(rows), networks, HIDDEN).sum(2) + network["c"]
    error = ((sums * STEEPNESS).clamp_(-1, 1) - wanted[:, None])
    error.mul_(STEEPNESS)
    spread = error[:, :, None].expand(-1, -1, HIDDEN).reshape(len(rows), -1)
    into["c"] += error.sum(0)
    into["v"] += (hidden * spread).sum(0)
    back = z.mul_(gauss).mul_(spread).mul_(network["v"]).mul_(-4 * STEEPNESS)
    into["b"] += back.sum(0)
    into["w"].addmm_(rows.t(), back)


def train(
    rows: np.ndarray,
    boilerplate: np.ndarray,
    *,
    networks: int,
    seed: int,
    epochs: int,
    mask: Optional[torch.Tensor] = None,
) -> Network:
    """`boilerplate`: 1 or 0 for each line. `mask`, in the shape of w, hides inputs from some networks."""
    torch.set_grad_enabled(False)
    # Denormal numbers would make this a hundred times slower.
    torch.set_flush_denormal(True)
    network = create(networks, rows.shape[1], seed)
    if mask is not None:
        network["w"] *= mask
    blocks = [
        tuple(torch.from_numpy(np.ascontiguousarray(part[start : start + BLOCK], dtype=np.float32)) for part in (rows, boilerplate))
        for start in range(0, len(rows), BLOCK)
    ]
    steps = {name: torch.full_like(value, FIRST_STEP) for name, value in network.items()}
    before = {name: torch.zeros_like(value) for name, value in network.items()}
    for _ in range(epochs):
        gradient = {name: torch.zeros_like(value) for name, value in network.items()}
        for block in blocks:
            add_gradient(network, *block, gradient)
        if mask is not None:
            gradient["w"] *= mask
        step(network, gradient, before, steps)
    return network


def step(network: Network, gradient: Network, before: Network, steps: Network) -> None:
    """iRPROP−: only signs count; if a sign changes, the step shrinks and the weight is not changed."""
    for name, value in network.items():
        signs = (gradient[name] * before[name]).sign_()
        steps[name].mul_(torch.where(signs > 0, GROW, torch.where(signs < 0, SHRINK, 1.0))).clamp_(max=LARGEST_STEP)
        gradient[name][signs < 0] = 0
        value.sub_(gradient[name].sign() * steps[name])
        before[name] = gradient[name]


def flat(network: Network, which: int) -> np.ndarray:
    """Returns one network in the order that the program reads, with the steepness in the weights."""
    units = slice(which * HIDDEN, (which + 1) * HIDDEN)
    first = torch.cat([network["w"][:, units], network["b"][None, units]]).t() * STEEPNESS
    last = torch.cat([network["v"][units], network["c"][which : which + 1]]) * STEEPNESS
    return torch.cat([first.reshape(-1), last]).numpy().astype("<f4")
