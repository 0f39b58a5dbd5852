"""Scores documents with checkpoints of train_text.py: logits as in use, and how good they are.

    python3 -m text.score_text --checkpoints PAGES CRAWL… --features DIR --out FILE [--sources NAME…]

As a command it scores a fold, or a language, left out of the training of all networks, by checkpoints of `text.train_text --fold K` or `--without
LANG`. Calibration and cuts are fitted on such folds, because dev alone has too few documents. Folds are those of the pages (1 to 4; 0 is dev), by
site; other documents get a fold by a digest of their id.
"""

import argparse
import inspect
from collections import namedtuple

import numpy as np
import torch

from common.gold import TURKU_LANGUAGES
from common.layers import Table, piece_table, pool_bags
from common.measure import counts, logloss, scores
from text.text_data import CONDITIONS, UNLABELLED, Texts, fold_of_text
from text.text_fit import GROUPS
from text.text_network import Towers, build_reader

# `free`: logits without a given condition; `known`: with it; `shares`: shares of conditions.
Scored = namedtuple("Scored", "document labels free known shares")
# What the choice of a seed uses: crawled lines for that recipe; for the other, all other dev groups with the same weight.
GUIDELINE = "turku-tq"


def load_towers(pages, *crawls):
    """Returns the networks as one, their tables joined as they ship, and the checkpoints."""
    readers, checkpoints = zip(*(load(path) for path in (pages, *crawls)))
    first = checkpoints[0]
    scales = [one["scale"] * one["gain"] for one in checkpoints]
    assert all(one["settings"]["bags"] == first["settings"]["bags"] for one in checkpoints)
    assert all(one["piece_scale"] == first["piece_scale"] for one in checkpoints)
    values = shipped_table(checkpoints)
    table = Table(*values.shape)
    with torch.no_grad():
        table.weight.copy_(values.float() * first["scale"])
    widths = [(one["settings"]["width"], one["settings"]["piece_width"]) for one in checkpoints]
    gains = [scale / scales[0] for scale in scales[1:]]
    pieces = piece_table(shipped_pieces(checkpoints), first["piece_scale"])
    return Towers(readers[0], readers[1:], widths, gains).eval(), (table, pieces), checkpoints


def shipped_table(checkpoints):
    """int8, [rows, all widths]; its scale is that of the first table."""
    return torch.cat([one["table"] for one in checkpoints], 1)


def shipped_pieces(checkpoints):
    """int8, [rows, all widths]; all have one scale."""
    return torch.cat([one["pieces"] for one in checkpoints], 1)


def load(path):
    """The network, and the checkpoint."""
    checkpoint = torch.load(path, weights_only=False) if "weights_only" in inspect.signature(torch.load).parameters else torch.load(path)
    reader = build_reader(checkpoint["about"], checkpoint["settings"])
    reader.load_state_dict(checkpoint["reader"])
    return reader.eval(), checkpoint


def score_documents(reader, tables, texts, documents, settings):
    """Scores one whole document at a time, as in use, and returns its labelled lines. `tables`: of n-grams and of pieces."""
    table, pieces = tables
    reader.eval()
    with torch.no_grad():
        for document in documents:
            lines = np.arange(document["start"], document["start"] + document["lines"])
            hand = torch.from_numpy(texts.hand[lines])
            bags = pool_bags(table, texts, lines, settings["bags"])
            bags = torch.cat([bags, pieces.pool(*texts.pieces(lines))], 1)
            bags = reader.with_letters(bags, texts, lines)
            # The last number: whether the language has labelled crawled text.
            familiar = document.get("familiar", document.get("lang") in TURKU_LANGUAGES)
            unsaid = torch.tensor([*(0.0 for _ in CONDITIONS), float(familiar)])
            free, shares = reader(hand, bags, unsaid)
            said = unsaid.clone()
            if "condition" in document:
                said[CONDITIONS.index(document["condition"])] = 1
            known, _ = reader(hand, bags, said)
            labels = texts.labels[lines]
            is_labelled = labels != UNLABELLED
            yield Scored(document, labels[is_labelled], free.numpy()[is_labelled], known.numpy()[is_labelled], shares.numpy())
    reader.train()


def scores_by_source(scored, key=lambda document: document["source"]):
    """Returns by source the `measure.scores` at logit 0 and the log loss, with the condition known."""
    groups = {}
    for one in scored:
        groups.setdefault(key(one.document), []).append(one)
    found = {}
    for name, each in groups.items():
        labels, logits = (np.concatenate([getattr(one, part) for one in each]) for part in ("labels", "known"))
        judged = np.mean([CONDITIONS[int(np.argmax(one.shares))] == one.document.get("condition") for one in each])
        found[name] = {**scores(counts(labels, logits >= 0)), "loss": logloss(labels, logits), "judged": float(judged)}
    return found


def worth(by_source, recipe):
    is_crawl = recipe != "pages"
    return float(np.mean([one["macro"] for name, one in by_source.items() if name.startswith(GUIDELINE) == is_crawl]))


def print_scores(by_source):
    for name, one in sorted(by_source.items()):
        print(f"  {name}: accuracy {one['accuracy']:.3f}, F1 {one['f1']:.3f}, macro {one['macro']:.3f}, loss {one['loss']:.3f}, condition {one['judged']:.2f}", flush=True)


def is_held_out(document, checkpoints):
    """Returns whether the document is in the fold, or in the language, that all of these networks were trained without."""
    unseen = [(one["settings"]["without_folds"], one["settings"]["without_languages"]) for one in checkpoints]
    assert all(one == unseen[0] for one in unseen), f"these networks were trained without different documents: {unseen}"
    folds, languages = unseen[0]
    return fold_of_text(document) in folds or document["lang"] in languages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--checkpoints", nargs="+", required=True)
    parser.add_argument("--sources", nargs="+", help="sources of the documents (default: all that calibrate)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = Texts(options.features)
    reader, tables, checkpoints = load_towers(*options.checkpoints)
    sources = options.sources or {source for each in GROUPS.values() for source in each}
    held_out = [one for one in texts.documents if one["source"] in sources and is_held_out(one, checkpoints)]
    scored = [one._asdict() for one in score_documents(reader, tables, texts, held_out, checkpoints[0]["settings"])]
    torch.save(scored, options.out)
    print(f"{options.out}: {len(scored)} documents")


if __name__ == "__main__":
    main()
