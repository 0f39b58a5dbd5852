"""Trains the `text` labeller and keeps its averaged weights as a checkpoint.

    python3 -m text.train_text --features DIR --vectors FILE --dev DIR --out FILE [--recipe NAME] [--seeds 1 2 3] [--settings JSON]
    python3 -m text.train_text --features DIR --vectors FILE (--fold K | --without LANG…) --out FILE [--recipe NAME] [--seeds 1]
    python3 -m text.train_text --features DIR --recipe taught --taught FILE… (--dev DIR | --fold K | --without LANG…) --out FILE

The folders are feature folders of prepare_text.py's output, whose files are next to them. With several seeds, the one that does best on dev is kept.
SETTINGS is the recipe for pages, RECIPES has all; `--settings` replaces parts of one, for experiments. `--fold` leaves out a fold, and `--without` a
language: see score_text.py.
"""

import argparse
import copy
import json
import random
import time

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from common.layers import piece_table, pool_bags
from common.training import follow, rate_at
from text.score_text import print_scores, score_documents, scores_by_source, worth
from text.text_data import CONDITIONS, CORPORA, TRAINING_FOLDS, UNLABELLED, Texts, batches_of_like, language_weights, segments_of_epoch
from text.text_network import build

# Raw and extracted pages follow the corpora of pages; crawled text follows the first corpus.
PAGE_CORPORA = ("wcxb", "waddle-ru", "cleaneval", "mbn-cleaneval", "mbn-googletrends")

SETTINGS = {
    # The network.
    "context": "lstm",
    "hidden": 64,
    # Whether each line gets the mean and the maximum of all lines.
    "sees_whole": False,
    "dilations": [1, 2, 4, 8, 16],
    "width": 16,
    "bags": ["words", "shapes", "characters"],
    # A learned encoder of the first bytes or letters of a line in addition to the bags: "bytes" or "letters". For comparison only; the program does
    # not support it.
    "encoder": "",
    # Word pieces: values of each in the table, and of the layer between it and the pretrained vectors. They are not better.
    "piece_width": 0,
    "piece_inner": 128,
    # Columns that are zeroed, for ablations.
    "without_columns": [],
    # The content of an epoch: lines of a corpus, and of each variant as a share of them.
    "epochs": 5,
    "lines": {
        "turku-tq": 24_000,
        "wcxb": 17_000,
        "waddle-ru": 5_000,
        "waddle-zh": 4_000,
        "cleaneval": 5_000,
        "mbn-cleaneval": 4_000,
        "mbn-googletrends": 4_000,
        "harvest": 2_500,
        "rkrzr": 2_000,
        "mercury": 5_000,
        "atf": 2_500,
        "recipes": 4_000,
        "juriscraper": 1_500,
        "mirrors": 3_000,
        "formasaurus": 4_000,
        "webstruct": 3_000,
        "autopager": 1_500,
        "city-scrapers": 1_500,
        "htmldate": 3_000,
    },
    # The share of that to use, for trials.
    "part": 1.0,
    "variants": {"crawl": 1, "raw": 1, "cut": 0.5, "readable": 0.2, "chosen": 0.25, "half": 0.25, "disguised": 0.3, "damaged": 0.25, "planted": 0.25, "plants": 0.25, "turku-tq+plants": 0.4},
    "segment": 128,
    "lines_a_batch": 3_000,
    "without_corpora": [],
    "without_languages": [],
    "without_folds": [],
    "share": 1.0,
    # Settings of a first training, whose weights this one starts from instead of random ones.
    "first": None,
    # Steps.
    "rate": 2e-3,
    "table_rate": 1.5e-3,
    "weight_decay": 0.01,
    "warm_up": 50,
    "last_rate": 0.02,
    "averaging": 0.98,
    "clip": 1.0,
    # Dropout of channels; rows of the table; single bags of a text; all its words; its corpus's notion.
    "dropout": 0.4,
    "row_dropout": 0.3,
    "bag_dropout": 0.1,
    "word_dropout": 0.3,
    "piece_dropout": 0.1,
    "piece_bag_dropout": 0.1,
    "convention_dropout": 0.15,
    # The loss: the teacher's part in targets; how a text's weight depends on its lines; other answers besides the labels.
    "smoothing": 0.05,
    "teacher": 0.4,
    "text_power": 0.5,
    "auxiliary": 0.3,
    "markup": 0.3,
    "judgement": 0.1,
}
LINES_OF_A_UNIT = 100
# A network for crawled text trained only on the guideline's own corpus, to compare others with.
CRAWL = {
    "context": "convolutions",
    "epochs": 8,
    "without_corpora": list(CORPORA[1:]),
    "variants": {"crawl": 1, "disguised": 0.35, "damaged": 0.2, "planted": 0.2, "plants": 0.4},
    "judgement": 0.0,
}
PAGES_FIRST = {**SETTINGS, "epochs": 4, "without_corpora": [CORPORA[0]]}
# The network for crawled text learns from pages first, and then more from a teacher's answers (tune_teacher.py) than from labels: on unlabelled texts
# in many languages, and on labelled ones. The teacher has not seen plants; with fewer plants, the network takes messages of programs as content.
TAUGHT = {
    "context": "lstm",
    "variants": {"crawl": 1, "disguised": 0.1, "damaged": 0.15, "planted": 0.2, "plants": 0.8, "unlabelled": 2.6},
    "dropout": 0.3,
    "smoothing": 0.02,
    "teacher": 0.6,
    "first": PAGES_FIRST,
}
RECIPES = {
    "pages": SETTINGS,
    "crawl": {**SETTINGS, **CRAWL},
    "taught": {**SETTINGS, **CRAWL, **TAUGHT},
}
# A bag without the words themselves.
WORDLESS = "shapes"


