"""Measures the bag of lines and the sequence on dev and test sets, side by side, with intervals over documents."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, List, Sequence

import numpy as np

from common.measure import counts, scores
from papers.transformer.transformer_data import Document, read_gold

# Set and split; none is used to train or choose anything. The last two are raw pages, with many lines.
MEASURED = {"turku-tq dev": ("turku-tq", "dev"), "canola": ("canola", "all"), "l3s-gn1": ("l3s-gn1", "all")}
RAW = ("canola", "l3s-gn1")
WAYS = ("bag", "sequence")
KEYS = ("accuracy", "f1", "macro")
SAMPLES = 1000
# Paths of the training machine are not published.
PLACES = ("gold", "lines", "encoder", "out", "bag", "scores", "raw", "add")


def by_document(logits: np.ndarray, documents: Sequence[Document]) -> List[List[float]]:
    """Counts right and wrong lines of each document at a logit of 0, the cut that training aims at; nothing is chosen."""
    found = []
    start = 0
    for document in documents:
        said = logits[start : start + len(document)] > 0
        found.append(counts(np.array(document.labels), said).tolist())
        start += len(document)
    return found


def measured(trained: Any, options: Any, chosen_on: Sequence[Document]) -> dict[str, Any]:
    """Returns for each set the languages of its documents and, for each way, their counts; and the lines a second of both ways together."""
    sets = {"held out of training": list(chosen_on)}
    if options.gold and options.measure:
        sets.update({name: read_gold(options.gold, [of], split) for name, (of, split) in MEASURED.items()})
        sets.update({name: sets[name][:: options.measure_every] for name in RAW})
    found = {}
    for name, documents in sets.items():
        started = time.time()
        logits = trained.logits(documents)
        speed = sum(map(len, documents)) / (time.time() - started)
        found[name] = {"langs": [one.lang for one in documents], **{way: by_document(logits[way], documents) for way in WAYS}}
        pooled = {way: scores(np.array(found[name][way]).sum(0)) for way in WAYS}
        line = ", ".join(f"{way} {pooled[way]['accuracy']:.3f} F1 {pooled[way]['f1']:.3f}" for way in WAYS)
        print(f"{name}: {line}, {speed:.0f} lines/s", flush=True)
    return found


def all_scores(total: np.ndarray) -> dict[str, np.ndarray]:
    """Computes the scores of many sums of counts at once (… × 4)."""
    tp, fp, fn, tn = np.moveaxis(total, -1, 0)
    content = 2 * tp / np.maximum(1, 2 * tp + fp + fn)
    boilerplate = 2 * tn / np.maximum(1, 2 * tn + fp + fn)
    accuracy = (tp + tn) / np.maximum(1, tp + fp + fn + tn)
    return {"accuracy": accuracy, "f1": content, "macro": (content + boilerplate) / 2}


def compared(tables: dict[str, np.ndarray], seed: int = 1) -> dict[str, Any]:
    """`tables`: by way, seeds × documents × counts. Returns means over seeds; the same documents are drawn for both ways and all seeds."""
    rng = np.random.default_rng(seed)
    documents = tables["bag"].shape[1]
    drawn = rng.multinomial(documents, np.full(documents, 1 / documents), SAMPLES).astype(float)
    once = np.ones((1, documents))
    found: dict[str, Any] = {"documents": documents, "lines": int(tables["bag"][0].sum())}
    values = {}
    for way, table in tables.items():
        values[way] = {
            "mean": {key: one.mean(0)[0] for key, one in all_scores(np.einsum("nd,sdc->snc", once, table)).items()},
            "drawn": {key: one.mean(0) for key, one in all_scores(np.einsum("nd,sdc->snc", drawn, table)).items()},
            "seeds": [round(float(one), 4) for one in all_scores(table.sum(1))["accuracy"]],
        }
    round_all = lambda many: [round(float(one), 4) for one in many]
    for way, value in values.items():
        found[way] = {
            **{key: round_all([value["mean"][key], *np.percentile(value["drawn"][key], [2.5, 97.5])]) for key in KEYS},
            "accuracy by seed": value["seeds"],
        }
    gain = {key: values["sequence"]["drawn"][key] - values["bag"]["drawn"][key] for key in KEYS}
    means = {key: values["sequence"]["mean"][key] - values["bag"]["mean"][key] for key in KEYS}
    found["sequence - bag"] = {key: round_all([means[key], *np.percentile(gain[key], [2.5, 97.5])]) for key in KEYS}
    return found


def write_scores(measurements: Sequence[dict[str, Any]], options: Any) -> dict[str, Any]:
    """Writes the tables as JSON if requested; returns the first seed's pooled scores of each way, for model.json."""
    table: dict[str, Any] = {}
    for name, one in measurements[0].items():
        tables = {way: np.array([each[name][way] for each in measurements]) for way in WAYS}
        table[name] = {"pooled": compared(tables)}
        langs = np.array(one["langs"])
        for lang in sorted(set(one["langs"])) if len(set(one["langs"])) > 1 else []:
            table[name][lang] = compared({way: each[:, langs == lang] for way, each in tables.items()})
    if options.scores:
        report = {
            "command": " ".join(["train_transformer.py", *sys.argv[1:]]),
            "date": options.created,
            "values": "mean over seeds, then a 95 % interval over documents; lines are content from a logit of 0 on",
            "trained on": {"sets": options.sets, "split": "train", "held out for cuts": "one document in ten"},
            "seeds": options.seeds,
            "settings": {key: value for key, value in vars(options).items() if key not in PLACES},
            "sets": table,
        }
        with open(options.scores, "w", encoding="utf-8") as out:
            json.dump(report, out, indent=2)
            out.write("\n")
    pooled = lambda way: {name: scores(np.array(one[way]).sum(0))["accuracy"] for name, one in measurements[0].items()}
    return {way: {f"accuracy {name}": round(value, 3) for name, value in pooled(way).items()} for way in WAYS}
