"""Scores documents with a checkpoint of train_text.py: logits as the network would give them in use, and what they are worth."""

from collections import namedtuple

import numpy as np
import torch

from measure import counts, logloss, scores
from network import Table
from text_data import CONDITIONS
from text_network import Towers, build

# `free`: logits where nobody says in what condition the text is; `known`: where somebody does; `shares`: of conditions.
Scored = namedtuple("Scored", "document labels free known shares")
# What the choice of a seed looks at: crawled lines for that recipe, all other dev groups for the other, each as much as the others.
GUIDELINE = "turku-tq"
FAMILIAR = ("de", "en", "es", "fi", "fr", "sv")


def load_towers(pages, *crawls):
    """The networks as one, their tables side by side as they ship, and the checkpoints."""
    readers, tables, checkpoints = zip(*(load(path) for path in (pages, *crawls)))
    scales = [one["scale"] * one["gain"] for one in checkpoints]
    widths = [one["settings"]["width"] for one in checkpoints]
    assert all(one["settings"]["bags"] == checkpoints[0]["settings"]["bags"] for one in checkpoints)
    table = Table(len(tables[0].weight), sum(widths))
    with torch.no_grad():
        table.weight.copy_(shipped_table(checkpoints).float() * checkpoints[0]["scale"])
    gains = [scale / scales[0] for scale in scales[1:]]
    return Towers(readers[0], readers[1:], widths, gains).eval(), table, checkpoints


def shipped_table(checkpoints):
    """int8, [rows, all widths]; its scale is that of the first."""
    return torch.cat([one["table"] for one in checkpoints], 1)


def load(path):
    """Reader and table as they ship, and the checkpoint."""
    checkpoint = torch.load(path)
    reader, table = build(checkpoint["about"], checkpoint["settings"])
    reader.load_state_dict(checkpoint["reader"])
    with torch.no_grad():
        table.weight.copy_(checkpoint["table"].float() * checkpoint["scale"])
    reader.eval()
    return reader, table, checkpoint


def pooled(table, features, lines, bags, weight=None):
    """The means of the lines' bags, one after the other: [lines, bags × width]."""
    numbers = [features.about["bags"].index(name) for name in bags]
    return torch.cat([table.pool(*features.bag(number, lines), weight) for number in numbers], dim=1)


def score_documents(reader, table, texts, documents, settings):
    """One whole document at a time, as in use."""
    reader.eval()
    with torch.no_grad():
        for document in documents:
            lines = np.arange(document["start"], document["start"] + document["lines"])
            hand = torch.from_numpy(texts.hand[lines])
            bags = pooled(table, texts, lines, settings["bags"]) if settings["bags"] else torch.zeros(len(lines), 0)
            bags = reader.with_letters(bags, texts, lines)
            # The last number: whether the language is one that crawled text was labelled in.
            familiar = document.get("familiar", document.get("lang") in FAMILIAR)
            nobody = torch.tensor([*(0.0 for _ in CONDITIONS), float(familiar)])
            free, shares = reader(hand, bags, nobody)
            said = nobody.clone()
            if "condition" in document:
                said[CONDITIONS.index(document["condition"])] = 1
            known, _ = reader(hand, bags, said)
            yield Scored(document, texts.labels[lines], free.numpy(), known.numpy(), shares.numpy())
    reader.train()


def scores_by_source(scored, key=lambda document: document["source"]):
    """By source: what `measure.scores` says at logit 0, and the log loss, with the condition known."""
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
