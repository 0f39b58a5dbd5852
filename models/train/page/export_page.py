"""Turns a checkpoint and a fit into a model folder: network to lean ONNX, table to int8, calibration and verdict.

    python3 -m page.export_page --checkpoint FILE --fit fit.json --parity DIR --texts parity.jsonl --out ../page-6 --created DATE

`--parity` is the feature folder of the documents in `--texts`; their scores are recorded from PyTorch with the shipped
(quantised) table, so that the test compares what is shipped.
"""

import argparse
import json
import os

import torch

from common.features import Features
from common.gold import read_by_id, write_digests
from common.json_file import read_json
from common.model_folder import describe_files, describe_kind, licences, write_about, write_network, write_table
from page.lean_page import OPSET, weights_of, write_lean
from page.page_types import PAGE_TYPES
from page.page_label import calibrated
from page.score_pages import load, logits_of

# How many lines the network sees at once: its blocks reach 31 lines, but its summary should cover the page.
WINDOW = {"lines": 4096, "context": 64}


def describe(options, checkpoint, fit):
    about, settings = checkpoint["about"], checkpoint["settings"]
    # The shipped scale includes the network's gain on pooled rows.
    files = describe_files(options.out, about["tableRows"], settings["width"], checkpoint["scale"] * checkpoint["gain"])
    files["network"]["opset"] = OPSET
    return {
        **describe_kind(options.out, "page", options.created),
        "types": PAGE_TYPES,
        "columns": about["columns"],
        "bags": about["bags"],
        "groups": about["groups"],
        **files,
        "window": WINDOW,
        "calibration": fit["calibration"],
        "verdict": fit["verdict"],
        "training": licences(checkpoint["conventions"]),
        "trained": {"seed": checkpoint["seed"], "heldOutFolds": checkpoint["held_out"], "settings": settings},
        "scores": {},
    }


def write_parity(options, reader, table, fit):
    features = Features(options.parity)
    documents = read_by_id(options.texts)
    short = lambda numbers: [float(f"{number:.9g}") for number in numbers]
    with open(os.path.join(options.out, "parity.jsonl"), "w", encoding="utf-8") as out:
        for document in features.documents:
            logits, page = logits_of(reader, table, features, document)
            scores = calibrated(logits, fit["calibration"])
            gold = documents[document["id"]]
            lines = [{key: value for key, value in line.items() if key != "label"} for line in gold["lines"]]
            given = {key: gold[key] for key in ("id", "url", "title") if key in gold}
            record = {**given, "lines": lines, "scores": short(scores), "page": short(page)}
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("checkpoint", "fit", "parity", "texts", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--created", required=True, help="the date to record, as YYYY-MM-DD")
    options = parser.parse_args()
    torch.set_num_threads(1)
    reader, table, checkpoint = load(options.checkpoint)
    about = checkpoint["about"]
    fit = read_json(options.fit)
    os.makedirs(options.out, exist_ok=True)
    write_table(options.out, checkpoint["table"])
    widths = {"hand": len(about["columns"]), "bags": checkpoint["settings"]["width"] * len(about["bags"])}
    write_network(options.out, reader, widths, {"logits": True, "page": False}, levels=len(about["groups"]))
    write_lean(os.path.join(options.out, "model.onnx"), checkpoint["settings"], weights_of(reader))
    write_about(options.out, describe(options, checkpoint, fit))
    write_parity(options, reader, table, fit)
    write_digests(os.path.join(options.out, "training.json"), checkpoint["digests"])
    print(f"{options.out}: {len(checkpoint['digests'])} training documents, held-out folds {checkpoint['held_out']}")


if __name__ == "__main__":
    main()
