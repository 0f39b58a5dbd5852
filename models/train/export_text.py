"""Turns a checkpoint into a model folder: network to ONNX, table to int8, calibration and thresholds from dev.

    python3 export_text.py --checkpoint FILE --dev DIR --parity DIR --out models/text-1

`--parity` is the feature folder of parity.jsonl's documents; their scores are recorded from PyTorch with the shipped
(quantised) table, so that the test compares what is shipped.
"""

import argparse
import json
import os

import numpy as np
import torch

from calibrate import platt
from data import Features
from measure import scores
from model_folder import describe_files, licences, write_about, write_network, write_table
from network import Reader, Table
from train_text import WIDTH, dev_score, group_counts, score_all


def load(path, features):
    checkpoint = torch.load(path)
    plan = checkpoint["plan"]
    hidden = checkpoint["reader"]["inner.weight"].shape[0]
    reader = Reader(features.hand.shape[1], WIDTH * len(features.about["bags"]), len(plan["conventions"]), hidden)
    table = Table(features.about["tableRows"], WIDTH)
    reader.load_state_dict(checkpoint["reader"])
    table.load_state_dict(checkpoint["table"])
    reader.eval()
    return reader, table, checkpoint


def group_weights(features):
    """Each dev group weighs the same, whatever its number of lines; turku-tq, the guideline's own, as all others."""
    weights = np.zeros(len(features.labels))
    groups = features.by_source()
    for source, documents in groups.items():
        lines = sum(document["lines"] for document in documents)
        share = 1.0 if source == "turku-tq" else 1 / (len(groups) - 1)
        for document in documents:
            weights[document["start"] : document["start"] + document["lines"]] = share / lines
    return weights / weights.sum()


def thresholds(features, probability):
    """balanced: best on the dev score. precision and recall: from that cut, what it takes for P or R of .9 on turku-tq."""
    grid = np.arange(0.05, 0.96, 0.01)
    values = [dev_score(features, probability - cut)[0] for cut in grid]
    balanced = float(grid[int(np.argmax(values))])
    turku = [scores(sum(group_counts(features, probability - cut)["turku-tq"])) for cut in grid]
    precise = [float(cut) for cut, one in zip(grid, turku) if one["precision"] >= 0.9 and cut > balanced]
    complete = [float(cut) for cut, one in zip(grid, turku) if one["recall"] >= 0.93 and cut < balanced]
    precision = precise[0] if precise else min(0.9, balanced + 0.25)
    recall = complete[-1] if complete else max(0.1, balanced - 0.25)
    return {"precision": round(precision, 2), "balanced": round(balanced, 2), "recall": round(recall, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("checkpoint", "dev", "parity", "texts", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--created", required=True, help="the date to record, as YYYY-MM-DD")
    options = parser.parse_args()
    torch.set_num_threads(1)
    dev = Features(options.dev)
    reader, table, checkpoint = load(options.checkpoint, dev)
    os.makedirs(options.out, exist_ok=True)

    values, scale = table.quantised()
    write_table(options.out, values)
    before = score_all(reader, table, dev)
    with torch.no_grad():
        table.weight.copy_(values.float() * scale)
    logits = score_all(reader, table, dev)
    print(f"int8 table: {np.mean((before >= 0) == (logits >= 0)):.5f} of dev verdicts unchanged")
    write_network(options.out, reader, (dev.hand.shape[1], WIDTH * len(dev.about["bags"])), {"logits": True})

    slope, offset = platt(dev.labels, logits, group_weights(dev))
    probability = 1 / (1 + np.exp(-(slope * logits + offset)))
    cuts = thresholds(dev, np.round(probability, 3))
    print("calibration", slope, offset, "thresholds", cuts)
    about = {
        "format": 1,
        "name": os.path.basename(os.path.normpath(options.out)),
        "version": "1.0.0",
        "kind": "text",
        "created": options.created,
        "labels": ["boilerplate", "content"],
        "columns": dev.about["columns"],
        "bags": dev.about["bags"],
        # The scale that is shipped carries the network's gain on pooled rows.
        **describe_files(options.out, dev.about["tableRows"], WIDTH, scale * table.gain),
        "window": {"lines": 2048, "context": 128},
        "calibration": {"method": "platt", "fitted": "dev, each group weighted alike", "slope": slope, "offset": offset},
        "thresholds": cuts,
        "training": licences(checkpoint["plan"]["conventions"]),
        "trained": {"seed": checkpoint["seed"], "epoch": checkpoint["epoch"], "plan": checkpoint["plan"]},
        "scores": {},
    }
    write_about(options.out, about)
    write_parity(reader, table, options, os.path.join(options.out, "parity.jsonl"), (slope, offset))


def write_parity(reader, table, options, path, calibration):
    features = Features(options.parity)
    logits = score_all(reader, table, features).astype(np.float64)
    probability = 1 / (1 + np.exp(-(calibration[0] * logits + calibration[1])))
    with open(options.texts, encoding="utf-8") as file:
        texts = {one["id"]: one for one in map(json.loads, file)}
    with open(path, "w", encoding="utf-8") as out:
        for document in features.documents:
            rows = probability[document["start"] : document["start"] + document["lines"]]
            lines = [line["text"] for line in texts[document["id"]]["lines"]]
            record = {"id": document["id"], "lines": lines, "scores": [float(f"{x:.9g}") for x in rows]}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
