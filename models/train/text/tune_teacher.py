"""Tunes multilingual-e5-small to find main content line by line, in context, on a GPU: the teacher of the networks for crawled text.

    python3 -m text.tune_teacher --weights W.bin --documents FILE… --features DIR [--fold K] [--without LANG…] [--seeds 1 2] --out LOGITS.npz

`--weights` is the file that common.fetch_e5 fetches; DIR has the features of the `--documents`, which prepare_text.py, prepare_sets.py and
prepare_unlabelled.py wrote. The encoder reads as many lines together as fit, a line is the mean of its pieces, and an LSTM over the lines reads these
means and the columns. It learns from raw pages and extracts first, then from crawled text.

Each training fold has a teacher that has not seen the fold and labels the fold's crawled texts. Unlabelled texts get the mean of all teachers. With
`--fold` and `--without`, no teacher sees that fold, or labels in these languages, so that a network can learn from them and be measured on texts
unseen by both.

LOGITS.npz   `ids` of the documents, `ends` of their lines, and the `logits` of main content
"""

import argparse
import json
import time
from itertools import chain

import numpy as np
import torch
from torch import nn

from common.e5 import Weights
from common.features import Features
from common.gold import read
from common.layers import CLIP, LEAST_DEVIATION
from common.training import half, rate_at
from text.teacher_network import MASK, Teacher, padded, windows_of
from text.text_data import LABELLED, TRAINING_FOLDS, UNLABELLED, Segment, fold_by_id, language_weights

CRAWLED, UNLABELLED_TEXTS = "turku-tq+crawl", "turku-tq+unlabelled"
# The data learned first: pages unchanged and as extracted by Readability, and the set without markup.
PAGES = (*(f"{corpus}+{variant}" for corpus in LABELLED[1:] for variant in ("raw", "readable")), "mbn-googletrends+cut")
MOST_LINES_OF_A_PAGE = 260
SETTINGS = {
    "epochs": 5,
    "segment": 128,
    "tokens_a_batch": 8192,
    "rate": 6e-5,
    # The new layers on top of the encoder have a higher rate.
    "head_rate": 1e-3,
    "warm_up": 40,
    "last_rate": 0.02,
    "decay": 0.01,
    "dropout": 0.1,
    "head_dropout": 0.3,
    "hidden": 128,
    "columns": 64,
    # The most pieces from the beginning and the end of a line, the most of a window of lines, and the share that is hidden in training.
    "front": 48,
    "back": 16,
    "window": 384,
    "hide": 0.05,
    "smoothing": 0.02,
    # The weight of the loss of each line alone, before the LSTM.
    "alone": 0.3,
}
# Settings for the data learned first.
FIRST = {"epochs": 1, "tokens_a_batch": 16384, "rate": 8e-5}


class Corpus:
    """The documents that a teacher reads, from several files one after the other: pieces, columns and labels line by line."""

    def __init__(self, paths, folder, tokenizer, settings):
        features = Features(folder)
        self.documents, self.tokens, rows = [], [], []
        before = 0
        for document, known in zip(chain.from_iterable(map(read, paths)), features.documents):
            assert document["id"] == known["id"] and len(document["lines"]) == known["lines"], document["id"]
            source = document["source"]
            if source in (CRAWLED, UNLABELLED_TEXTS, *PAGES):
                size = min(known["lines"], MOST_LINES_OF_A_PAGE) if source in PAGES else known["lines"]
                self.documents.append({"id": known["id"], "lang": document["lang"], "source": source, "start": len(self.tokens), "lines": size})
                encoded = tokenizer.encode_batch([line["text"] for line in document["lines"][:size]], add_special_tokens=False)
                self.tokens += [shortened(one.ids, settings) for one in encoded]
                rows.append(np.arange(before, before + size))
            before += known["lines"]
        assert before == len(features.labels), f"{folder} has features of more documents than {' and '.join(paths)}"
        rows = np.concatenate(rows)
        hand, self.labels = features.hand[rows], features.labels[rows]
        self.hand = np.clip((hand - hand.mean(0)) / np.maximum(hand.std(0), LEAST_DEVIATION), -CLIP, CLIP).astype(np.float32)

    def of(self, *sources):
        return [one for one in self.documents if one["source"] in sources]


def shortened(ids, settings):
    front, back = settings["front"], settings["back"]
    return ids if len(ids) <= front + back else [*ids[:front], *ids[-back:]]


def batch_of(corpus, segments, encoder, settings, device, first):
    """Returns Teacher's input for these segments, and their lines. `first`: returns the size of a segment's first window."""
    windows, before = [], 0
    for one in segments:
        for numbers, owners in windows_of(corpus.tokens[one.start : one.start + one.size], first(), settings["window"], encoder):
            windows.append((numbers, [line + before if line >= 0 else line for line in owners]))
        before += one.size
    places = np.concatenate([np.arange(one.start, one.start + one.size) for one in segments])
    return (*padded(windows, device), torch.from_numpy(corpus.hand[places]).to(device), [one.size for one in segments]), places


def segments_of(documents, settings, draw):
    """Returns segments that contain each document once, long documents in parts that begin anywhere."""
    found = []
    for document in documents:
        size, most = document["lines"], settings["segment"]
        edges = [0] if size <= most else [0, *range(int(draw.integers(1, most)), size, most)]
        found += [Segment(document, document["start"] + edge, end - edge) for edge, end in zip(edges, [*edges[1:], size])]
    return found


