"""Trains the second stage of train_transformer.py: a bidirectional LSTM over the embeddings of a segment's lines."""

from __future__ import annotations

import random
from typing import Any, List, Sequence

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from papers.transformer.transformer_data import Document, segments_of


class SequenceHead(nn.Module):
    """Maps embeddings of consecutive lines (lines × width) to one logit per line."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.dense = nn.Linear(2 * hidden, 1)

    def forward(self, embeddings: torch.Tensor) -> torch.Tensor:
        """Computes one segment; this is exported."""
        states, _ = self.lstm(self.dropout(embeddings).unsqueeze(0))
        return self.dense(self.dropout(states)).reshape(-1)

    def of_batch(self, segments: Sequence[torch.Tensor]) -> torch.Tensor:
        """Returns the logits of several segments one after the other, without padding."""
        lengths = torch.tensor([len(one) for one in segments])
        stacked = self.dropout(nn.utils.rnn.pad_sequence(list(segments), batch_first=True))
        packed = pack_padded_sequence(stacked, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        logits = self.dense(self.dropout(states)).squeeze(-1)
        return torch.cat([logits[row, :length] for row, length in enumerate(lengths.tolist())])


def cut(documents: Sequence[Document], most: int | None) -> List[tuple[int, int]]:
    """Returns the segments of all documents, as rows of their lines one after the other."""
    found = []
    before = 0
    for document in documents:
        found.extend((before + start, before + end) for start, end in segments_of(len(document), most))
        before += len(document)
    return found


def train_head(views: Sequence[np.ndarray], documents: Sequence[Document], options: Any, seed: int) -> SequenceHead:
    """Trains with binary cross entropy over all lines. `views` are embeddings of the same lines; each segment is read from one of them."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    head = SequenceHead(views[0].shape[1], options.head_hidden, options.head_dropout)
    optimiser = torch.optim.AdamW(head.parameters(), lr=options.head_rate, weight_decay=0.01)
    rows = [torch.from_numpy(view) for view in views]
    labels = torch.tensor([label for document in documents for label in document.labels], dtype=torch.float32)
    segments = cut(documents, options.segment)
    for epoch in range(options.head_epochs):
        head.train()
        rng.shuffle(segments)
        total = 0.0
        for start in range(0, len(segments), options.segments_a_batch):
            batch = segments[start : start + options.segments_a_batch]
            logits = head.of_batch([rng.choice(rows)[first:last] for first, last in batch])
            wanted = torch.cat([labels[first:last] for first, last in batch])
            loss = nn.functional.binary_cross_entropy_with_logits(logits, wanted)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            optimiser.step()
            total += float(loss.detach()) * len(wanted)
        print(f"head: epoch {epoch + 1}, loss {total / len(labels):.4f}", flush=True)
    head.eval()
    return head


@torch.no_grad()
def score_head(head: SequenceHead, embeddings: np.ndarray, documents: Sequence[Document], most: int | None) -> np.ndarray:
    """Returns one logit for each line of the documents, segment by segment."""
    logits = np.zeros(len(embeddings), dtype=np.float32)
    for first, last in cut(documents, most):
        logits[first:last] = head(torch.from_numpy(embeddings[first:last])).numpy()
    return logits
