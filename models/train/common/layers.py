"""Defines the parts of which the networks of pages and of texts are built: the table of n-grams, a convolution over lines, and a
summary of all lines."""

import torch
from torch import nn

CLIP = 5.0
# Buckets that training never touches stay near zero and add nothing on unseen scripts.
INITIAL_DEVIATION = 0.02
# Without this gain the network ignores the words, because eighty standardised columns outweigh them (turku-tq dev .80 instead of .85).
# It becomes part of the shipped scale.
GAIN = 20.0
LEAST_DEVIATION = 1e-2
# Lower than any value of a line; excludes padding from a maximum.
FAR = 1e4


class Table(nn.Module):
    """The embedding table that all bags share; it is not in the ONNX file and ships as int8."""

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
        """Returns int8 values and their scale. The largest 0.01 % are clipped, because they would make all others less precise."""
        size = self.weight.detach().abs().flatten()
        largest = float(torch.quantile(size[size > 0][:: max(1, size.numel() // 10**6)], 0.9999))
        scale = largest / 127
        values = torch.clamp(torch.round(self.weight.detach() / scale), -127, 127).to(torch.int8)
        return values, scale


def pool_bags(table, features, lines, bags, weight=None):
    """Returns the means of the lines' bags of these names, one after the other: [lines, bags × width]. `weight`: as in Table.pool."""
    if not bags:
        return torch.zeros(len(lines), 0)
    numbers = [features.about["bags"].index(name) for name in bags]
    return torch.cat([table.pool(*features.bag(number, lines), weight) for number in numbers], dim=1)


class Pieces(nn.Module):
    """Pretrained vectors of word pieces, which are fixed, and two layers over them, which are trained. Their output for each piece is a table, and
    the table ships."""

    def __init__(self, vectors, inner, width):
        super().__init__()
        self.register_buffer("vectors", vectors, persistent=False)
        self.layers = nn.Sequential(nn.Linear(vectors.shape[1], inner), nn.ReLU(), nn.Linear(inner, width), nn.Tanh())

    def pool(self, numbers, counts, dropout=0.0):
        """[lines, 3 × width]: the mean of a line's pieces, its first and its last; zeros if it has none. `dropout`: the share of a batch's pieces
        that are left out."""
        pieces, places = torch.unique(torch.as_tensor(numbers), return_inverse=True)
        rows = self.layers(self.vectors[pieces])
        if self.training and dropout > 0:
            rows = rows * (torch.rand(len(pieces), 1) >= dropout) / (1 - dropout)
        return pool_pieces(rows, places, counts)

    def quantised(self):
        """int8 values and their one scale."""
        with torch.no_grad():
            rows = torch.cat([self.layers(part) for part in self.vectors.split(8192)])
        return torch.round(rows * 127).to(torch.int8), 1 / 127


class PieceTable(nn.Module):
    """The pieces as they ship, [rows, width]."""

    def __init__(self, values, scale):
        super().__init__()
        self.register_buffer("rows", values.float() * scale)

    def pool(self, numbers, counts):
        return pool_pieces(self.rows, torch.as_tensor(numbers), counts)


class NoPieces(nn.Module):
    """Replaces Pieces and PieceTable in a network that reads no pieces."""

    def __init__(self, rows):
        super().__init__()
        self.count = rows

    def pool(self, numbers, counts, dropout=0.0):
        return torch.zeros(len(counts), 0)

    def quantised(self):
        return torch.zeros(self.count, 0, dtype=torch.int8), 1 / 127


def piece_table(values, scale):
    """Returns the pieces as they ship, or nothing if they have no values."""
    return PieceTable(values, scale) if values.shape[1] else NoPieces(len(values))


def pool_pieces(rows, places, counts):
    counts = torch.as_tensor(counts)
    ends = torch.cumsum(counts, 0)
    summed = nn.functional.embedding_bag(places, rows, ends - counts, mode="sum")
    mean = summed / counts.clamp_min(1).unsqueeze(1)
    if len(places) == 0:
        return torch.cat([mean, mean, mean], 1)
    known = (counts > 0).unsqueeze(1)
    first = rows[places[(ends - counts).clamp_max(len(places) - 1)]] * known
    last = rows[places[(ends - 1).clamp_min(0)]] * known
    return torch.cat([mean, first, last], 1)


class Block(nn.Module):
    """A residual block: each line with its neighbours at a distance, added to its input."""

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
    """Drops channels of whole segments, so that a line cannot find dropped values in its neighbour."""
    if share == 0:
        return values
    kept = (torch.rand(values.shape[0], 1, values.shape[2]) >= share).float()
    return values * kept / (1 - share)


def padded(lines, sizes):
    """Pads segments to the same length, from all their lines [lines, hidden] and the number of lines of each. Returns [segments, longest, hidden], the
    mask [segments, longest, 1], and the places of the lines among the padded ones."""
    longest = max(sizes)
    is_line = torch.arange(longest).unsqueeze(0) < torch.tensor(sizes).unsqueeze(1)
    place = is_line.reshape(-1).nonzero().squeeze(1)
    flat = torch.zeros(len(sizes) * longest, lines.shape[1]).index_copy(0, place, lines)
    return flat.view(len(sizes), longest, -1), is_line.float().unsqueeze(2), place


def summary(lines, mask):
    """Mean and maximum over the lines of a page."""
    if mask is None:
        return torch.cat([lines.mean(1), lines.amax(1)], 1)
    return torch.cat([(lines * mask).sum(1) / mask.sum(1), (lines - (1 - mask) * FAR).amax(1)], 1)
