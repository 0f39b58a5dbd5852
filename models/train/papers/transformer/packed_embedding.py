"""Keeps an embedding in the wheel's blocks of four bits, half the size of int8, if nothing is lost by it."""

from __future__ import annotations

import torch
from torch import nn

from common.e5 import BLOCK, MIDDLE

HALF_BYTE = 16
# Rows that are compared together.
AT_ONCE = 4096


class PackedEmbedding(nn.Module):
    """Maps numbers of pieces to their rows. It computes with ONNX operations: a network contains the bytes, and unpacks the rows it needs."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        blocks = weight.detach().view(len(weight), -1, BLOCK)
        # The weight that is farthest from zero is the lowest step.
        farthest = blocks.gather(2, blocks.abs().argmax(2, keepdim=True))
        scales = (farthest / -MIDDLE).half()
        least = torch.finfo(torch.float32).tiny
        steps = torch.round(blocks / torch.where(scales == 0, least, scales.float())).clamp(-MIDDLE, MIDDLE - 1) + MIDDLE
        low, high = steps.to(torch.uint8).split(BLOCK // 2, 2)
        self.register_buffer("halves", low + HALF_BYTE * high)
        self.register_buffer("scales", scales)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        halves = self.halves[numbers].float()
        high = torch.floor(halves / HALF_BYTE)
        steps = torch.cat([halves - HALF_BYTE * high, high], -1) - MIDDLE
        return (steps * self.scales[numbers].float()).flatten(-2)


def pack_embedding(encoder: nn.Module) -> bool:
    """Puts such an embedding into the encoder of `transformers` if it gives exactly the same rows; returns whether it did."""
    now = encoder.get_input_embeddings()
    if isinstance(now, PackedEmbedding):
        return True
    if now.weight.shape[1] % BLOCK != 0:
        return False
    packed = PackedEmbedding(now.weight)
    is_same = all(torch.equal(packed(rows), now.weight[rows]) for rows in torch.arange(len(now.weight)).split(AT_ONCE))
    if is_same:
        encoder.set_input_embeddings(packed)
    return is_same
