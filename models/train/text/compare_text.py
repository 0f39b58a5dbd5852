"""Trains variants of the `text` labeller and compares them: ways to carry context, ways to read a line, parts of the recipe, languages left out, and
amounts of data.

    python3 -m text.compare_text --features DIR --vectors FILE --dev DIR --eval DIR --out FILE [--only NAME…] [--seeds N…] [--fold K]
    python3 -m text.compare_text --table FILE…

Each run appends one line of JSON to FILE; processes with different names may share the work. Calibration and cut are fitted
on one half of the dev documents and measured on the other. `--eval` is measured only for zero-shot Chinese. With `--fold`, networks are trained
without that fold, and its crawled text is measured, too, without a fitted cut, because dev alone has few documents.
"""

import argparse
import json

import numpy as np
import torch

from common.features import Features
from common.gold import TURKU_LANGUAGES, read
from common.measure import counts, scores
from text.crf import fit_chain, marginals
from text.score_text import score_documents
from text.text_data import TRAINING_FOLDS, Texts, fold_of_text, number_of
from text.text_fit import fitted, scored_as
from text.train_text import PAGES_FIRST, RECIPES, SETTINGS, train_once

SEEDS = (1, 2, 3)
PLACE_COLUMNS = ("position", "lines-before", "lines-after", "length-to-mean", "length-to-median", "length-to-longest", "length-to-previous", "length-to-next")
COPY_COLUMNS = ("copy", "copied-later", "copies", "near-copy", "near-copied-later", "near-copies", "same-shape", "same-beginning", "same-ending", "words-seen-elsewhere", "long-words-seen-elsewhere", "words-of-long-lines", "words-of-first-line", "word-spread")
# The parts of a line that a learned encoder can read.
FIRST_LETTERS = {"bytes": 160, "letters": 96}
# Lines of pages in addition to crawled text, if a network for crawled text starts from pages.
FEW_PAGES = {
    "without_corpora": [],
    "lines": {"turku-tq": 24_000, "wcxb": 4_000, "waddle-ru": 1_500, "waddle-zh": 1_000, "cleaneval": 1_500, "mbn-cleaneval": 1_000, "mbn-googletrends": 1_000},
    "variants": {**RECIPES["crawl"]["variants"], "raw": 1, "cut": 0.5, "readable": 0.3, "half": 0.2},
}
# The first training carries context in the same way as the second.
CONVOLVED_PAGES = {**PAGES_FIRST, "context": RECIPES["crawl"]["context"]}
# Each is trained alone, with clean texts of the same family of languages.
FAMILIES = {"Germanic": ("de", "en", "sv"), "Romance": ("es", "fr", "ca", "pt"), "Finnic": ("fi",)}
TEXT_LANGUAGES = ("de", "en", "es", "fi", "fr", "sv", "ca", "pt", "id", "ar", "hi", "ur")
# The variant that is also tried with a chain, and the documents to fit its transitions on.
CHAINED, MOST_CHAINED = "crawl, convolutions", 300
PAGE_EPOCHS = 4


def pages(seeds, **settings):
    return "pages", {"epochs": PAGE_EPOCHS, **settings}, seeds


def crawl(seeds, **settings):
    return "crawl", settings, seeds


def variants_without(recipe, *names):
    return {**RECIPES[recipe]["variants"], **{name: 0 for name in names}}


def variants_with(recipe, **shares):
    return {**RECIPES[recipe]["variants"], **shares}


