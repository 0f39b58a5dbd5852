"""The `text` labeller's network: pooled n-gram bags and hand features of each line, then a BiLSTM over the lines of a
document; and the table of n-grams that the `page` labeller's network (page_network.py) shares."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

CLIP = 5.0
# Buckets that training never touches stay near zero and add nothing on unseen scripts.
INITIAL_DEVIATION = 0.02
# Without it the network does not hear the words beside eighty standardised columns (turku-tq dev .80 instead of .85).
# It is folded into the shipped scale.
GAIN = 20.0


class Reader(nn.Module):
    """[lines, columns] and [lines, bags] to one logit a line. This part, and only this, goes to ONNX."""

    def __init__(self, columns, bag_values, conventions, hidden=64, dropout=0.4):
        super().__init__()
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("inverse_deviation", torch.ones(columns))
        self.inner = nn.Linear(columns + bag_values, hidden)
        # Corpora disagree on what is main (dates, bylines, comments, lists). Each shifts the layer by a vector of its own,
        # so that the rest is shared; `settle` fixes one mixture for use.
        self.convention = nn.Embedding(conventions, hidden)
        nn.init.zeros_(self.convention.weight)
        self.register_buffer("shift", torch.zeros(hidden))
        self.norm = nn.LayerNorm(hidden)
        self.lstm = nn.LSTM(hidden, hidden, bidirectional=True, batch_first=True)
        self.outer = nn.Linear(2 * hidden, 1)
        self.auxiliary = nn.Linear(hidden, 1)
        self.dropout = nn.Dropout(dropout)

    def standardise(self, hand):
        self.mean.copy_(hand.mean(0))
        self.inverse_deviation.copy_(1 / hand.std(0).clamp_min(1e-3))

    def settle(self, mixture):
        """Uses a mixture of conventions (one share each, summing to 1 or less) from now on."""
        self.shift.copy_((torch.as_tensor(mixture).unsqueeze(1) * self.convention.weight.detach()).sum(0))

    def embed(self, hand, bags, shift):
        hand = ((hand - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP)
        return self.dropout(torch.relu(self.norm(self.inner(torch.cat([hand, bags], dim=-1)) + shift)))

    def forward(self, hand, bags):
        """One document, as in use."""
        lines = self.embed(hand, bags, self.shift)
        context, _ = self.lstm(lines.unsqueeze(0))
        return self.outer(context.squeeze(0)).squeeze(-1)

    def read_segments(self, hand, bags, sizes, conventions):
        """Many segments at once, as in training: logits with context, and from the line alone."""
        lines = self.embed(hand, bags, self.convention(conventions))
        padded = pad_sequence(torch.split(lines, sizes), batch_first=True)
        packed = pack_padded_sequence(padded, torch.tensor(sizes), batch_first=True, enforce_sorted=False)
        context, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        flat = torch.cat([context[i, :size] for i, size in enumerate(sizes)])
        return self.outer(self.dropout(flat)).squeeze(-1), self.auxiliary(lines).squeeze(-1)


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
