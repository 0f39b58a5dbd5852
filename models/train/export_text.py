"""Turns a checkpoint into a model folder: network to ONNX, table to int8, calibration and thresholds from dev.

    python3 export_text.py --checkpoint FILE --dev DIR --parity DIR --texts parity.jsonl --out ../text-2 --created DATE

`--parity` is the feature folder of the documents in `--texts`; their scores are recorded from PyTorch with the shipped
(quantised) table, so that the test compares what is shipped.
"""

import argparse
import json
import os

import numpy as np
import torch

from data import Features
from gold import write_digests
from model_folder import describe_files, licences, write_about, write_network, write_table
from score_text import load, print_scores, score_documents, scores_by_source
from text_data import CONDITIONS, Texts
from text_fit import fitted, probability_of


def describe(options, checkpoint, fits):
    about, settings = checkpoint["about"], checkpoint["settings"]
    return {
        "format": 1,
        "name": os.path.basename(os.path.normpath(options.out)),
        "version": "1.0.0",
        "kind": "text",
        "created": options.created,
        "labels": ["boilerplate", "content"],
        "conditions": CONDITIONS,
        "columns": about["columns"],
        "bags": settings["bags"],
        # The scale that is shipped carries the network's gain on pooled rows.
        **describe_files(options.out, about["tableRows"], settings["width"], checkpoint["scale"] * checkpoint["gain"]),
        "window": {"lines": 2048, "context": 128},
        "calibrations": {name: {key: fit[key] for key in ("slope", "offset")} for name, fit in fits.items()},
        "thresholds": {name: fit["thresholds"] for name, fit in fits.items()},
        "calibrationErrors": {name: fit["error"] for name, fit in fits.items()},
        "training": licences(checkpoint["corpora"]),
        "trained": {"seed": checkpoint["seed"], "settings": settings},
        "scores": {},
    }


def write_parity(options, reader, table, settings, fits):
    """Scores where nobody says in what condition the text is, and the shares of conditions."""
    features = Features(options.parity)
    with open(options.texts, encoding="utf-8") as file:
        texts = {one["id"]: one for one in map(json.loads, file)}
    short = lambda numbers: [float(f"{number:.9g}") for number in numbers]
    with open(os.path.join(options.out, "parity.jsonl"), "w", encoding="utf-8") as out:
        for one in score_documents(reader, table, features, features.documents, settings):
            shares = one.shares.astype(np.float64)
            slope, offset = (sum(share * fits[name][key] for share, name in zip(shares, CONDITIONS)) for key in ("slope", "offset"))
            scores = probability_of(one.free.astype(np.float64), (slope, offset))
            lines = [line["text"] for line in texts[one.document["id"]]["lines"]]
            record = {"id": one.document["id"], "lines": lines, "scores": short(scores), "conditions": short(shares)}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("checkpoint", "dev", "parity", "texts", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--created", required=True, help="the date to record, as YYYY-MM-DD")
    options = parser.parse_args()
    torch.set_num_threads(1)
    dev = Texts(options.dev)
    reader, table, checkpoint = load(options.checkpoint)
    settings = checkpoint["settings"]
    os.makedirs(options.out, exist_ok=True)
    write_table(options.out, checkpoint["table"])
    widths = {"hand": len(dev.about["columns"]), "bags": settings["width"] * len(settings["bags"])}
    write_network(options.out, reader, widths, {"logits": True, "conditions": False}, {"condition": len(CONDITIONS)})
    scored = list(score_documents(reader, table, dev, dev.documents, settings))
    print_scores(scores_by_source(scored))
    fits = fitted(scored)
    print(json.dumps(fits, indent=1))
    write_about(options.out, describe(options, checkpoint, fits))
    write_parity(options, reader, table, settings, fits)
    write_digests(os.path.join(options.out, "training.json"), checkpoint["digests"])


if __name__ == "__main__":
    main()
