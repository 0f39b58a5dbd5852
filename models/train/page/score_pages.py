"""Writes a trained network's output for pages, before calibration: one JSON object per page.

    python3 -m page.score_pages --checkpoint FILE --features DIR... --out FILE [--pages FILE --fold N]

With `--fold`, only pages of this fold are scored, by the prepared file from which the features were made. A record has the logits of lines, types and
main content, and what measure_pages.py also needs: the lines' labels and letters.
"""

import argparse
import json

import numpy as np
import torch

from common.features import Features
from common.layers import pool_bags
from page.page_types import PAGE_TYPES
from page.page_label import MOST_LETTERS
from page.page_network import build, number_groups
from page.page_words import read_pages


def load(path):
    checkpoint = torch.load(path)
    conventions = len(checkpoint["conventions"])
    reader, table = build(checkpoint["about"], conventions, len(PAGE_TYPES) + 1, checkpoint["settings"])
    reader.load_state_dict(checkpoint["reader"])
    reader.eval()
    with torch.no_grad():
        table.weight.copy_(checkpoint["table"].float() * checkpoint["scale"])
    return reader, table, checkpoint


def logits_of(reader, table, features, document):
    """Scores one whole page, as in use."""
    lines = np.arange(document["start"], document["start"] + document["lines"])
    with torch.no_grad():
        groups = number_groups(features.groups[lines].astype(np.int64))
        logits, page = reader(torch.from_numpy(features.hand[lines]), pool_bags(table, features, lines, features.about["bags"]), *groups)
    return logits.numpy(), page.numpy()


def score_documents(reader, table, features, documents):
    for document in documents:
        logits, page = logits_of(reader, table, features, document)
        lines = slice(document["start"], document["start"] + document["lines"])
        about = {key: document.get(key) for key in ("id", "source", "lang", "pageType", "variant", "fold", "trains", "base", "walls")}
        yield {
            **about,
            "labels": features.labels[lines].tolist(),
            "letters": np.minimum(MOST_LETTERS, np.expm1(features.hand[lines, 0])).round(2).tolist(),
            "lines": [float(f"{logit:.7g}") for logit in logits],
            "page": [float(f"{logit:.7g}") for logit in page],
        }


def write_scores(path, records):
    with open(path, "w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--features", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--pages")
    parser.add_argument("--fold", type=int)
    options = parser.parse_args()
    torch.set_num_threads(1)
    reader, table, checkpoint = load(options.checkpoint)
    folds = {name: page["fold"] for name, page in read_pages([options.pages]).items()} if options.pages else {}
    records = []
    for folder in options.features:
        features = Features(folder)
        assert features.about["digest"] == checkpoint["about"]["digest"], f"{folder} was written by different code"
        wanted = [one for one in features.documents if options.fold is None or folds[one["id"]] == options.fold]
        records += score_documents(reader, table, features, wanted)
    write_scores(options.out, records)
    print(f"{options.out}: {len(records)} pages")


if __name__ == "__main__":
    main()
