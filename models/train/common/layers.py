"""Defines the parts of which the networks of pages and of texts are built: the table of n-grams, a convolution over lines, and a
summary of all lines."""

import torch
from torch import nn

CLIP = 5.0
# Buckets that training never touches stay near zero and add nothing on unseen scripts.
INITIAL_DEVIATION = 0.02
# Without it the network does not hear the words beside eighty standardised columns (turku-tq dev .80 instead of .85).
# It is folded into the shipped scale.
GAIN = 20.0
LEAST_DEVIATION = 1e-2
# Below any value of a line; takes padding out of a maximum.
FAR = 1e4


class Table(nn.Module):
    """The embedding table that all bags share; it stays out of ONNX and is shipped as int8."""

    def __init__(self, rows, width):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(rows, width) * INITIAL_DEVIATION)
        self.gain = GAIN

    def pool(self, numbers, counts, weight=None):
        """The mean of a line's rows; a line without any gets zeros. `weight`: the table with some rows dropped."""
        counts = torch.as_tensor(counts)
        offsets = torch.cumsum(counts, 0) - counts
        summed = nn.functional.embedding_bag(
            torch.as_tensor(numbers), self.weight if weight is None else weight, offsets, mode="sum"
        )
        return summed * self.gain / counts.clamp_min(1).unsqueeze(1)

    def quantised(self):
        """int8 values and their one scale. The largest 0.01 % are clipped: they would cost all others their precision."""
        size = self.weight.detach().abs().flatten()
        largest = float(torch.quantile(size[size > 0][:: max(1, size.numel() // 10**6)], 0.9999))
        scale = largest / 127
        values = torch.clamp(torch.round(self.weight.detach() / scale), -127, 127).to(torch.int8)
        return values, scale


class Block(nn.Module):
    """One step further: each line with its neighbours at a distance, added to what it was."""

    def __init__(self, hidden, dilation):
        super().__init__()
        self.norm = nn.LayerNorm(hidden)
        self.near = nn.Conv1d(hidden, hidden, 3, padding=dilation, dilation=dilation)
        self.out = nn.Linear(hidden, hidden)

    def forward(self, lines, mask, dropout):
        seen = self.norm(lines) if mask is None else self.norm(lines) * mask
        more = self.out(torch.relu(self.near(seen.transpose(1, 2)).transpose(1, 2)))
        return lines + drop_channels(more, dropout if self.training else 0.0)


def drop_channels(values, share):
    """Drops channels of whole segments: a line must not find in its neighbour what was dropped from itself."""
    if share == 0:
        return values
    kept = (torch.rand(values.shape[0], 1, values.shape[2]) >= share).float()
    return values * kept / (1 - share)


def summary(lines, mask):
    """Mean and maximum over the lines of a page."""
    if mask is None:
        return torch.cat([lines.mean(1), lines.amax(1)], 1)
    return torch.cat([(lines * mask).sum(1) / mask.sum(1), (lines - (1 - mask) * FAR).amax(1)], 1)
