"""Writes a trained table of n-grams as the model folder of the `fasttext` labeller: table, description, parity, digests."""

import argparse
import json
import os
from typing import Any

import numpy as np

from common.calibrate import probability_of
from common.gold import digest_of, write_digests
from common.measure import counts, scores
from common.model_folder import describe_kind, digest, licences, write_about
from common.parity import DOCUMENTS
from papers.fasttext.fasttext_model import logits_of, rows_of
from text.text_fit import GRID, WANTED_PRECISION, WANTED_RECALL

Fit = tuple[np.ndarray, np.ndarray, tuple[float, float]]


def thresholds_of(answers: np.ndarray, probability: np.ndarray, offset: float) -> dict[str, float]:
    """balanced: the softmax's own verdict, as published. precision and recall: the cuts that reach the wanted P or R on dev."""
    balanced = round(float(probability_of(offset)), 3)
    at = {float(cut): scores(counts(answers, np.round(probability, 3) >= cut)) for cut in GRID}
    precise = [cut for cut, one in at.items() if cut > balanced and one["precision"] >= WANTED_PRECISION]
    complete = [cut for cut, one in at.items() if cut < balanced and one["recall"] >= WANTED_RECALL]
    precision = min(precise) if precise else min(0.9, balanced + 0.25)
    recall = max(complete) if complete else max(0.05, balanced - 0.25)
    return {"precision": round(precision, 3), "balanced": balanced, "recall": round(recall, 3)}


def write_parity(folder: str, settings: dict[str, Any], table: tuple[np.ndarray, float], calibration: tuple[float, float]) -> None:
    values, scale = table
    with open(os.path.join(folder, "parity.jsonl"), "w", encoding="utf-8") as out:
        for name, texts in DOCUMENTS.items():
            lines = [text.strip() for text in texts]
            logits = scale * logits_of([rows_of(line, settings) for line in lines], values)
            probability = probability_of(logits, *calibration)
            record = {"id": name, "lines": lines, "scores": [float(f"{one:.9g}") for one in probability]}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_folder(
    options: argparse.Namespace,
    settings: dict[str, Any],
    table: tuple[np.ndarray, float],
    fit: Fit,
    report: dict[str, Any],
    training: dict[str, list[dict[str, Any]]],
) -> None:
    folder = options.out
    answers, probability, calibration = fit
    values, scale = table
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "table.bin")
    with open(path, "wb") as file:
        file.write(values.tobytes())
    about = {
        **describe_kind(folder, "fasttext", options.created),
        "settings": {"ngrams": settings["ngrams"]},
        "table": {"file": "table.bin", "rows": settings["rows"], "width": 1, "type": "int8", "scale": scale, "sha256": digest(path)},
        "calibration": {"slope": calibration[0], "offset": calibration[1]},
        "thresholds": thresholds_of(answers, probability, calibration[1]),
        "training": licences(["turku-tq"]),
        "trained": {"seed": options.seeds[0], "seeds": options.seeds, "settings": settings},
        "scores": report["dev"],
        "curve": report["curve"],
    }
    write_about(folder, about)
    write_parity(folder, settings, table, calibration)
    digests = {digest_of(document["lines"]) for documents in training.values() for document in documents}
    write_digests(os.path.join(folder, "training.json"), digests)
