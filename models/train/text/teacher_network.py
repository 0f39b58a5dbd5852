"""Defines the teacher's network: an encoder over windows of lines, and an LSTM over its vector of each line and the line's columns."""

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from common.e5 import Encoder

MASK = "<mask>"
# Its number in XLM-R's vocabulary, which e5 also uses.
PADDING = 1
# Matrix products are faster if the lengths of windows are multiples of this.
LENGTHS = 8


class Teacher(nn.Module):
    """Maps lines in windows of word pieces, and their columns, to one logit per line."""

    def __init__(self, weights, columns, settings):
        super().__init__()
        self.encoder = Encoder(weights, settings["dropout"])
        self.columns = nn.Sequential(nn.Linear(columns, settings["columns"]), nn.LayerNorm(settings["columns"]), nn.ReLU())
        width = weights.width + settings["columns"]
        self.alone = nn.Linear(width, 1)
        self.context = nn.LSTM(width, settings["hidden"], batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * settings["hidden"], 1)
        self.dropout = nn.Dropout(settings["head_dropout"])

    def embed(self, numbers, owners, hand):
        """Maps pieces in windows, with the line of each (-1: none), to one vector per line."""
        states = self.encoder.states(numbers, numbers != PADDING).float()
        is_of_line = owners >= 0
        lines = owners[is_of_line]
        summed = torch.zeros(len(hand), states.shape[-1], device=states.device).index_add(0, lines, states[is_of_line])
        counts = torch.zeros(len(hand), device=states.device).index_add(0, lines, torch.ones_like(lines, dtype=torch.float32))
        return self.dropout(torch.cat([summed / counts.clamp(min=1).unsqueeze(1), self.columns(hand)], 1))

    def forward(self, numbers, owners, hand, sizes):
        """Returns logits of lines in context and alone."""
        lines = self.embed(numbers, owners, hand)
        padded = nn.utils.rnn.pad_sequence(list(lines.split(sizes)), batch_first=True)
        packed = pack_padded_sequence(padded, torch.tensor(sizes), batch_first=True, enforce_sorted=False)
        seen, _ = pad_packed_sequence(self.context(packed)[0], batch_first=True)
        flat = torch.cat([seen[row, :size] for row, size in enumerate(sizes)])
        return self.out(self.dropout(flat)).squeeze(1), self.alone(lines).squeeze(1)


def windows_of(tokens, first, most, encoder):
    """Splits lines into windows of pieces, each with consecutive lines: begin, a line, end, a line, end. `first`: where the first window ends, so
    that a text can be read twice with other borders. Returns pieces and the numbers of their lines, one list per window."""
    windows, room = [], first
    numbers, owners = [encoder.bos], [-1]
    for line, pieces in enumerate(tokens):
        if len(numbers) > 1 and len(numbers) + len(pieces) + 1 > room:
            windows.append((numbers, owners))
            numbers, owners, room = [encoder.bos], [-1], most
        numbers = [*numbers, *pieces, encoder.eos]
        owners = [*owners, *[line] * len(pieces), -1]
    return [*windows, (numbers, owners)]


def padded(windows, device):
    longest = -(-max(len(numbers) for numbers, _ in windows) // LENGTHS) * LENGTHS
    numbers, owners = np.full((len(windows), longest), PADDING, np.int64), np.full((len(windows), longest), -1, np.int64)
    for row, (some, lines) in enumerate(windows):
        numbers[row, : len(some)], owners[row, : len(some)] = some, lines
    return torch.from_numpy(numbers).to(device), torch.from_numpy(owners).to(device)
