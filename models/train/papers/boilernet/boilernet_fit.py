"""Trains one network and counts the lines that it gets right on each page."""

import time

import numpy as np
import torch

from common.measure import counts
from papers.boilernet.boilernet_data import LONGEST, Inputs, batch_of, cut, known_tags, known_words
from papers.boilernet.boilernet_network import Boilernet
from papers.boilernet.boilernet_scores import paper_scores

# How many batches' segments are sorted by length together.
POOL = 4
# How many segments are scored together.
AT_ONCE = 16


def weights_of(labels, settings):
    """BoilerNet balances its classes; MultiBoilerNet weights each by the share of the other."""
    share = float(labels.mean())
    if settings["joint"]:
        return 0.5 / max(1e-6, 1 - share), 0.5 / max(1e-6, share)
    return share, 1 - share


def loss_of(network, batch, weights, alpha):
    labels = torch.from_numpy(batch.labels).float()
    logits, depths = network.read(torch.from_numpy(batch.tags), torch.from_numpy(batch.text), batch.sizes)
    each = torch.where(labels > 0, weights[1], weights[0])
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, each)
    if alpha == 0:
        return entropy
    return (1 - alpha) * entropy + alpha * torch.mean((depths - torch.from_numpy(batch.depths)) ** 2)


@torch.no_grad()
def logits_of(network, pages, inputs):
    """Returns the logits of each page's lines; pages are cut as in use, but without context."""
    network.eval()
    # Batches segments of similar length; those of one page stay in order.
    segments = sorted(cut(pages, LONGEST), key=lambda one: one[2])
    found = {}
    for first in range(0, len(segments), AT_ONCE):
        part = segments[first : first + AT_ONCE]
        batch = batch_of(part, inputs)
        logits, _ = network.read(torch.from_numpy(batch.tags), torch.from_numpy(batch.text), batch.sizes)
        for (page, start, _), one in zip(part, torch.split(logits, batch.sizes)):
            found.setdefault(page.id, {})[start] = one.numpy()
    return [np.concatenate([found[page.id][start] for start in sorted(found[page.id])]) for page in pages]


def batches(segments, size, rng):
    """Batches segments of similar length, in any order, because padding costs as much as lines."""
    pool = POOL * size
    order = rng.permutation(len(segments))
    made = []
    for first in range(0, len(order), pool):
        near = sorted((segments[at] for at in order[first : first + pool]), key=lambda one: one[2])
        made += [near[at : at + size] for at in range(0, len(near), size)]
    return [made[at] for at in rng.permutation(len(made))]


def measure(network, pages, inputs):
    """Returns (tp, fp, fn, tn) of each page."""
    return [counts(page.labels, logits > 0) for page, logits in zip(pages, logits_of(network, pages, inputs))]


def train(pages, dev, settings):
    """Returns the network of the epoch with the best macro F1 on `dev`, the object that makes its inputs, and this F1."""
    torch.manual_seed(settings["seed"])
    rng = np.random.default_rng(settings["seed"])
    inputs = Inputs(known_tags(pages), known_words(pages) if settings["words"] else None)
    width = len(inputs.words) + 1 if settings["words"] else pages[0].vectors.shape[1]
    network = Boilernet(len(inputs.tags) + 1, width, settings)
    if not settings["words"]:
        network.lines.standardise(torch.from_numpy(np.concatenate([page.vectors for page in pages])))
    weights = weights_of(np.concatenate([page.labels for page in pages]), settings)
    optimiser = torch.optim.Adam(network.parameters(), settings["rate"])
    segments = cut(pages, settings["window"])
    best, kept, started = -1.0, None, time.time()
    for epoch in range(settings["epochs"]):
        network.train()
        for part in batches(segments, settings["pages_a_batch"], rng):
            batch = batch_of(part, inputs)
            loss = loss_of(network, batch, weights, settings["alpha"])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), settings["clip"])
            optimiser.step()
        score = paper_scores(measure(network, dev, inputs))["macro"]["mean"]
        if score > best:
            best, kept = score, {key: value.clone() for key, value in network.state_dict().items()}
        print(f"  epoch {epoch + 1}: loss of the last batch {loss.item():.3f}, dev macro F1 {score:.3f}, {time.time() - started:.0f} s", flush=True)
    network.load_state_dict(kept)
    network.eval()
    return network, inputs, best