def kept_bags(batch, settings, rng):
    """[segments, bags]: 0 if a segment goes without the bag."""
    bags = settings["bags"]
    kept = rng.random((len(batch), len(bags))) >= settings["bag_dropout"]
    wordless = rng.random(len(batch)) < settings["word_dropout"]
    kept[np.ix_(wordless, [name != WORDLESS for name in bags])] = False
    return kept


def targets_of(texts, lines, settings):
    """Returns the smoothed labels, and whether a line has a target. The teacher's answer, if there is one, replaces a part of each label, and all of
    an unknown label."""
    logits, labels = texts.teacher[lines], texts.labels[lines]
    is_taught, is_labelled = ~np.isnan(logits), labels != UNLABELLED
    share = np.where(is_labelled, settings["teacher"], 1.0) * is_taught
    target = (1 - share) * np.where(is_labelled, labels, 0) + share / (1 + np.exp(-np.nan_to_num(logits)))
    smoothed = torch.from_numpy(target.astype(np.float32)) * (1 - settings["smoothing"]) + settings["smoothing"] / 2
    return smoothed, torch.from_numpy((is_taught | is_labelled).astype(np.float32))


def loss_of_batch(batch, texts, network, settings, by_language, rng):
    reader, table, pieces = network
    sizes = [segment.size for segment in batch]
    lines = np.concatenate([np.arange(one.start, one.start + one.size) for one in batch])
    by_line = lambda values: torch.as_tensor(np.repeat(values, sizes, axis=0))
    kept_rows = torch.from_numpy(rng.random(len(table.weight)) >= settings["row_dropout"]).float().unsqueeze(1)
    weight = table.weight * kept_rows / (1 - settings["row_dropout"])
    bags = pool_bags(table, texts, lines, settings["bags"], weight)
    bags = bags * by_line(kept_bags(batch, settings, rng)).float().repeat_interleave(settings["width"], dim=1)
    has_pieces = by_line(rng.random(len(batch)) >= settings["piece_bag_dropout"]).float().unsqueeze(1)
    bags = torch.cat([bags, pieces.pool(*texts.pieces(lines), settings["piece_dropout"]) * has_pieces], 1)
    bags = reader.with_letters(bags, texts, lines)
    corpora = by_line([CORPORA.index(one.document["corpus"]) for one in batch])
    has_notion = by_line(rng.random(len(batch)) >= settings["convention_dropout"]).float().unsqueeze(1)
    notions = reader.convention(corpora) * has_notion
    logits, judged, alone, flat = reader.read_segments(torch.from_numpy(texts.hand[lines]), bags, sizes, notions)

    target, is_known = targets_of(texts, lines, settings)
    weight = by_line([weight_of(one, by_language, settings) for one in batch]).float() * is_known
    weight = weight / weight.sum().clamp_min(1e-6)
    entropy = lambda said: (binary_cross_entropy_with_logits(said, target, reduction="none") * weight).sum()
    loss = entropy(logits) + settings["auxiliary"] * entropy(reader.auxiliary(alone).squeeze(1))
    conditions = torch.tensor([CONDITIONS.index(one.document["condition"]) for one in batch])
    loss = loss + settings["judgement"] * cross_entropy(judged, conditions)
    bits, known = texts.markup_bits(lines)
    if settings["markup"] > 0 and known.any():
        bits, known = torch.from_numpy(bits[known]), torch.from_numpy(known)
        guesses = (reader.markup(flat[known]), reader.markup_alone(alone[known]))
        loss = loss + settings["markup"] * sum(binary_cross_entropy_with_logits(guess, bits) for guess in guesses)
    return loss


