"""Trains the network that ships, on CleanEval's development pages and wcxb, and writes its folder.

    python3 -m papers.boilernet.boilernet_export --recipe multiboilernet --sets DIR --parity DIR/parity --texts parity.jsonl \\
        --table ../page-6/table.bin --out ../multiboilernet-1 --created DATE [--quick] [--epochs N] [--units N] [--dense N] [--pages N]

`--sets` has train, dev, test, zh and wcxb, `--parity` the documents of `--texts`, all as boilernet_lines.js writes them. Fold 0 of wcxb is never used
(the benchmark measures on it). Fold 1 chooses the epoch, the calibration and the cuts.
"""

import argparse
import json
import os
import shutil

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from common.calibrate import platt, probability_of
from common.gold import read, write_digests
from common.measure import counts
from common.model_folder import OPSET, describe_kind, digest, licences, write_about, write_network
from papers.boilernet.boilernet_data import LONGEST, read_pages
from papers.boilernet.boilernet_fit import logits_of, train
from papers.boilernet.boilernet_recipes import QUICK, settings_of
from papers.boilernet.boilernet_scores import paper_scores

HELD_OUT, CHOOSES = 0, 1
# The texts from which the table of boilernet_vectors.py was learned, without their labels.
UNLABELLED = ["wcxb", "cleaneval", "mbn-googletrends", "waddle-ru", "waddle-zh", "core"]
BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
# How many lines on each side of a window only give context.
CONTEXT = 64
# Weights with fewer values stay in single precision.
LEAST_QUANTISED = 4096


def calibrated(logits, fit):
    return probability_of(logits, fit["slope"], fit["offset"])


def quantise(network):
    """Rounds large weights to 255 steps for each row, as they are shipped."""
    with torch.no_grad():
        for weight in network.parameters():
            if weight.dim() == 2 and weight.numel() >= LEAST_QUANTISED:
                scale = weight.abs().amax(1, keepdim=True).clamp_min(1e-12) / 127
                weight.copy_(torch.round(weight / scale) * scale)