# Prepared with `--also`, and not used for the shipped model.
WITH_TRICKS = {"unspaced and excerpts": {"unspaced": 0.15, "short": 0.05}, "scenes, unspaced and excerpts": {"unspaced": 0.2, "short": 0.06, "scenes": 0.4}}
CONTEXTS = {"bag of lines": "none", "LSTM": "lstm", "GRU": "gru", "convolutions": "convolutions", "transformer": "transformer"}
WITHOUT_TRICKS = {"disguise": ["disguised"], "damage": ["damaged"], "plants": ["planted", "plants", "turku-tq+plants"]}
# By name: recipe, settings and seeds. All variants for pages have the same number of epochs, fewer than the shipped network.
VARIANTS = {
    **{f"crawl, {name}": crawl(SEEDS, context=context) for name, context in CONTEXTS.items()},
    **{f"crawl, {kind} for bags": crawl(SEEDS, bags=[], encoder=kind) for kind in FIRST_LETTERS},
    "crawl, letters beside bags": crawl(SEEDS, encoder="letters"),
    "crawl, no bags": crawl(SEEDS, bags=[]),
    "crawl, words and shapes": crawl(SEEDS[:1], bags=["words", "shapes"]),
    "crawl, shapes": crawl(SEEDS[:1], bags=["shapes"]),
    "crawl, without place": crawl(SEEDS[:1], without_columns=list(PLACE_COLUMNS)),
    "crawl, without copies": crawl(SEEDS[:1], without_columns=list(COPY_COLUMNS)),
    **{f"crawl, without {name}": crawl(SEEDS[:1], variants=variants_without("crawl", *each)) for name, each in WITHOUT_TRICKS.items()},
    **{f"crawl, with {name}": crawl(SEEDS, variants=variants_with("crawl", **shares)) for name, shares in WITH_TRICKS.items()},
    "crawl, a quarter of the documents": crawl(SEEDS[:1], share=0.25),
    "crawl, half of the documents": crawl(SEEDS[:1], share=0.5),
    "crawl, pages first": crawl(SEEDS, first=CONVOLVED_PAGES),
    "crawl, pages first, and a few beside": crawl(SEEDS, first=CONVOLVED_PAGES, **FEW_PAGES),
    "crawl, with the maximum and mean of all lines": crawl(SEEDS[:1], sees_whole=True),
    "crawl, with all pages": crawl(SEEDS[:2], without_corpora=[], variants=SETTINGS["variants"], epochs=PAGE_EPOCHS),
    **{f"crawl, without {lang}": crawl(SEEDS if lang == "sv" else SEEDS[:1], without_languages=[lang]) for lang in TURKU_LANGUAGES},
    **{f"crawl, {family} alone": crawl(SEEDS, without_languages=[lang for lang in TEXT_LANGUAGES if lang not in each]) for family, each in FAMILIES.items()},
    **{f"pages, {name}": pages(SEEDS if name in ("bag of lines", "LSTM", "convolutions") else SEEDS[:1], context=context) for name, context in CONTEXTS.items()},
    "pages, without markup": pages(SEEDS, markup=0.0),
    "pages, without teacher": pages(SEEDS, teacher=0.0),
    **{f"pages, without {name}": pages(SEEDS[:1], variants=variants_without("pages", *each)) for name, each in WITHOUT_TRICKS.items()},
    "pages, without extracts": pages(SEEDS[:1], variants=variants_without("pages", "readable", "chosen", "half")),
    **{f"pages, with {name}": pages(SEEDS, variants=variants_with("pages", **shares)) for name, shares in WITH_TRICKS.items()},
    "pages, twice as long": pages(SEEDS[:1], epochs=2 * PAGE_EPOCHS),
    "pages, letters for bags": pages(SEEDS[:1], bags=[], encoder="letters"),
    "pages, half of the documents": pages(SEEDS[:1], share=0.5),
    "pages, without zh": pages(SEEDS, without_corpora=["waddle-zh"]),
    "pages, without ru": pages(SEEDS[:1], without_corpora=["waddle-ru"]),
}


def verdict(one, fits):
    """As in use if the condition is given correctly; documents without one are raw pages."""
    fit = fits[one.document.get("condition", "raw")]
    return scored_as(one, fit) >= fit["thresholds"]["balanced"]


def measured(judged):
    """Returns scores by group, for crawled text also by language; `judged`: documents with their verdicts."""
    groups = {}
    for one, verdicts in judged:
        names = [one.document["source"]]
        if one.document["source"] == "turku-tq+crawl":
            names.append(f"turku-tq {one.document['lang']}")
        for name in names:
            groups.setdefault(name, []).append(counts(one.labels, verdicts))
    return {name: {key: round(value, 4) for key, value in scores(sum(each)).items()} for name, each in groups.items()}


def crossed(scored, unseen):
    """Each half of the documents is judged by the other half's fit. Documents left out of training are not used to choose cuts either."""
    for half in range(2):
        is_here = lambda one: number_of(one.document) % 2 == half
        fits = fitted([one for one in scored if not is_here(one) and one.document["base_lang"] not in unseen])
        for one in filter(is_here, scored):
            yield one, verdict(one, fits)


def run(texts, dev, evaluated, recipe, settings, seed):
    """Returns the trained network, its scores of dev, and how good they are."""
    trained = train_once(texts, seed, settings)
    score = lambda features, documents: list(score_documents(trained["reader"], (trained["table"], trained["pieces"]), features, documents, settings))
    is_wanted = lambda document: (document["condition"] == "crawl") == (recipe == "crawl")
    scored = score(dev, [document for document in dev.documents if is_wanted(document)])
    unseen = {*settings["without_languages"], *(["zh"] if "waddle-zh" in settings["without_corpora"] else [])}
    found = measured(crossed(scored, unseen))
    folds = settings["without_folds"]
    held_out = [document for document in texts.documents if document["source"] == "turku-tq+crawl" and fold_of_text(document) in folds]
    for name, one in measured((one, one.known >= 0) for one in score(texts, held_out)).items():
        found[f"fold {name}"] = one
    if recipe == "pages" and "zh" in unseen:
        fits = fitted([one for one in scored if one.document["base_lang"] not in unseen])
        chinese = [document for document in evaluated.documents if document["source"] == "mbn-cleaneval-zh"]
        found.update(measured((one, verdict(one, fits)) for one in score(evaluated, chinese)))
    return trained, scored, found


