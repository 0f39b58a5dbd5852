"""Turns a checkpoint into a model folder: network to ONNX, table to int8, calibration and thresholds.

    python3 -m text.export_text --checkpoints PAGES CRAWL… [--pieces FILE] --dev DIR [--folds FILE…] --parity DIR --texts parity.jsonl
        --out ../text-7 --created DATE

`--folds` is the output of score_text.py: training documents scored by networks trained without them. They are used with dev for calibration.
`--parity` is the feature folder of the documents in `--texts`; their scores are recorded from PyTorch with the shipped
(quantised) table, so that the test compares what is shipped.
"""

import argparse
import json
import os
import shutil

import torch

from common.features import Features
from common.gold import read_by_id, write_digests
from common.model_folder import describe_files, describe_kind, describe_pieces, licences, write_about, write_network, write_table
from text.score_text import Scored, load_towers, print_scores, score_documents, scores_by_source, shipped_pieces, shipped_table
from text.text_data import CONDITIONS, Texts
from text.text_fit import crossed_errors, fitted, scored_as, scored_in_use
from text.text_graph import shipped


def describe(options, checkpoints, fits, errors):
    first = checkpoints[0]
    about, settings = first["about"], first["settings"]
    width = sum(one["settings"]["width"] for one in checkpoints)
    return {
        **describe_kind(options.out, "text", options.created),
        "conditions": CONDITIONS,
        "columns": about["columns"],
        "bags": settings["bags"],
        # The shipped scale includes the network's gain on pooled rows.
        **describe_files(options.out, about["tableRows"], width, first["scale"] * first["gain"]),
        **(describe_pieces(options.out, *shipped_pieces(checkpoints).shape, first["piece_scale"]) if options.pieces else {}),
        "window": {"lines": 2048, "context": 128},
        "calibrations": {name: {key: fit[key] for key in ("slope", "offset")} for name, fit in fits.items()},
        "thresholds": {name: fit["thresholds"] for name, fit in fits.items()},
        "calibrationErrors": {name: round(one["auto"]["error"], 3) for name, one in errors.items()},
        "training": licences(sorted({corpus for one in checkpoints for corpus in one["corpora"]})),
        "trained": [{"seed": one["seed"], "settings": one["settings"]} for one in checkpoints],
        "scores": {},
    }


def write_parity(options, reader, tables, settings, fits):
    """Writes the texts with their scores without a given condition, the predicted shares of conditions, and the scores with each given condition."""
    features = Features(options.parity)
    texts = read_by_id(options.texts)
    short = lambda numbers: [float(f"{number:.9g}") for number in numbers]
    with open(os.path.join(options.out, "parity.jsonl"), "w", encoding="utf-8") as out:
        for document in features.documents:
            text = texts[document["id"]]
            views = [{**document, "familiar": text["familiar"], "condition": name} for name in CONDITIONS]
            each = list(score_documents(reader, tables, features, views, settings))
            said = {name: short(scored_as(one, fits[name])) for name, one in zip(CONDITIONS, each)}
            record = {"id": document["id"], "lines": [line["text"] for line in text["lines"]], "scores": short(scored_in_use(each[0], fits))}
            out.write(json.dumps({**record, "conditions": short(each[0].shares), "said": said}, ensure_ascii=False) + "\n")


def print_errors(errors):
    """Formats a table for the model's README."""
    print("| condition | documents | told by the labeller | floor | said | floor |\n|---|---|---|---|---|---|")
    cells = lambda one: f"{one['error']:.3f} ({one['interval'][0]:.2f}–{one['interval'][1]:.2f}) | {one['floor'][0]:.3f} (≤ {one['floor'][1]:.3f})"
    for name, one in errors.items():
        print(f"| {name} | {one['documents']} | {cells(one['auto'])} | {cells(one['told'])} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("dev", "parity", "texts", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--pieces", help="the vocabulary, if the networks read word pieces")
    parser.add_argument("--checkpoints", nargs="+", required=True, help="checkpoints of the network for pages, then of those for crawled text")
    parser.add_argument("--folds", nargs="*", default=[])
    parser.add_argument("--created", required=True, help="the date to record, as YYYY-MM-DD")
    options = parser.parse_args()
    torch.set_num_threads(1)
    dev = Texts(options.dev)
    reader, tables, checkpoints = load_towers(*options.checkpoints)
    settings = checkpoints[0]["settings"]
    os.makedirs(options.out, exist_ok=True)
    ngrams, pieces = shipped_table(checkpoints), shipped_pieces(checkpoints)
    write_table(options.out, ngrams)
    widths = {"hand": len(dev.about["columns"]), "bags": ngrams.shape[1] * len(settings["bags"]), "pieces": 3 * pieces.shape[1]}
    assert bool(options.pieces) == bool(widths["pieces"]), "--pieces is for networks that read word pieces"
    if options.pieces:
        write_table(options.out, pieces, "piece-table.bin")
        shutil.copyfile(options.pieces, os.path.join(options.out, "pieces.bin"))
    network = shipped(reader, *widths.values())
    write_network(options.out, network, {name: width for name, width in widths.items() if width}, {"logits": True, "conditions": False}, {"condition": len(CONDITIONS) + 1})
    scored = list(score_documents(reader, tables, dev, dev.documents, settings))
    print_scores(scores_by_source(scored))
    crossed_over = [*scored, *(Scored(**one) for path in options.folds for one in torch.load(path, weights_only=False))]
    fits, errors = fitted(crossed_over), crossed_errors(crossed_over)
    print(json.dumps(fits, indent=1))
    print_errors(errors)
    write_about(options.out, describe(options, checkpoints, fits, errors))
    write_parity(options, reader, tables, settings, fits)
    write_digests(os.path.join(options.out, "training.json"), sorted({digest for one in checkpoints for digest in one["digests"]}))


if __name__ == "__main__":
    main()
