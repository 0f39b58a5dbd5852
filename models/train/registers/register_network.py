"""Defines the registers network: pretrained vectors of word pieces, weighted means over a text, two dense layers.

The network has several parts, each with its own layers, which are trained separately; the mean of their logits counts. A part's output for a piece
does not depend on the text: values, and for each head a weight to average the head's values. These ship as a table of int8, and the shipped network
takes the means.
"""

import torch
from torch import nn

REGISTERS = ("LY", "SP", "ID", "NA", "HI", "IN", "OP", "IP")
SUBREGISTERS = {"ne": "NA", "sr": "NA", "nb": "NA", "dtp": "IN", "rv": "OP", "ob": "OP", "rs": "OP", "av": "OP", "ds": "IP"}
OUTPUTS = (*REGISTERS, *SUBREGISTERS, "MT")
# Weights are exp of at most this.
STEEPEST = 2.0
# As in register-pool.ts.
NEAR_NOTHING = 1e-3
# Means are small compared with standardised columns.
GAIN = 4.0
CLIP = 4.0
LEAST_DEVIATION = 1e-2


class Part(nn.Module):
    def __init__(self, vectors, columns, settings):
        super().__init__()
        heads, width, inner, hidden = (settings[name] for name in ("heads", "head_width", "inner", "hidden"))
        self.heads, self.width = heads, heads * width
        layers = [nn.Linear(vectors, inner), nn.ReLU()] if inner > 0 else []
        self.pieces = nn.Sequential(*layers, nn.Linear(inner or vectors, self.width + heads), nn.Tanh())
        self.inside = nn.Linear(2 * self.width + columns, hidden)
        self.out = nn.Linear(hidden, len(OUTPUTS))
        self.dropout = settings["dropout"]

    def forward(self, pooled, columns):
        seen = nn.functional.dropout(torch.cat([pooled * GAIN, columns], 1), self.dropout[0], self.training)
        inside = nn.functional.dropout(torch.relu(self.inside(seen)), self.dropout[1], self.training)
        return self.out(inside)


def pool(rows, heads, numbers, starts):
    """[texts, width]: the weighted means of rows (pieces × (width + heads)); a text's row numbers begin at its start."""
    width = rows.shape[1] - heads
    weights = torch.exp(rows[:, width:] * STEEPEST)
    values = (rows[:, :width].view(len(rows), heads, -1) * weights.unsqueeze(2)).reshape(len(rows), width)
    sums = nn.functional.embedding_bag(numbers, torch.cat([values, weights], 1), starts, mode="sum")
    means = sums[:, :width].view(len(starts), heads, -1) / (sums[:, width:].unsqueeze(2) + NEAR_NOTHING)
    return means.reshape(len(starts), width)


class Network(nn.Module):
    """`means` and `deviations` are those of the columns in training."""

    def __init__(self, vectors, columns, settings):
        super().__init__()
        self.settings = settings
        self.parts = nn.ModuleList(Part(vectors, columns, settings) for _ in range(settings["parts"]))
        self.register_buffer("means", torch.zeros(columns))
        self.register_buffer("deviations", torch.ones(columns))

    def scale(self, columns):
        return ((columns - self.means) / self.deviations).clamp(-CLIP, CLIP)

    def rows(self, vectors):
        """Returns each part's output for these pieces: values, and exponents of weights, all between -1 and 1."""
        return [part.pieces(vectors) for part in self.parts]

    def logits(self, pooled, columns):
        """Returns the logits of each part; `pooled`: for each part its means over whole texts, and those over their first words."""
        scaled = self.scale(columns)
        return [part(one, scaled) for part, one in zip(self.parts, pooled)]


class Shipped(nn.Module):
    """The network behind the table: `pooled` has the means of all parts over a whole text, then over its first words.

    It computes the same as the parts with three dense layers, so that any engine can run it: scaled and clipped columns are differences of two
    rectified ones, and one layer holds all parts.
    """

    def __init__(self, network):
        super().__init__()
        parts = network.parts
        columns, hidden, width = len(network.means), parts[0].inside.out_features, parts[0].width
        self.scale = nn.Linear(columns, 2 * columns)
        self.inside = nn.Linear(2 * width * len(parts) + 2 * columns, hidden * len(parts))
        self.out = nn.Linear(hidden * len(parts), len(OUTPUTS))
        with torch.no_grad():
            scale, offset = torch.diag(1 / network.deviations), -network.means / network.deviations
            self.scale.weight.copy_(torch.cat([scale, scale]))
            self.scale.bias.copy_(torch.cat([offset + CLIP, offset - CLIP]))
            self.inside.weight.zero_()
            for at, part in enumerate(parts):
                rows = slice(at * hidden, (at + 1) * hidden)
                whole, first, of_columns = part.inside.weight.split([width, width, columns], 1)
                for half, weights in enumerate((whole, first)):
                    start = (half * len(parts) + at) * width
                    self.inside.weight[rows, start : start + width] = weights * GAIN
                self.inside.weight[rows, -2 * columns :] = torch.cat([of_columns, -of_columns], 1)
                self.inside.bias[rows] = part.inside.bias - CLIP * of_columns.sum(1)
            self.out.weight.copy_(torch.cat([part.out.weight for part in parts], 1) / len(parts))
            self.out.bias.copy_(sum(part.out.bias for part in parts) / len(parts))

    def forward(self, pooled, columns):
        seen = torch.cat([pooled, torch.relu(self.scale(columns))], 1)
        return self.out(torch.relu(self.inside(seen)))
