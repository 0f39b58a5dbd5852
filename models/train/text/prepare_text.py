"""Turns the gold folder, and the output of prepare_pages.py and of train_page.py's folds, into the data to train and measure the `text` labeller:
lines of plain text in three conditions.

    python3 -m text.prepare_text --gold DIR --pages DIR --readable FILE… --out DIR [--also unspaced short scenes]

`--pages` is the work folder of train_page.sh: labelled lines with their markup, and the answers for a page's lines of networks trained without its
site (the teacher). `--readable` names the files of readable_lines.js. `--also` also makes kinds of documents that compare_text.py tries and no recipe
uses.

OUT/train.jsonl.gz, dev.jsonl.gz   documents, and about them train.about.jsonl, dev.about.jsonl: corpus, condition, variant,
                                   fold, digest; for each line its markup and the teacher's logit, if known
OUT/eval.jsonl.gz                  sets that never train
"""

import argparse
import glob
import gzip
import json
import os
import re

from common.disguise import dice
from common.gold import LONG_LINE, TURKU_LANGUAGES, digest_of, fold_of, has_good_labels, host_of, is_like, labelled_lines, long_lines, read
from text.made.conditions import CRAWL, EXTRACTED, RAW, CleanTexts, chosen, damaged, disguised, half_extracted, made, planted, readable
from text.made.excerpts import excerpt
from text.made.plant_teasers import Headlines
from text.made.plants import plant, stage
from text.made.unspaced import UNSPACED_SCRIPTS, unspaced_lines
from text.markup import markup_of

# Labelled lines for training, by corpus, and their condition.
TRAIN_LINES = [
    *[("turku-tq", f"lines/turku-tq/{lang}.train.jsonl.gz", CRAWL) for lang in TURKU_LANGUAGES],
    ("mbn-cleaneval", "lines/mbn-cleaneval/en.train.jsonl.gz", RAW),
    ("mbn-googletrends", "lines/mbn-googletrends/en.train.jsonl.gz", RAW),
]
DEV_LINES = [("turku-tq", f"lines/turku-tq/{lang}.dev.jsonl.gz", CRAWL) for lang in TURKU_LANGUAGES]
EVAL_LINES = [
    ("canola", "lines/canola/en.all.jsonl.gz"),
    ("l3s-gn1", "lines/l3s-gn1/en.all.jsonl.gz"),
    ("mbn-cleaneval-test", "lines/mbn-cleaneval/en.test.jsonl.gz"),
    ("mbn-cleaneval-zh", "lines/mbn-cleaneval/zh.all.jsonl.gz"),
    ("mbn-googletrends-dev", "lines/mbn-googletrends/en.dev.jsonl.gz"),
]
EVAL_PAGES = [
    ("scrapinghub", "pages/scrapinghub/pages.jsonl.gz"),
    ("newspaper4k", "pages/newspaper4k/pages.jsonl.gz"),
    ("cleanportaleval", "pages/cleanportaleval/pages.jsonl.gz"),
]
# Some training sets of the page labeller; prepare_sets.py has the others.
PAGES = ("wcxb", "waddle-ru", "cleaneval")
# Pages whose gold others split into lines, as is the case for users' texts, too.
CUT_PAGES = [("wcxb", "pages/wcxb/dev.jsonl.gz", ("en",)), ("waddle", "pages/waddle/pages.jsonl.gz", ("zh", "ru"))]
# Clean texts that are real texts; the other two sets of the folder have whole pages.
TEXTS = ("ArCORE", "CaCORE", "FinCORE", "FrCORE", "HiCORE", "IdCORE", "PtCORE", "SvCORE", "UrCORE")
# A clean text that shares this many runs of eight words with a held-out document counts as that document.
RUN, MOST_RUNS = 8, 3
# Longer pages have no variants, because these would fill an epoch.
MOST_LINES = 1_500
DEV_FOLD = 0
# Kinds that are only made on request: see `--also`.
TRIED = ("unspaced", "short", "scenes")
# The labeller's own idea of a blank line.
BLANK = re.compile(r"[\s\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*")


def without_blanks(lines):
    return [line for line in lines if not BLANK.fullmatch(line["text"])]


def teacher_logits(folder):
    """By id of the page: logits of its lines from a page network trained without the site."""
    logits = {}
    for path in sorted(glob.glob(os.path.join(folder, "fold-?.scores.jsonl"))):
        for record in read(path):
            if record["variant"] == "base":
                logits[record["id"]] = record["lines"]
    return logits