def batches_of(corpus, segments, pieces):
    """Yields segments in batches of about this many pieces."""
    batch, size = [], 0
    for one in segments:
        batch.append(one)
        size += sum(len(tokens) + 1 for tokens in corpus.tokens[one.start : one.start + one.size])
        if size >= pieces:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def epoch_of(corpus, documents, settings, draw):
    segments = segments_of(documents, settings, draw)
    return list(batches_of(corpus, [segments[at] for at in draw.permutation(len(segments))], settings["tokens_a_batch"]))


def hidden(numbers, owners, share, mask):
    is_hidden = (torch.rand(numbers.shape, device=numbers.device) < share) & (owners >= 0)
    return numbers.masked_fill(is_hidden, mask)


def tune(corpus, documents, model, mask, settings, device, seed):
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    by_language = language_weights(documents)
    weights = np.zeros(len(corpus.labels), np.float32)
    for one in documents:
        weights[one["start"] : one["start"] + one["lines"]] = by_language[one["lang"]]
    weights[corpus.labels == UNLABELLED] = 0
    rest = [values for name, values in model.named_parameters() if not name.startswith("encoder.")]
    groups = [{"params": model.encoder.parameters(), "most": settings["rate"]}, {"params": rest, "most": settings["head_rate"]}]
    optimiser = torch.optim.AdamW(groups, lr=settings["rate"], weight_decay=settings["decay"])
    epochs = [epoch_of(corpus, documents, settings, draw) for _ in range(settings["epochs"])]
    first = lambda: int(draw.integers(settings["window"] // 4, settings["window"]))
    steps, step = sum(map(len, epochs)), 0
    model.train()
    for epoch in epochs:
        started, losses = time.time(), []
        for segments in epoch:
            for part in optimiser.param_groups:
                part["lr"] = part["most"] * rate_at(step, steps, settings)
            (numbers, owners, hand, sizes), places = batch_of(corpus, segments, model.encoder, settings, device, first)
            with half(device):
                logits, alone = model(hidden(numbers, owners, settings["hide"], mask), owners, hand, sizes)
            labels = torch.from_numpy((corpus.labels[places] == 1).astype(np.float32)).to(device)
            target = labels * (1 - settings["smoothing"]) + settings["smoothing"] / 2
            weight = torch.from_numpy(weights[places]).to(device)
            entropy = lambda said: nn.functional.binary_cross_entropy_with_logits(said.float(), target, weight, reduction="sum") / weight.sum().clamp(min=1e-6)
            loss = entropy(logits) + settings["alone"] * entropy(alone)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            losses.append(loss.detach())
        print(f"seed {seed}: {len(epoch)} steps, loss {torch.stack(losses).mean().item():.4f}, {time.time() - started:.0f} s", flush=True)
    return model.eval()


@torch.no_grad()
def score(corpus, documents, model, settings, device):
    """Returns logits of the lines of each document: the mean of two readings whose windows have different borders."""
    readings, whole = [], [Segment(one, one["start"], one["lines"]) for one in documents]
    for room in (settings["window"], settings["window"] // 2):
        found = []
        for batch in batches_of(corpus, whole, 2 * settings["tokens_a_batch"]):
            read_as, _ = batch_of(corpus, batch, model.encoder, settings, device, lambda: room)
            with half(device):
                found.append(model(*read_as)[0].float().cpu().numpy())
        readings.append(np.concatenate(found))
    ends = np.cumsum([one["lines"] for one in documents])
    return np.split(np.mean(readings, 0), ends[:-1])


def answers(corpus, weights, options, settings, device):
    """Writes the logits of each document's lines, by the document's id."""
    crawled, unlabelled = corpus.of(CRAWLED), corpus.of(UNLABELLED_TEXTS)
    is_seen = lambda one: fold_by_id(one) != options.fold and one["lang"] not in options.without
    parts = [part for part in range(1, TRAINING_FOLDS + 1) if part != options.fold]
    mask = weights.pieces.index(MASK)
    said = {}
    for seed in options.seeds:
        torch.manual_seed(seed)
        model = Teacher(weights, corpus.hand.shape[1], settings).to(device)
        pages = [one for one in corpus.of(*PAGES) if one["lang"] not in options.without]
        if pages:
            tune(corpus, pages, model, mask, {**settings, **options.first}, device, seed)
        start = {name: values.clone() for name, values in model.state_dict().items()}
        for part in parts:
            model.load_state_dict(start)
            tune(corpus, [one for one in crawled if is_seen(one) and fold_by_id(one) != part], model, mask, settings, device, seed)
            asked = [*(one for one in crawled if is_seen(one) and fold_by_id(one) == part), *unlabelled]
            for document, logits in zip(asked, score(corpus, asked, model, settings, device)):
                said.setdefault(document["id"], []).append(logits)
    return {name: np.mean(each, 0) for name, each in said.items()}


def main():
    from common.e5_tokenizer import tokenizer_of

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weights", "features", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--documents", nargs="+", required=True)
    parser.add_argument("--fold", type=int, choices=range(1, TRAINING_FOLDS + 1))
    parser.add_argument("--without", nargs="+", default=[], metavar="LANG")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON that replaces settings of this file")
    parser.add_argument("--first", type=json.loads, default=FIRST, help="JSON that replaces these settings for the data learned first")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    settings = {**SETTINGS, **options.settings}
    weights = Weights(options.weights)
    corpus = Corpus(options.documents, options.features, tokenizer_of(weights), settings)
    said = answers(corpus, weights, options, settings, device)
    np.savez(options.out, ids=list(said), ends=np.cumsum([len(one) for one in said.values()]), logits=np.concatenate(list(said.values())))
    print(f"{options.out}: {len(said)} documents")


if __name__ == "__main__":
    main()
