"""Adds further sets of pages to the output of prepare_text.py: labelled pages of forums, recipes, listings and more, with some unlabelled lines, and
unlabelled pages, for which the page labeller is the teacher.

    python3 -m text.prepare_sets --gold DIR --model DIR --pages DIR --text DIR --out DIR [--limit N]

`--model` is the folder of a page labeller; one that was trained on these pages (page-6, except the fifth of sites for measuring) is surer about them
than about others. `--pages` is the work folder of train_page.sh, and `--text` the output of prepare_text.py: no page similar to one for measuring
there is used for training.

OUT/more.jsonl.gz, more-dev.jsonl.gz   documents as in train.jsonl.gz, with null for unknown labels, and about them
                                       more.about.jsonl, more-dev.about.jsonl; more-dev has the sites for measuring only
OUT/sets/ the lines of these pages, the teacher's logits, and the lines that Readability takes as the article
"""

import argparse
import glob
import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice

from common.align import align_known
from common.gold import digest_of, fold_of, has_good_labels, host_of, is_like, long_lines, read, read_by_id
from text.made.conditions import RAW, damaged, disguised
from text.markup import markup_of
from text.prepare_text import DEV_FOLD, MOST_LINES, extracts, without_blanks, write

LABELLED = ("harvest", "rkrzr", "mercury", "atf", "recipes", "juriscraper", "mirrors")
UNLABELLED = ("formasaurus", "webstruct", "autopager", "city-scrapers", "htmldate")
# Sets of articles, for which Readability finds the article; and recipes, for their languages.
READABLE = ("harvest", "mercury", "atf", "recipes", "htmldate")
# Other sets that may have a host of these pages: one is used in folds by site, like these, and two are partly used for training in other ways.
FOLDED = {"wcxb"}
TRAINED = {"waddle", "cleaneval"}
# Pages for training in the work folder of train_page.sh; all others there are for measuring.
TRAINING_PAGES = ("wcxb/dev.jsonl.gz", *(f"{name}/pages.jsonl.gz" for name in LABELLED))
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


class Sets:
    """Writes the sets in the program's form. Existing files in `out` are kept."""

    def __init__(self, gold, model, out, limit):
        self.gold, self.model, self.out, self.limit = gold, model, out, limit
        os.makedirs(out, exist_ok=True)

    def html(self, name, pages):
        """Writes the pages without their gold, because some have NaN there, which is not valid JSON."""
        path = os.path.join(self.out, name)
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
            for page in pages:
                out.write(json.dumps({key: page[key] for key in ("id", "url", "lang", "source", "html")}, ensure_ascii=False) + "\n")
        return path

    def made(self, name, script, *given):
        """Returns the file that a script writes for its input."""
        path = os.path.join(self.out, name)
        if not os.path.exists(path):
            part = os.path.join(self.out, f"part.{name}")
            subprocess.run(["node", os.path.join(SCRIPTS, script), *given, part], check=True)
            os.replace(part, path)
        return path

    def pages(self, name):
        """Yields pages of a set: the gold's fields, our lines, the teacher's logits, and the spans that Readability takes."""
        folder = "unlabelled" if name in UNLABELLED else name
        path = os.path.join(self.gold, "pages", folder, f"{name if name in UNLABELLED else 'pages'}.jsonl.gz")
        golds = {one["id"]: one for one in islice(read(path), self.limit)}
        html = self.html(f"{name}.html.jsonl.gz", golds.values())
        lines = self.made(f"{name}.jsonl.gz", "page/page_lines.js", html)
        scores = read_by_id(self.made(f"{name}.scores.jsonl", "page/score_model.js", self.model, lines))
        spans = read_by_id(self.made(f"{name}.readable.jsonl", "text/readable_lines.js", html)) if name in READABLE else {}
        for page in read(lines):
            taken = {tuple(span) for span in spans.get(page["id"], {}).get("spans", ())}
            yield {**golds[page["id"]], "source": name, "lines": page["lines"], "teacher": scores[page["id"]]["lines"], "spans": taken}


