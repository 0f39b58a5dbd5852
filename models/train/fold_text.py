"""Trains both networks of the `text` labeller without one fold of what trains them, and says what they make of that fold:
what calibration and cuts are fitted on, since dev alone has too few documents for that.

    python3 fold_text.py --features DIR --fold K --out FILE [--seed 1]

Folds are those of the pages (1 to 4; 0 is dev), by site; other documents get theirs by a digest of their id.
"""

import argparse
import json
import os

import torch

from score_text import load_towers, score_documents
from text_data import Texts, fold_of_text
from text_fit import GROUPS
from train_text import RECIPES, save, train_once

FOLDS = (1, 2, 3, 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fold", type=int, choices=FOLDS, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON that replaces parts of both recipes")
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = Texts(options.features)
    paths = {recipe: f"{options.out}.{recipe}.pt" for recipe in RECIPES}
    for recipe, path in paths.items():
        settings = {**RECIPES[recipe], **options.settings, "without_folds": [options.fold]}
        run = {**train_once(texts, options.seed, settings), "worth": 0.0}
        save(path, run, texts, settings, texts.groups(settings))
    reader, table, checkpoints = load_towers(paths["pages"], paths["crawl"])
    settings = {**checkpoints[0]["settings"], "width": table.weight.shape[1]}
    sources = {source for each in GROUPS.values() for source in each}
    held_out = [one for one in texts.documents if one["source"] in sources and fold_of_text(one) == options.fold]
    scored = [one._asdict() for one in score_documents(reader, table, texts, held_out, settings)]
    torch.save(scored, options.out)
    print(f"fold {options.fold}: {len(scored)} documents")
    for path in paths.values():
        os.remove(path)


if __name__ == "__main__":
    main()