def read_pages(folder):
    """Yields the unchanged pages with our own lines, their markup, and the teacher's logits."""
    teacher = teacher_logits(folder)
    abouts = {one["id"]: one for one in read(os.path.join(folder, "train.about.jsonl")) if one["variant"] == "base"}
    whole = (page for page in read(os.path.join(folder, "train.jsonl.gz")) if page["source"] in PAGES)
    pages = [page for page in whole if any(line.get("path") for line in page["lines"])]
    # Chinese news is never used to train the page labeller, so it has no fold and no teacher.
    pages += [{**page, "fold": fold_of(host_of(page))} for page in read(os.path.join(folder, "eval", "waddle-zh.jsonl.gz"))]
    for page in pages:
        about = abouts.get(page["id"], {"trains": True, "nearFolds": [], "digest": digest_of(page["lines"])})
        logits = teacher.get(page["id"]) or [None] * len(page["lines"])
        if len(logits) != len(page["lines"]):
            raise SystemExit(f"the teacher has {len(logits)} logits for the {len(page['lines'])} lines of {page['id']}")
        lines = [
            {"text": line["text"], "label": line["label"], "markup": markup_of(line), "teacher": logit, "span": tuple(line.get("span") or ())}
            for line, logit in zip(page["lines"], logits)
        ]
        document = {**page, "fold": page.get("fold"), "condition": RAW, "variant": "raw", "trains": about["trains"], "near": about["nearFolds"], "digest": about["digest"]}
        yield {**document, "lines": without_blanks(lines)}


def read_lines(path, corpus, condition, variant, fold=None):
    for one in read(path):
        yield plain(labelled_lines(one, corpus), condition, variant, fold)


def plain(document, condition, variant, fold):
    """Returns a document of which only the labels are known."""
    lines = [{**line, "markup": None, "teacher": None, "span": None} for line in document["lines"]]
    fields = {"condition": condition, "variant": variant, "fold": fold, "trains": True, "near": [], "digest": digest_of(lines)}
    return {**document, **fields, "lines": without_blanks(lines)}


def read_cut(gold, known):
    """Yields the gold's own lines of pages, with fold and use of the same page with our lines."""
    for corpus, path, languages in CUT_PAGES:
        for page in read(os.path.join(gold, path)):
            same = known.get(page["id"])
            if same is None or page["lang"] not in languages or not has_good_labels(page):
                continue
            document = plain(labelled_lines(page, same["source"]), RAW, "cut", same["fold"])
            yield {**document, "id": page["id"] + "+cut", "trains": same["trains"], "near": same["near"]}


def runs_of(text):
    """Returns the text's runs of words, as hashes."""
    words = re.findall(r"\w+", text.lower())
    return {hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1)}


def runs_of_lines(documents):
    """Returns the runs of words in the documents' long lines."""
    return {run for document in documents for line in document["lines"] if len(line["text"]) > LONG_LINE for run in runs_of(line["text"])}


def clean_texts(folder, held_out):
    """Returns texts without labels of lines; texts of held-out documents are left out, because they are those documents' content lines."""
    held = runs_of_lines(held_out)
    documents = [one for name in TEXTS for one in read(os.path.join(folder, f"{name}.jsonl.gz"))]
    kept = [one for one in documents if len(runs_of(one["text"]) & held) < MOST_RUNS]
    print(f"clean texts: {len(kept)}, and {len(documents) - len(kept)} left out that are similar to held-out documents")
    return kept


def extracts(document, spans):
    """Returns the page as extractors would return it."""
    found = [readable(document, spans)] if spans else []
    if any(line["label"] for line in document["lines"]):
        found += [half_extracted(document), chosen(document)]
    return [one for one in found if one is not None]


def unspaced(document):
    script = dice(document, "script").choice(UNSPACED_SCRIPTS)
    return made(document, "unspaced", unspaced_lines(document, script), lang=script)


def short(document):
    """Returns a few lines of it, half of the time in a script without spaces; None without content."""
    rng = dice(document, "short")
    lines = excerpt(document, rng)
    if lines is None:
        return None
    fields = {"condition": CRAWL if document["condition"] == CRAWL else EXTRACTED}
    if rng.random() < 0.5 and document["lang"] != "zh":
        script = rng.choice(UNSPACED_SCRIPTS)
        lines, fields["lang"] = unspaced_lines({**document, "lines": lines}, script), script
    return made(document, "short", lines, **fields)


def changed(document, texts, tried):
    """Returns the document in other scripts, damaged, in part, with rare kinds of lines, and around another text."""
    yield damaged(document)
    part = short(document) if "short" in tried else None
    if part is not None:
        yield part
    # Chinese needs no disguise; clean texts and patterns do not fit into it.
    if document["lang"] == "zh":
        return
    yield disguised(document)
    if "unspaced" in tried:
        yield unspaced(document)
    around = planted(document, texts)
    if around is None:
        return
    yield around
    yield made(document, "plants", without_blanks(plant(document, texts)))
    if "scenes" in tried:
        lines, lang = stage(document, texts, tried["scenes"])
        yield made(document, "scenes", without_blanks(lines), lang=lang)