def weight_of(segment, by_language, settings):
    """Returns the weight of each line: long pages must not outweigh short ones, and languages with few lines count more."""
    if segment.document["corpus"] == CORPORA[0]:
        return by_language.get(segment.document["lang"], 1.0)
    return (LINES_OF_A_UNIT / segment.size) ** (1 - settings["text_power"])


def mixtures():
    """Returns the notion of each condition as shares of corpora: see PAGE_CORPORA."""
    pages = [1 / len(PAGE_CORPORA) if corpus in PAGE_CORPORA else 0.0 for corpus in CORPORA]
    crawl = [1.0 if corpus == CORPORA[0] else 0.0 for corpus in CORPORA]
    return [crawl if condition == "crawl" else pages for condition in CONDITIONS]


def first_settings(settings):
    """Returns the settings of the first training, which sees no document that this one must not see; None if there is no first training."""
    without = {key: settings[key] for key in ("without_folds", "without_languages", "share")}
    return {**settings["first"], **without} if settings["first"] else None


def train_first(texts, seed, settings):
    """Returns the networks that the training starts from, or None."""
    first = first_settings(settings)
    return descend(texts, seed, first) if first else None


def train_once(texts, seed, settings, start=None):
    """Returns the averaged network with a fixed notion of each condition, and its table, quantised. `start`: the result of train_first."""
    reader, table, pieces = descend(texts, seed, settings, start or train_first(texts, seed, settings))
    reader.settle(mixtures())
    reader.eval()
    values, scale = table.quantised()
    rows, row_scale = pieces.quantised()
    with torch.no_grad():
        # Scores and fit use the network that ships.
        table.weight.copy_(values.float() * scale)
    run = {"reader": reader, "table": table, "values": values, "scale": scale, "seed": seed}
    return {**run, "pieces": piece_table(rows, row_scale), "rows": rows, "row_scale": row_scale}


def descend(texts, seed, settings, start=None):
    """Returns the averaged network and its table, started at random or from the networks of `start`, with their standardisation."""
    random.seed(seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    groups = texts.documents_by_source(settings)
    network = build(texts.about, settings, texts.vectors)
    reader, table, pieces = network
    epoch_of = lambda: batches_of_like(segments_of_epoch(groups, settings, rng), settings["lines_a_batch"], rng)
    epochs = [epoch_of()]
    if start:
        for part, weights in zip(network, start):
            part.load_state_dict(weights.state_dict())
    else:
        sample = np.concatenate([np.arange(one.start, one.start + one.size) for batch in epochs[0] for one in batch])
        reader.standardise(torch.from_numpy(texts.hand[sample]))
    reader.silence([texts.about["columns"].index(name) for name in settings["without_columns"]])
    by_language = language_weights([one for name, each in groups.items() if name.startswith(CORPORA[0]) and not name.endswith("+unlabelled") for one in each])
    parameters = [one for part in network for one in part.parameters()]
    optimiser = torch.optim.AdamW(
        [
            {"params": [*reader.parameters(), *pieces.parameters()], "lr": settings["rate"]},
            {"params": table.parameters(), "lr": settings["table_rate"]},
        ],
        weight_decay=settings["weight_decay"],
    )
    steps = settings["epochs"] * len(epochs[0])
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: rate_at(step, steps, settings))
    slow = copy.deepcopy(network)
    for epoch in range(settings["epochs"]):
        started, losses = time.time(), []
        for batch in epochs[0] if epoch == 0 else epoch_of():
            loss = loss_of_batch(batch, texts, network, settings, by_language, rng)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, settings["clip"])
            optimiser.step()
            schedule.step()
            for follower, part in zip(slow, network):
                follow(follower, part, settings["averaging"])
            losses.append(loss.item())
        print(f"seed {seed} epoch {epoch + 1} {time.time() - started:.0f}s loss {np.mean(losses):.4f}", flush=True)
    return slow


