"""Writes the folder of the registers model, and measures it by scores from networks trained without the scored texts.

    python3 -m registers.export_registers --features F --network NOTHING.pt --pieces PIECES.bin --vectors V.npy --scores DIR \\
        --parity TEXTS.features.jsonl.gz --texts TEXTS.jsonl --out FOLDER --created DATE

DIR is the output of train_registers.py, with fold-K, lang-CODE and test. Calibration and cuts come from all folds; to measure them, each fold gets
those of the other folds.
"""

import argparse
import json
import os
import shutil

import numpy as np
import torch

from common.model_folder import OPSET, describe_kind, describe_pieces, digest, licences, write_about, write_table
from registers.measure_registers import calibrate, measure
from registers.piece_languages import are_mixed, languages_of, piece_languages
from registers.prepare_registers import LINE_SET, PAGE_SET, UNLABELLED
from registers.register_data import Texts
from registers.register_fit import batch_pieces, priors_of
from registers.register_network import OUTPUTS, STEEPEST, Network, Shipped, pool
from registers.report_registers import report
from registers.train_registers import read_vectors

LICENCE = "CC BY 4.0"
LANGUAGE_TABLE = "piece-languages.bin"
ORIGINS = {
    "FinCORE": "TurkuNLP/FinCORE: Finnish (Laippala et al. 2019)",
    "FrCORE": "TurkuNLP/multilingual-register-labeling: French (Repo et al. 2021)",
    "SvCORE": "TurkuNLP/multilingual-register-labeling: Swedish (Repo et al. 2021)",
}
LATER = "TurkuNLP/multilingual-register-labeling (Laippala et al. 2022)"


def load(path):
    saved = torch.load(path, weights_only=False)
    network = Network(saved["vectors"], saved["columns"], saved["settings"])
    network.load_state_dict(saved["network"])
    return network.eval()


@torch.no_grad()
def table_of(network, vectors):
    """int8 [pieces, width of all parts + their heads]: values, then exponents of weights."""
    rows = [torch.cat(found) for found in zip(*(network.rows(part) for part in vectors.split(8192)))]
    width = network.parts[0].width
    both = torch.cat([*(one[:, :width] for one in rows), *(one[:, width:] for one in rows)], 1)
    return torch.round(both * 127).to(torch.int8)


def write_network(folder, network):
    shipped = Shipped(network).eval()
    width = sum(part.width for part in network.parts)
    inputs = {"pooled": torch.zeros(1, 2 * width), "columns": torch.zeros(1, len(network.means))}
    path = os.path.join(folder, "model.onnx")
    torch.onnx.export(shipped, tuple(inputs.values()), path, opset_version=OPSET, input_names=list(inputs), output_names=["logits"])


@torch.no_grad()
def shipped_logits(network, table, texts):
    """Computes the network like the program: from the table, as it ships."""
    heads = sum(part.heads for part in network.parts)
    rows = table.float() / 127
    shipped, found = Shipped(network).eval(), []
    for at in range(len(texts)):
        numbers, starts = batch_pieces(texts, [at], None, network.settings)
        pooled = pool(rows, heads, torch.from_numpy(numbers), torch.from_numpy(starts))
        found.append(shipped(pooled.reshape(1, -1), texts.columns[[at]]))
    return torch.cat(found).numpy()


def write_parity(folder, texts, tells, logits, fitted):
    with open(texts, encoding="utf-8") as file:
        known = [json.loads(line) for line in file]
    with open(os.path.join(folder, "parity.jsonl"), "w", encoding="utf-8") as file:
        for one, told, row in zip(known, tells, calibrate(logits, fitted)):
            probabilities = [round(float(value), 7) for value in row] if told else None
            file.write(json.dumps({"id": one["id"], "text": one["text"], "probabilities": probabilities}, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "network", "pieces", "vectors", "scores", "parity", "texts", "out", "created"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    texts = Texts(options.features)
    network = load(options.network)
    vectors = read_vectors(options.vectors)
    figures, fitted, cuts = measure(texts, options.scores)

    write_network(options.out, network)
    table = table_of(network, vectors)
    write_table(options.out, table, "piece-table.bin")
    shutil.copyfile(options.pieces, os.path.join(options.out, "pieces.bin"))
    features = Texts(options.parity)
    languages = piece_languages(texts, np.zeros(len(texts), bool))
    languages = np.pad(languages, (0, len(table) - len(languages)))
    write_table(options.out, torch.from_numpy(languages), LANGUAGE_TABLE)
    tells = features.tells & ~are_mixed(features, np.arange(len(features)), languages)
    write_parity(options.out, options.texts, tells, shipped_logits(network, table, features), fitted)

    heads = sum(part.heads for part in network.parts)
    priors = priors_of(texts, np.flatnonzero(texts.labelled))
    corpora = sorted({one.split("/")[0] for one, labelled in zip(texts.ids, texts.labelled) if labelled})
    about = {
        **describe_kind(options.out, "registers", options.created),
        "labels": list(OUTPUTS),
        "outputs": list(OUTPUTS),
        "columns": columns_of(options.features),
        "network": {"file": "model.onnx", "opset": OPSET, "sha256": digest(os.path.join(options.out, "model.onnx"))},
        **describe_pieces(options.out, len(table), table.shape[1], 1 / 127),
        "pieceLanguages": {"file": LANGUAGE_TABLE, "sha256": digest(os.path.join(options.out, LANGUAGE_TABLE)), "languages": languages_of(texts)},
        "settings": {
            "heads": heads,
            "headWidth": network.settings["head_width"],
            "weightScale": STEEPEST / 127,
            "calibrations": {name: {"slope": slope, "offset": offset} for name, (slope, offset) in zip(OUTPUTS, fitted)},
            "cuts": dict(zip(OUTPUTS, cuts)),
            "priors": {name: round(float(prior), 4) for name, prior in zip(OUTPUTS, priors)},
        },
        "recipe": network.settings,
        "corpora": [
            *({"corpus": name, "licence": LICENCE, "origin": ORIGINS.get(name, LATER)} for name in corpora),
            *({"corpus": name, "licence": LICENCE, "origin": f"{LATER}, without labels"} for name in UNLABELLED),
            *licences([LINE_SET, PAGE_SET, *(["multilingual-e5-small"] if network.settings["teacher"] else [])]),
        ],
        "scores": figures,
    }
    write_about(options.out, about)
    print(report(figures))


def columns_of(features):
    """Reads the names that the program wrote next to the features."""
    with open(f"{features}.columns.json", encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    main()