def variants_of(document, texts, tried, spans):
    """`tried`: the wanted kinds of TRIED, each with the data that it needs besides the document."""
    is_page, is_measured = document["variant"] == "raw", document["fold"] in (DEV_FOLD, "dev")
    extracted = extracts(document, spans) if is_page else []
    yield from extracted
    if document["fold"] == "dev":
        yield disguised(document)
    if "unspaced" in tried and is_measured and document["variant"] in ("raw", "crawl") and document["lang"] != "zh":
        yield unspaced(document)
    # The same page with other lines would only give the same variants again.
    is_repeat = document["variant"] == "cut" and document["id"].endswith("+cut")
    if is_measured or is_repeat or not document["trains"] or len(document["lines"]) > MOST_LINES:
        return
    rng = dice(document, "more")
    for base in [document, *(one for one in extracted if one["variant"] != "readable" and rng.random() < 0.5)]:
        yield from changed(base, texts, tried)


def write(folder, name, documents):
    """Splits `source` into corpus and variant, by which an epoch draws."""
    lines = count = 0
    with gzip.open(os.path.join(folder, f"{name}.jsonl.gz"), "wt", encoding="utf-8", compresslevel=1) as out:
        with open(os.path.join(folder, f"{name}.about.jsonl"), "w", encoding="utf-8") as abouts:
            for document in documents:
                if not document["lines"]:
                    continue
                about = {key: document[key] for key in ("id", "condition", "variant", "fold", "digest")}
                about.update(corpus=document["source"], base_lang=document.get("base_lang", document["lang"]))
                for key in ("markup", "teacher"):
                    values = [line.get(key) for line in document["lines"]]
                    about[key] = None if all(value is None for value in values) else values
                abouts.write(json.dumps(about) + "\n")
                kept = [{"text": line["text"], "label": line["label"]} for line in document["lines"]]
                source = f"{document['source']}+{document['variant']}"
                fields = {key: document[key] for key in ("id", "lang", "register", "condition") if key in document}
                record = {**fields, "source": source, "lines": kept}
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
                count += 1
                lines += len(kept)
    print(f"{name}: {count} documents, {lines} lines", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "pages", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--readable", nargs="+", required=True)
    parser.add_argument("--also", nargs="*", choices=TRIED, default=[])
    options = parser.parse_args()
    at = lambda *names: os.path.join(options.gold, *names)
    os.makedirs(options.out, exist_ok=True)

    pages = list(read_pages(options.pages))
    plain_lines = [d for corpus, path, condition in TRAIN_LINES for d in read_lines(at(path), corpus, condition, "crawl" if condition == CRAWL else "cut")]
    dev_lines = [d for corpus, path, condition in DEV_LINES for d in read_lines(at(path), corpus, condition, "crawl", "dev")]
    documents = [*pages, *plain_lines, *dev_lines, *read_cut(options.gold, {page["id"]: page for page in pages})]
    held_out = [labelled_lines(one, source) for source, path in EVAL_LINES for one in read(at(path))]
    held_out += [labelled_lines(page, source) for source, path in EVAL_PAGES for page in read(at(path)) if has_good_labels(page)]

    measured = [one for one in documents if one["fold"] in (DEV_FOLD, "dev")]
    seen = {line for document in [*held_out, *measured] for line in long_lines(document)}
    for document in documents:
        is_near = DEV_FOLD in document["near"] or is_like(document, seen)
        if document["fold"] not in (DEV_FOLD, "dev") and document["trains"] and is_near:
            print(f"left out, near-duplicate of a held-out document: {document['id']}")
            document["trains"] = False

    spans = {}
    for path in options.readable:
        spans.update({one["id"]: {tuple(span) for span in one["spans"]} for one in read(path)})
    texts = CleanTexts(clean_texts(at("text"), [*held_out, *measured]))
    training = [one for one in documents if one["fold"] not in (DEV_FOLD, "dev") and one["trains"]]
    tried = {kind: Headlines(training) if kind == "scenes" else None for kind in options.also}
    with_variants = lambda chosen_ones: (two for one in chosen_ones for two in (one, *variants_of(one, texts, tried, spans.get(one["id"]))))
    write(options.out, "train", with_variants(training))
    write(options.out, "dev", with_variants(measured))
    with gzip.open(os.path.join(options.out, "eval.jsonl.gz"), "wt", encoding="utf-8", compresslevel=1) as out:
        for document in held_out:
            out.write(json.dumps({**document, "lines": without_blanks(document["lines"])}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
