"""Adds networks for crawled text to those of an existing model folder, or replaces them, and writes a new folder.

    python3 -m text.extend_text --base ../text-6 --without 1 2 --checkpoints TAUGHT… --dev DIR --folds FILE… --parity DIR
        --texts parity.jsonl --out ../text-7 --created DATE

For raw pages and extracts nothing changes except for rounding: networks, calibrations, cuts, and the prediction of the condition stay the same.
Calibration and cuts of crawled text are fitted anew, on the new folder's scores of dev, and on `--folds`: the output of score_text.py for crawled
text that the scoring networks were trained without.
"""

import argparse
import json
import os

import numpy as np
import torch

from common.gold import write_digests
from common.model_folder import describe_files, describe_kind, licences, write_about, write_network, write_table
from text.export_text import print_errors, write_parity
from text.score_text import Scored, load, score_documents
from text.shipped_networks import read_networks
from text.text_data import CONDITIONS, Texts
from text.text_fit import GROUPS, crossed_errors, fitted
from text.text_graph import shipped
from text.text_network import Towers

CRAWL = "crawl"
# The corpora of the teacher and its texts, in addition to those of the base.
TEACHER = ("multilingual-e5-small", "core", "htmldate", "autopager", "formasaurus", "webstruct", "mercury", "recipes", "mirrors", "rkrzr", "harvest", "atf")


def extended(folder, without, paths):
    """Returns Towers with the new networks and those that are kept, their tables, and the int8 values of these. `without`: numbers of the networks
    for crawled text, from 1, that are removed."""
    towers, (table, pieces), about = read_networks(folder)
    stay = [number for number in range(1 + len(towers.crawls)) if number not in without]
    about["trained"] = [about["trained"][number] for number in stay]
    readers, checkpoints = zip(*(load(path) for path in paths))
    assert all(one["settings"]["piece_width"] == 0 for one in checkpoints), "networks that read word pieces cannot be added"
    assert all(one["about"]["columns"] == about["columns"] and one["settings"]["bags"] == about["bags"] for one in checkpoints)
    scale = about["table"]["scale"]
    each = torch.split(torch.round(table.weight.detach() / scale).to(torch.int8), [width for width, _ in towers.widths], dim=1)
    values = torch.cat([*(each[number] for number in stay), *(one["table"] for one in checkpoints)], 1)
    # The factor by which the real values of a new table are larger.
    gains = [*(towers.gains[number - 1] for number in stay[1:]), *(one["scale"] * one["gain"] / scale for one in checkpoints)]
    widths = [*(towers.widths[number] for number in stay), *((one["settings"]["width"], 0) for one in checkpoints)]
    table = type(table)(*values.shape)
    table.gain = 1.0
    with torch.no_grad():
        table.weight.copy_(values.float() * scale)
    networks = Towers(towers.pages, [*(towers.crawls[number - 1] for number in stay[1:]), *readers], widths, gains).eval()
    return networks, (table, pieces), values, about, checkpoints


def as_told(one):
    """Returns the scores for text given as crawled, in both ways."""
    return one._replace(free=one.known, shares=np.array([float(name == CRAWL) for name in CONDITIONS]))


def refitted(about, scored):
    """Returns all conditions' calibrations and cuts: for crawled text fitted on these documents, for the others unchanged."""
    fits = {name: {**about["calibrations"][name], "thresholds": about["thresholds"][name]} for name in CONDITIONS}
    return {**fits, **fitted([one for one in scored if one.document["source"] in GROUPS[CRAWL]])}


def describe(options, base, width, checkpoints, fits, errors):
    table = base["table"]
    kept = {key: base[key] for key in ("conditions", "columns", "bags")}
    errors = {**base["calibrationErrors"], CRAWL: round(errors[CRAWL]["told"]["error"], 3)}
    return {
        **describe_kind(options.out, "text", options.created),
        **kept,
        **describe_files(options.out, table["rows"], width, table["scale"]),
        "window": base["window"],
        "calibrations": {name: {key: fit[key] for key in ("slope", "offset")} for name, fit in fits.items()},
        "thresholds": {name: fit["thresholds"] for name, fit in fits.items()},
        "calibrationErrors": errors,
        "training": [*base["training"], *(one for one in licences(TEACHER) if one not in base["training"])],
        "trained": [*base["trained"], *({"seed": one["seed"], "settings": one["settings"]} for one in checkpoints)],
        "scores": {},
        "settings": base["settings"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("base", "dev", "parity", "texts", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--checkpoints", nargs="+", required=True)
    parser.add_argument("--without", nargs="*", type=int, default=[], help="numbers of networks for crawled text to remove, from 1")
    parser.add_argument("--folds", nargs="+", required=True)
    parser.add_argument("--created", required=True, help="the date to record, as YYYY-MM-DD")
    options = parser.parse_args()
    torch.set_num_threads(1)
    networks, tables, values, base, checkpoints = extended(options.base, options.without, options.checkpoints)
    os.makedirs(options.out, exist_ok=True)
    write_table(options.out, values)
    widths = {"hand": len(base["columns"]), "bags": values.shape[1] * len(base["bags"])}
    network = shipped(networks, *widths.values(), 0)
    write_network(options.out, network, widths, {"logits": True, "conditions": False}, {"condition": len(CONDITIONS) + 1})
    dev, settings = Texts(options.dev), {"bags": base["bags"]}
    crawled = [one for one in dev.documents if one["source"] in GROUPS[CRAWL]]
    folds = (Scored(**one) for path in options.folds for one in torch.load(path, weights_only=False))
    scored = [as_told(one) for one in (*score_documents(networks, tables, dev, crawled, settings), *folds)]
    fits, errors = refitted(base, scored), crossed_errors(scored)
    print(json.dumps(fits[CRAWL], indent=1))
    print_errors({CRAWL: errors[CRAWL]})
    write_about(options.out, describe(options, base, values.shape[1], checkpoints, fits, errors))
    write_parity(options, networks, tables, settings, fits)
    with open(os.path.join(options.base, "training.json"), encoding="utf-8") as file:
        before = json.load(file)["documents"]
    write_digests(os.path.join(options.out, "training.json"), sorted({*before, *(digest for one in checkpoints for digest in one["digests"])}))


if __name__ == "__main__":
    main()
