"""Fits a linear chain over a network's logits (Lafferty et al. 2001), for comparison with the network alone: two labels,
transitions between neighbours, maximum likelihood."""

import numpy as np
import torch

STEPS = 60
RATE = 0.1
LONGEST = 400


def fit_chain(sequences):
    """`sequences`: labels and logits of texts. Returns scale and offset of the logits, and transitions, as a dictionary of tensors."""
    chain = {"scale": torch.ones(1), "offset": torch.zeros(1), "transitions": torch.zeros(2, 2)}
    for value in chain.values():
        value.requires_grad_(True)
    optimiser = torch.optim.Adam(chain.values(), lr=RATE)
    batches = batched(sequences)
    for _ in range(STEPS):
        loss = sum(chain_loss(chain, *batch) for batch in batches) / len(batches)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return {name: value.detach() for name, value in chain.items()}


def batched(sequences):
    """Pads all texts to the same length: labels, logits and mask, [texts, lines]."""
    short = [(labels[:LONGEST], logits[:LONGEST]) for labels, logits in sequences]
    longest = max(len(labels) for labels, _ in short)
    labels, logits, mask = (np.zeros((len(short), longest), kind) for kind in (np.int64, np.float32, bool))
    for at, (one, other) in enumerate(short):
        labels[at, : len(one)], logits[at, : len(one)], mask[at, : len(one)] = one, other, True
    return [(torch.from_numpy(labels), torch.from_numpy(logits), torch.from_numpy(mask))]


def emissions_of(chain, logits):
    positive = logits * chain["scale"] + chain["offset"]
    return torch.stack([torch.zeros_like(positive), positive], -1)


def chain_loss(chain, labels, logits, mask):
    """Returns the mean negative log likelihood of a line."""
    emissions, transitions = emissions_of(chain, logits), chain["transitions"]
    chosen = emissions.gather(2, labels.unsqueeze(2)).squeeze(2)
    score = (chosen * mask).sum() + (transitions[labels[:, :-1], labels[:, 1:]] * mask[:, 1:]).sum()
    state = emissions[:, 0]
    for at in range(1, emissions.shape[1]):
        after = torch.logsumexp(state.unsqueeze(2) + transitions, 1) + emissions[:, at]
        state = torch.where(mask[:, at : at + 1], after, state)
    return (torch.logsumexp(state, 1).sum() - score) / mask.sum()


def marginals(chain, logits):
    """Returns P(content) of each line of one text, forwards and backwards over the chain."""
    emissions, transitions = emissions_of(chain, torch.from_numpy(logits.copy())), chain["transitions"]
    forwards, backwards = [emissions[0]], [torch.zeros(2)]
    for emission in emissions[1:]:
        forwards.append(torch.logsumexp(forwards[-1].unsqueeze(1) + transitions, 0) + emission)
    for emission in emissions[1:].flip(0):
        backwards.append(torch.logsumexp(transitions + emission + backwards[-1], 1))
    both = torch.stack(forwards) + torch.stack(backwards[::-1])
    return torch.softmax(both, 1)[:, 1].numpy()