def labels_of(page):
    """Returns labels of the page's lines; None if its gold lines do not say, or do not have the line."""
    texts = [line["text"] for line in page["lines"]]
    return align_known(page["gold_lines"], texts) if page["source"] in LABELLED else [None] * len(texts)


def document_of(page):
    """Returns the page as a document of plain text, with everything known about its lines."""
    kept = zip(page["lines"], labels_of(page), page["teacher"])
    lines = [{"text": line["text"], "label": label, "markup": markup_of(line), "teacher": logit, "span": tuple(line["span"])} for line, label, logit in kept]
    fields = {key: page[key] for key in ("id", "lang", "source", "spans")}
    digest = digest_of(page.get("gold_lines") or lines)
    # Pages without an address are not measured, because other pages of their site may be used for training.
    fold = fold_of(host_of(page)) if page.get("url") else None
    about = {"fold": fold, "condition": RAW, "variant": "raw", "digest": digest}
    return {**fields, **about, "lines": without_blanks(lines), "shared": set(page.get("host_in_shared") or ())}


def documents_of(sets):
    for name in (*LABELLED, *UNLABELLED):
        for page in sets.pages(name):
            if len(page["lines"]) != len(page["teacher"]):
                raise SystemExit(f"the teacher has {len(page['teacher'])} logits for the {len(page['lines'])} lines of {page['id']}")
            if page["lines"] and (name in UNLABELLED or has_good_labels(page)):
                yield document_of(page)


def measures(document):
    is_known = any(line["label"] is not None for line in document["lines"])
    return is_known and document["fold"] == DEV_FOLD and not document["shared"] & TRAINED


def may_train(document):
    return document["fold"] != DEV_FOLD and document["shared"] <= FOLDED


def lines_that_measure(pages, text):
    """Returns the long lines of documents that measure elsewhere."""
    training = {os.path.join(pages, "pages", name) for name in TRAINING_PAGES}
    paths = sorted({*glob.glob(os.path.join(pages, "pages", "*", "*.jsonl.gz"))} - training)
    paths += [os.path.join(text, f"{name}.jsonl.gz") for name in ("dev", "eval")]
    return {line for path in paths for document in read(path) for line in long_lines(document)}


def with_variants(document, is_measured):
    """Returns the document, the output of extractors for it and, for training, documents made from its labels."""
    first = {**document, "lines": document["lines"][:MOST_LINES]} if document["source"] in UNLABELLED else document
    yield first
    yield from extracts(first, document["spans"])
    if not is_measured and document["source"] in LABELLED and len(document["lines"]) <= MOST_LINES:
        yield damaged(document)
        if document["lang"] != "zh":
            yield disguised(document)


def split(documents, seen):
    """Splits documents into those for training and those for measuring."""
    measured = [one for one in documents if measures(one)]
    seen = seen | {line for one in measured for line in long_lines(one)}
    training = []
    for one in documents:
        if not may_train(one):
            continue
        if is_like(one, seen):
            print(f"left out, near-duplicate of a document for measuring: {one['id']}", file=sys.stderr)
        else:
            training.append(one)
    return training, measured


def counted(documents, counts):
    for document in documents:
        yield document
        key = (document["source"], document.get("base_lang", document["lang"]), document["condition"], document["variant"])
        labels = Counter(line["label"] for line in document["lines"])
        counts.setdefault(key, Counter()).update({"documents": 1, "content": labels[1], "boilerplate": labels[0], "unknown": labels[None]})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "model", "pages", "text", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, help="at most this many pages of each set, to try the script")
    options = parser.parse_args()
    sets = Sets(options.gold, options.model, os.path.join(options.out, "sets"), options.limit)
    training, measured = split(list(documents_of(sets)), lines_that_measure(options.pages, options.text))
    for name, documents in (("more", training), ("more-dev", measured)):
        counts = {}
        made = (two for one in documents for two in with_variants(one, documents is measured))
        write(options.out, name, counted(made, counts))
        for key, count in sorted(counts.items()):
            print(name, *key, *(f"{what}={number}" for what, number in count.items()))


if __name__ == "__main__":
    main()