def store_as_int8(path):
    """Replaces large weights by bytes and a scale for each row; the runtime multiplies them once, when it loads the file."""
    model = onnx.load(path)
    graph = model.graph
    nodes, kept = [], []
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.ndim < 2 or values.size < LEAST_QUANTISED:
            kept.append(weight)
            continue
        scale = np.maximum(np.abs(values).max(-1, keepdims=True), 1e-12) / 127
        whole = np.round(values / scale).astype(np.int8)
        name = weight.name
        kept += [numpy_helper.from_array(whole, f"{name}.int8"), numpy_helper.from_array(scale.astype(np.float32), f"{name}.scale")]
        nodes.append(helper.make_node("Cast", [f"{name}.int8"], [f"{name}.float"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Mul", [f"{name}.float", f"{name}.scale"], [name]))
    del graph.initializer[:]
    graph.initializer.extend(kept)
    for at, node in enumerate(nodes):
        graph.node.insert(at, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def f_beta(labels, said, beta):
    right = (said & (labels == 1)).sum()
    return (1 + beta**2) * right / max(1, said.sum() + beta**2 * (labels == 1).sum())


def fit(pages, logits):
    """Fits Platt's calibration on lines, with the same weight for each page; the cut of each focus has the best F of its lines."""
    labels = np.concatenate([page.labels for page in pages])
    weights = np.concatenate([np.full(len(page.labels), 1 / len(page.labels)) for page in pages])
    slope, offset = platt(labels, np.concatenate(logits), weights / weights.sum())
    about = {"method": "platt", "fitted": f"wcxb fold {CHOOSES}, each page weighted alike", "slope": slope, "offset": offset}
    scores = calibrated(np.concatenate(logits), about)
    cuts = np.arange(0.05, 0.951, 0.01)
    thresholds = {name: round(float(max(cuts, key=lambda cut: f_beta(labels, scores >= cut, beta))), 3) for name, beta in BETAS.items()}
    return about, thresholds


def copy_encoder(options, vectors):
    """The files that make vectors: the table, or a transformer's folder without its own settings."""
    if vectors["kind"] == "bags":
        shutil.copyfile(options.table, os.path.join(options.out, "table.bin"))
        return
    os.makedirs(os.path.join(options.out, "onnx"), exist_ok=True)
    for name in encoder_files(vectors["folder"], vectors).values():
        shutil.copyfile(os.path.join(vectors["folder"], name), os.path.join(options.out, name))


def encoder_files(folder, vectors):
    """The parts of a transformer's folder that the labeller reads and checks."""
    parts = {"encoder": vectors["onnx"], "tokenizer": "tokenizer.json", "tokenizerConfig": "tokenizer_config.json", "config": "config.json"}
    return {part: name for part, name in parts.items() if os.path.exists(os.path.join(folder, name))}


def describe(options, inputs, parts):
    """`parts`: settings, calibration, thresholds, and the description of the vectors."""
    file = lambda name: {"file": name, "sha256": digest(os.path.join(options.out, name))}
    vectors = parts["vectors"]
    is_words = inputs.words is not None
    encoder, files = {"kind": "words", "words": inputs.words}, {}
    if not is_words and vectors["kind"] == "bags":
        encoder = {"kind": "bags", "columns": vectors["columns"], "bags": vectors["bags"], "of": vectors["model"]}
        files = {"table": {**file("table.bin"), **vectors["table"], "type": "int8"}}
    elif not is_words:
        encoder = {key: vectors[key] for key in ("kind", "pooling", "maxTokens")}
        files = {part: file(name) for part, name in encoder_files(options.out, vectors).items()}
    return {
        **describe_kind(options.out, "boilernet", options.created),
        "settings": {"tags": inputs.tags, "encoder": encoder},
        "network": {**file("model.onnx"), "opset": OPSET},
        **files,
        "window": {"lines": LONGEST, "context": CONTEXT},
        "calibration": parts["calibration"],
        "thresholds": parts["thresholds"],
        "training": licences(["mbn-cleaneval", "wcxb"]),
        **({"unlabelled": licences(UNLABELLED)} if "table" in files else {}),
        "trained": {"heldOutFolds": [HELD_OUT], "recipe": options.recipe, "pages": parts["pages"], "settings": parts["settings"]},
        "scores": parts["scores"],
    }


def write_parity(options, network, inputs, calibration):
    """Writes the documents that fit into one window, with their scores by the weights that ship."""
    pages, _ = read_pages(options.parity)
    texts = {one["id"]: one for one in (read(options.texts) if options.texts.endswith(".gz") else map(json.loads, open(options.texts, encoding="utf-8")))}
    with open(os.path.join(options.out, "parity.jsonl"), "w", encoding="utf-8") as out:
        for page, logits in zip(pages, logits_of(network, pages, inputs)):
            if len(page.labels) > LONGEST:
                continue
            lines = [{key: line[key] for key in ("text", "path", "linkChars") if line.get(key)} for line in texts[page.id]["lines"]]
            scores = [float(f"{score:.9g}") for score in calibrated(logits, calibration)]
            out.write(json.dumps({"id": page.id, "lines": lines, "scores": scores}, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("recipe", "sets", "parity", "texts", "out", "created"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--table", help="table.bin of the model whose n-grams make the vectors, if n-grams do")
    parser.add_argument("--quick", action="store_true")
    for name in ("epochs", "units", "dense"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--pages", type=int, help="at most this many pages of wcxb for training, and a third as many for choosing")
    options = parser.parse_args()
    torch.set_num_threads(1)
    at = lambda name: os.path.join(options.sets, name)
    cleaneval = [page for name in ("train", "dev") for page in read_pages(at(name))[0]]
    wcxb, vectors = read_pages(at("wcxb"))
    # In the order of their digests, which is arbitrary.
    wcxb.sort(key=lambda page: page.digest)
    dev = [page for page in wcxb if page.fold == CHOOSES][: options.pages and options.pages // 3]
    trains = cleaneval + [page for page in wcxb if page.fold not in (HELD_OUT, CHOOSES)][: options.pages]
    sizes = {name: getattr(options, name) for name in ("epochs", "units", "dense")}
    settings = settings_of(options.recipe, **{**(QUICK if options.quick else {}), **{name: size for name, size in sizes.items() if size}})
    print(f"{len(trains)} pages train, {len(dev)} choose", flush=True)
    network, inputs, _ = train(trains, dev, settings)
    quantise(network)
    logits = logits_of(network, dev, inputs)
    calibration, thresholds = fit(dev, logits)
    said = [calibrated(one, calibration) >= thresholds["balanced"] for one in logits]
    scores = {f"wcxb fold {CHOOSES}": paper_scores([counts(page.labels, one) for page, one in zip(dev, said)])}
    for name in ("test", "zh"):
        pages = read_pages(at(name))[0]
        said = [calibrated(one, calibration) >= thresholds["balanced"] for one in logits_of(network, pages, inputs)]
        scores[f"cleaneval {name}"] = paper_scores([counts(page.labels, one) for page, one in zip(pages, said)])

    os.makedirs(options.out, exist_ok=True)
    if inputs.words is None:
        copy_encoder(options, vectors)
    width = len(inputs.words) + 1 if inputs.words is not None else vectors["width"]
    write_network(options.out, network, {"tags": len(inputs.tags) + 1, "text": width}, {"logits": True})
    store_as_int8(os.path.join(options.out, "model.onnx"))
    parts = {"settings": settings, "calibration": calibration, "thresholds": thresholds, "vectors": vectors, "scores": scores}
    parts["pages"] = {"cleaneval": len(cleaneval), "wcxb": len(trains) - len(cleaneval), "choose": len(dev)}
    write_about(options.out, describe(options, inputs, parts))
    write_parity(options, network, inputs, calibration)
    write_digests(os.path.join(options.out, "training.json"), {page.digest for page in trains})
    print(json.dumps(scores), calibration, thresholds)


if __name__ == "__main__":
    main()