def trained_on(texts, settings):
    """Returns the documents of this training and of the first one."""
    both = [one for one in (settings, first_settings(settings)) if one]
    return [document for one in both for documents in texts.documents_by_source(one).values() for document in documents]


def save(path, run, texts, settings):
    documents = trained_on(texts, settings)
    checkpoint = {
        "reader": run["reader"].state_dict(),
        "table": run["values"],
        "scale": run["scale"],
        "gain": run["table"].gain,
        "pieces": run["rows"],
        "piece_scale": run["row_scale"],
        "about": texts.about,
        "settings": settings,
        "seed": run["seed"],
        "worth": run["worth"],
        "corpora": sorted({document["corpus"] for document in documents}, key=CORPORA.index),
        "digests": sorted({document["digest"] for document in documents}),
    }
    torch.save(checkpoint, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--vectors", help="vectors of the word pieces; needed by recipes that read pieces")
    measured = parser.add_mutually_exclusive_group(required=True)
    measured.add_argument("--dev")
    measured.add_argument("--fold", type=int, choices=range(1, TRAINING_FOLDS + 1))
    measured.add_argument("--without", nargs="+", default=[], metavar="LANG", help="languages whose labels are not used")
    parser.add_argument("--taught", nargs="+", default=[], metavar="FILE", help="a teacher's logits, by teach.py")
    parser.add_argument("--recipe", choices=RECIPES, default="pages")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--settings", type=json.loads, default={}, help="JSON that replaces parts of SETTINGS")
    options = parser.parse_args()
    torch.set_num_threads(1)
    assert not options.settings.keys() - SETTINGS.keys(), "no such setting"
    settings = settings_of(options)
    texts = Texts(options.features, options.vectors)
    if options.taught:
        print(f"{texts.teach(options.taught)} documents have a teacher", flush=True)
    start = train_first(texts, options.seeds[0], settings)
    if options.fold or options.without:
        [seed] = options.seeds
        best = {**train_once(texts, seed, settings, start), "worth": 0.0}
    else:
        best = choose(options, texts, start, settings)
    save(options.out, best, texts, settings)


def settings_of(options):
    settings = {**RECIPES[options.recipe], **options.settings}
    if settings["first"] and "first" not in options.settings:
        settings["first"] = {**settings["first"], **options.settings}
    if options.fold:
        settings["without_folds"] = [options.fold]
    if options.without:
        settings["without_languages"] = options.without
    return settings


def choose(options, texts, start, settings):
    """Returns the best of the seeds, all from one start."""
    dev = Texts(options.dev)
    assert texts.about["digest"] == dev.about["digest"], "train and dev features were written by different code"
    best = None
    for seed in options.seeds:
        run = train_once(texts, seed, settings, start)
        by_source = scores_by_source(score_documents(run["reader"], (run["table"], run["pieces"]), dev, dev.documents, settings))
        print_scores(by_source)
        run["worth"] = worth(by_source, options.recipe)
        print(f"seed {seed}: worth {run['worth']:.4f}", flush=True)
        if best is None or run["worth"] > best["worth"]:
            best = run
    print(f"kept: seed {best['seed']}")
    return best


if __name__ == "__main__":
    main()
