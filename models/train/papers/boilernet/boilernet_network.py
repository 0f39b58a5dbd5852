"""Defines BoilerNet (Leonhardt, Anand & Khosla 2020) and MultiBoilerNet (Wu & Chang 2022): each line's tags and text, then two
bidirectional LSTM layers over the lines of the page.

BoilerNet puts both inputs through one dense layer. MultiBoilerNet gives each its own, drops the same values from all lines of a
page (variational dropout), and makes the layer of the tags predict the depth of a line, so that it learns about the path.
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from common.layers import CLIP

LEAST_DEVIATION = 1e-2


class Lines(nn.Module):
    """Each line alone."""

    def __init__(self, tags, text, settings):
        super().__init__()
        dense = settings["dense"]
        self.is_joint = settings["joint"]
        self.sees_tags, self.sees_text = settings["tags"], settings["text"]
        # An encoder's vectors are standardised; counts stay counts.
        self.register_buffer("mean", torch.zeros(text))
        self.register_buffer("inverse_deviation", torch.ones(text))
        if self.is_joint:
            self.both = nn.Linear(tags + text, dense)
            self.width = dense
        else:
            self.tags = nn.Linear(tags, dense)
            self.first = nn.Linear(text, dense)
            self.second = nn.Linear(dense, dense)
            self.depth = nn.Linear(dense, 1)
            self.width = 2 * dense

    def standardise(self, text):
        self.mean.copy_(text.mean(0))
        self.inverse_deviation.copy_(1 / text.std(0).clamp_min(LEAST_DEVIATION))

    def forward(self, tags, text):
        """Returns the features of each line, and its predicted depth (None if not needed)."""
        if self.is_joint:
            return torch.relu(self.both(torch.cat([tags * self.sees_tags, text * self.sees_text], 1))), None
        of_tags = torch.relu(self.tags(tags * self.sees_tags))
        vectors = ((text - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP) * self.sees_text
        of_text = torch.relu(self.second(torch.relu(self.first(vectors))))
        return torch.cat([of_tags, of_text], 1), self.depth(of_tags).squeeze(1)


class Boilernet(nn.Module):
    """Maps [lines, tags] and [lines, text] to one logit per line."""

    def __init__(self, tags, text, settings):
        super().__init__()
        self.lines = Lines(tags, text, settings)
        units, layers = settings["units"], settings["layers"]
        widths = [self.lines.width] + [2 * units] * (layers - 1)
        self.layers = nn.ModuleList(nn.LSTM(width, units, bidirectional=True, batch_first=True) for width in widths[:layers])
        self.outer = nn.Linear(2 * units if layers else self.lines.width, 1)
        self.between, self.last, self.is_variational = settings["lstm_dropout"], settings["dropout"], settings["variational"]

    def drop(self, values, share):
        """[pages, lines, values]: drops the same values from all lines of a page, or different ones from each line."""
        if share == 0 or not self.training:
            return values
        if not self.is_variational:
            return nn.functional.dropout(values, share)
        kept = (torch.rand(values.shape[0], 1, values.shape[2]) >= share).float()
        return values * kept / (1 - share)

    def forward(self, tags, text):
        """Computes one page, as in use. This is exported to ONNX."""
        context = self.lines(tags, text)[0].unsqueeze(0)
        for layer in self.layers:
            context, _ = layer(context)
        return self.outer(context).reshape(-1)

    def read(self, tags, text, sizes):
        """Computes many segments at once: logits and depths."""
        alone, depths = self.lines(tags, text)
        context = pad_sequence(torch.split(alone, sizes), batch_first=True)
        for layer in self.layers:
            context = self.drop(context, self.between)
            packed = pack_padded_sequence(context, torch.tensor(sizes), batch_first=True, enforce_sorted=False)
            context, _ = pad_packed_sequence(layer(packed)[0], batch_first=True)
        context = self.drop(context, self.last)
        flat = torch.cat([context[at, :size] for at, size in enumerate(sizes)])
        return self.outer(flat).squeeze(1), depths
