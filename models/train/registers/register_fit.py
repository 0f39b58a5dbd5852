"""Trains the network of registers on some texts and scores others."""

import math

import numpy as np
import torch
from torch import nn

from common.training import rate_at
from registers.register_network import LEAST_DEVIATION, OUTPUTS, Network, pool

SETTINGS = {
    "parts": 1,
    "heads": 4,
    "head_width": 24,
    "inner": 0,
    "hidden": 96,
    "dropout": (0.2, 0.3),
    # The share of a batch's pieces that are dropped, the share of its texts that are cut to a part, and the fewest pieces of a part.
    "unheard": 0.3,
    "cut": 0.4,
    "least_pieces": 60,
    "most_pieces": 700,
    "first_pieces": 60,
    "epochs": 14,
    "batch": 64,
    "rate": 4e-3,
    "warm_up": 50,
    "last_rate": 0.05,
    "decay": 0.02,
    # The weight of a made text without a register, and its target as a part of each register's share.
    "made": 0.5,
    "made_share": 0.5,
    # The teacher's part in the target of a labelled text, and the weight of a text that only the teacher labels.
    "taught": 0.5,
    "unlabelled": 0.5,
}


def priors_of(texts, rows):
    """Returns the share of each output among the texts whose corpus has labels for it."""
    labels, known = texts.labels[rows], texts.known[rows]
    return np.clip((labels * known).sum(0) / np.maximum(1, known.sum(0)), 1e-3, 1 - 1e-3)


def batch_pieces(texts, batch, draw, settings):
    """Returns the piece numbers of whole texts, then of their first words, and where each begins; `draw`: cuts texts to parts."""
    whole, first = [], []
    for at in batch:
        pieces, head = texts.pieces[at], texts.firsts[at]
        if draw is not None and len(pieces) > settings["least_pieces"] and (len(pieces) > settings["most_pieces"] or draw.random() < settings["cut"]):
            most = min(len(pieces), settings["most_pieces"])
            size = int(settings["least_pieces"] + draw.random() ** 0.5 * (most - settings["least_pieces"]))
            start = 0 if draw.random() < 0.5 else int(draw.integers(0, len(pieces) - size + 1))
            pieces = pieces[start : start + size]
            head = head if start == 0 else settings["first_pieces"]
        whole.append(pieces)
        first.append(pieces[:head])
    both = whole + first
    return np.concatenate(both), np.cumsum([0, *map(len, both)])[:-1]


def logits_of(network, vectors, texts, batch, draw=None):
    """Of each part."""
    settings = network.settings
    numbers, starts = batch_pieces(texts, batch, draw, settings)
    pieces, places = np.unique(numbers, return_inverse=True)
    places, starts = torch.from_numpy(places), torch.from_numpy(starts)
    pooled = []
    for rows in network.rows(vectors[pieces]):
        if draw is not None:
            rows = rows * (torch.rand(len(pieces), 1) >= settings["unheard"])
        means = pool(rows, settings["heads"], places, starts)
        pooled.append(torch.cat([means[: len(batch)], means[len(batch) :]], 1))
    return network.logits(pooled, texts.columns[batch])


def targets_of(texts, priors, settings, taught=None):
    """Returns the targets of each text, and the weight of each output; `taught`: logits of a teacher for all texts, or None."""
    made = texts.made[:, None]
    targets = np.where(made, settings["made_share"] * priors[None, :], texts.labels)
    weights = np.where(made, settings["made"], texts.known)
    if taught is not None:
        said, share = torch.sigmoid(torch.from_numpy(taught)).numpy(), settings["taught"]
        # On machine text the teacher is worse than a small network.
        asked = np.array([name != "MT" for name in OUTPUTS])
        known = texts.known > 0
        untold = ~known & ~made
        targets = np.where(known & asked, (1 - share) * targets + share * said, np.where(untold, said, targets))
        weights = np.where(untold & asked, np.where(texts.unlabelled[:, None], settings["unlabelled"], share), weights)
    return targets.astype(np.float32), weights.astype(np.float32)


def train(texts, rows, vectors, settings, seed=1, taught=None):
    """`taught`: as in targets_of; without it, unlabelled texts are not used."""
    if taught is None:
        rows = rows[~texts.unlabelled[rows]]
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    network = Network(vectors.shape[1], texts.columns.shape[1], settings)
    real = rows[texts.labelled[rows]]
    network.means.copy_(texts.columns[real].mean(0))
    network.deviations.copy_(texts.columns[real].std(0).clamp_min(LEAST_DEVIATION))
    priors = priors_of(texts, real)
    for part in network.parts:
        part.out.bias.data = torch.from_numpy(np.log(priors / (1 - priors)).astype(np.float32))
    targets, weights = targets_of(texts, priors, settings, taught)
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings["rate"], weight_decay=settings["decay"])
    steps = settings["epochs"] * math.ceil(len(rows) / settings["batch"])
    step = 0
    network.train()
    for _ in range(settings["epochs"]):
        order = draw.permutation(rows)
        for at in range(0, len(order), settings["batch"]):
            batch = order[at : at + settings["batch"]]
            for group in optimiser.param_groups:
                group["lr"] = settings["rate"] * rate_at(step, steps, settings)
            target, weight = torch.from_numpy(targets[batch]), torch.from_numpy(weights[batch])
            parts = logits_of(network, vectors, texts, batch, draw)
            loss = sum(nn.functional.binary_cross_entropy_with_logits(one, target, weight, reduction="sum") for one in parts) / len(batch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            step += 1
    network.eval()
    return network


@torch.no_grad()
def score(network, texts, rows, vectors):
    """Logits, [rows, outputs]."""
    network.eval()
    found = [torch.stack(logits_of(network, vectors, texts, rows[at : at + 64])).mean(0) for at in range(0, len(rows), 64)]
    return torch.cat(found).numpy() if found else np.zeros((0, len(OUTPUTS)), np.float32)