def chain_scores(texts, trained, scored, settings, seed):
    """Tries the same network with a chain over its verdicts: transitions are fitted on crawled text, and verdicts use marginals."""
    crawled = [document for document in texts.documents if document["source"] == "turku-tq+crawl"]
    some = [crawled[at] for at in np.random.default_rng(seed).permutation(len(crawled))[:MOST_CHAINED]]
    known = score_documents(trained["reader"], (trained["table"], trained["pieces"]), texts, some, settings)
    chain = fit_chain([(one.labels, one.known) for one in known])
    of_crawl = [one for one in scored if one.document["source"] == "turku-tq+crawl"]
    return measured((one, marginals(chain, one.known) >= 0.5) for one in of_crawl)


def compare(options):
    texts, dev, evaluated = Texts(options.features, options.vectors), Texts(options.dev), Features(options.eval)
    for name in options.only or VARIANTS:
        recipe, changes, seeds = VARIANTS[name]
        settings = {**RECIPES[recipe], **changes, "without_folds": options.fold}
        if settings["encoder"]:
            for features, folder in ((texts, options.features), (dev, options.dev)):
                features.read_letters(folder.rstrip("/") + ".jsonl.gz", settings["encoder"], FIRST_LETTERS[settings["encoder"]])
        for seed in options.seeds or seeds:
            trained, scored, found = run(texts, dev, evaluated, recipe, settings, seed)
            record(options.out, name, seed, found)
            if name == CHAINED:
                record(options.out, name + " and a chain", seed, chain_scores(texts, trained, scored, settings, seed))


def record(path, name, seed, found):
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps({"variant": name, "seed": seed, "groups": found}) + "\n")


# Group, figure and heading of a table's columns, by recipe.
COLUMNS = {
    "crawl": [("turku-tq+crawl", "accuracy", "turku-tq accuracy"), ("turku-tq+crawl", "macro", "macro F1"), ("turku-tq+disguised", "accuracy", "disguised"), ("turku-tq+unspaced", "accuracy", "unspaced"), ("fold turku-tq+crawl", "accuracy", "a fold")],
    "pages": [
        ("wcxb+raw", "f1", "wcxb raw F1"),
        ("wcxb+readable", "macro", "wcxb extracted macro F1"),
        ("waddle-ru+raw", "macro", "waddle ru raw macro F1"),
        ("waddle-zh+raw", "macro", "waddle zh raw macro F1"),
        ("wcxb+unspaced", "f1", "wcxb unspaced F1"),
    ],
}


def print_table(paths):
    runs = {}
    for path in paths:
        for one in read(path):
            runs.setdefault(one["variant"], {})[one["seed"]] = one["groups"]
    for recipe, columns in COLUMNS.items():
        print("\n| | seeds | " + " | ".join(heading for *_, heading in columns) + " |\n|---|---|" + "---|" * len(columns))
        for name in [*VARIANTS, CHAINED + " and a chain"]:
            if name in runs and name.startswith(recipe):
                print(f"| {name} | {len(runs[name])} | " + " | ".join(cell(runs[name].values(), group, key) for group, key, _ in columns) + " |")
    print("\n| | seeds | measured on | accuracy | macro F1 |\n|---|---|---|---|---|")
    for lang in TURKU_LANGUAGES:
        left_out(runs, CHAINED, f"turku-tq {lang}")
        left_out(runs, f"crawl, without {lang}", f"turku-tq {lang}")
        for family, each in FAMILIES.items():
            if lang in each:
                left_out(runs, f"crawl, {family} alone", f"turku-tq {lang}")
    for name, group in (("ru", "waddle-ru+raw"), ("zh", "waddle-zh+raw"), ("zh", "mbn-cleaneval-zh")):
        left_out(runs, f"pages, without {name}", group)


def left_out(runs, name, group):
    if name in runs:
        print(f"| {name} | {len(runs[name])} | {group} | {cell(runs[name].values(), group, 'accuracy')} | {cell(runs[name].values(), group, 'macro')} |")


def cell(groups, group, key):
    values = [one[group][key] for one in groups if group in one]
    if not values:
        return ""
    spread = f" ±{np.std(values):.3f}" if len(values) > 1 else ""
    return f"{np.mean(values):.3f}{spread}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "vectors", "dev", "eval", "out"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--only", nargs="+", choices=VARIANTS)
    parser.add_argument("--seeds", type=int, nargs="+", help="instead of those of each variant")
    parser.add_argument("--fold", type=int, nargs=1, choices=range(1, TRAINING_FOLDS + 1), default=[])
    parser.add_argument("--table", nargs="+")
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.table:
        print_table(options.table)
    else:
        compare(options)


if __name__ == "__main__":
    main()
