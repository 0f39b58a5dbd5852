"""Turns the gold folder into the data to train and measure the `page` labeller: labelled lines with their place in the page.

    python3 -m page.prepare_pages --gold DIR --out DIR [--limit N]

OUT/pages/            every gold page with our own lines, as page_lines.js writes it
OUT/train.jsonl.gz    pages that may train, of all folds, and pages of those sets that only measure, in their fold
OUT/made.jsonl.gz     what variants.py makes of those that train
OUT/train.about.jsonl fold, variant, digest and more of each document of both
OUT/eval/             one file for each set that never trains

Folds are by host, so that no site is on two sides. A page that shares many of its long lines with a page for measuring is not used for training. A
page that shares them with a page of another fold is not used when that fold is held out.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from urllib.parse import urlparse

from common.align import label_known, label_lines
from common.gold import FEWEST_COVER, FOLDS, MOST_SHARED, digest_of, fold_of, long_lines, read, write
from page.page_types import PAGE_TYPES
from page.variants import make_variants

# Sets for training: name, file, language, and split of the rows used. A set without folds is always used: it is too small to measure on, or has no
# hosts. In `masked` sets, lines without a gold label, or missing from the gold, have no loss.
TRAIN = [
    {"name": "wcxb", "file": "pages/wcxb/dev.jsonl.gz", "folds": True},
    {"name": "waddle-ru", "file": "pages/waddle/pages.jsonl.gz", "lang": "ru", "folds": True},
    {"name": "cleaneval", "file": "pages/cleaneval/pages.jsonl.gz", "split": "dev", "folds": False},
    *(
        {"name": name, "file": f"pages/{name}/pages.jsonl.gz", "folds": True, "masked": True}
        for name in ("harvest", "mercury", "atf", "rkrzr", "recipes", "juriscraper", "mirrors")
    ),
]
# For sets that name the sets with other pages of the same host: those whose hosts may be used for training, by their folds.
MAY_SHARE = {"wcxb"}
TRAIN_LINES = [("mbn-googletrends", "lines/mbn-googletrends/en.train.jsonl.gz")]
# Chinese and English news only choose zero-shot settings, so they are not used for training.
EVAL = [
    {"name": "waddle-zh", "file": "pages/waddle/pages.jsonl.gz", "lang": "zh"},
    {"name": "waddle-en", "file": "pages/waddle/pages.jsonl.gz", "lang": "en"},
    {"name": "canola", "file": "pages/canola/pages.jsonl.gz"},
    {"name": "l3s-gn1", "file": "pages/l3s-gn1/pages.jsonl.gz"},
    {"name": "scrapinghub", "file": "pages/scrapinghub/pages.jsonl.gz"},
    {"name": "zh-handmade", "file": "pages/zh-handmade/pages.jsonl.gz"},
    {"name": "cleanportaleval", "file": "pages/cleanportaleval/pages.jsonl.gz"},
    {"name": "dragnet", "file": "pages/dragnet/pages.jsonl.gz"},
    {"name": "cleaneval-test", "file": "pages/cleaneval/pages.jsonl.gz", "split": "test"},
]
# Measured elsewhere; read here only so that no copy of their pages is used for training.
GUARDED = [
    {"name": "trafilatura-eval", "file": "pages/trafilatura-eval/pages.jsonl.gz"},
    {"name": "readability", "file": "pages/readability/pages.jsonl.gz"},
    {"name": "newspaper4k", "file": "pages/newspaper4k/pages.jsonl.gz"},
]
GUARDED_LINES = ["lines/mbn-googletrends/en.dev.jsonl.gz", "lines/mbn-cleaneval/zh.all.jsonl.gz"]
# A page is used for training if our labelled lines hold this share of the gold lines' content.
FEWEST_CARRIED = 0.7

PAGE_LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_lines.js")


def write_page_lines(pages, out, limit=None):
    """Writes the lines that the program finds on gold pages, of all pages or the first ones."""
    subprocess.run(["node", PAGE_LINES, pages, out, *([] if limit is None else [str(limit)])], check=True)


class Gold:
    """Reads the gold folder; page_lines.js reads each page file once."""

    def __init__(self, folder, out, limit):
        self.folder, self.out, self.limit = folder, out, limit
        self.known = {}

    def pages(self, part):
        file = part["file"]
        if file not in self.known:
            self.known[file] = os.path.join(self.out, file)
            os.makedirs(os.path.dirname(self.known[file]), exist_ok=True)
            # A limit is for trials. A file of several sets is read whole, because the pages of a set may be anywhere in it.
            is_shared = sum(one["file"] == file for one in [*TRAIN, *EVAL]) > 1
            write_page_lines(os.path.join(self.folder, file), self.known[file], None if is_shared else self.limit)
        wanted = (page for page in read(self.known[file]) if all(page[key] == part[key] for key in part.keys() & {"lang", "split"}))
        return [{**page, "source": part["name"]} for _, page in zip(range(self.limit or 10**9), wanted)]

    def lines(self, file):
        return [document for _, document in zip(range(self.limit or 10**9), read(os.path.join(self.folder, file)))]


def labelled(pages, name, masked=False):
    """Returns pages with labels, and prints what the labels miss."""
    label = label_known if masked else label_lines
    kept = [page for page in map(label, pages) if page["labelled"]]
    lines = sum(len(page["lines"]) for page in kept)
    content = sum(line["label"] == 1 for page in kept for line in page["lines"])
    unmatched = sum(page["unmatched"] for page in kept)
    print(
        f"{name}: {len(kept)} pages, {len(pages) - len(kept)} more without gold lines; {lines} lines, "
        f"{content} content, {unmatched} without a pair",
        flush=True,
    )
    return kept


def trains(page):
    """Whether the labels are good enough: aligned labels below the cover are too noisy, and so are pages whose content lines we do not find."""
    has_text = (page.get("goldText") or "").strip() != ""
    covered = page.get("goldCover") is None or page["goldCover"] >= FEWEST_COVER or not has_text
    return len(page["lines"]) > 0 and covered and page["carried"] >= FEWEST_CARRIED


def gather(gold):
    documents = []
    for part in TRAIN:
        pages = [page for page in gold.pages(part) if set(page.get("hostInShared") or []) <= MAY_SHARE]
        for page in labelled(pages, part["name"], part.get("masked")):
            fold = fold_of(urlparse(page["url"]).netloc or page["id"]) if part["folds"] else None
            # The digest is of the gold's lines, so a benchmark of the same gold can compute it, too.
            digest = digest_of(page["goldLines"] if page.get("goldLines") else page["lines"])
            # Some sets have their own types (recipe, home).
            page_type = page["pageType"] if page.get("pageType") in PAGE_TYPES else None
            documents.append({**page, "pageType": page_type, "fold": fold, "trains": trains(page), "digest": digest})
    for name, file in TRAIN_LINES:
        for one in gold.lines(file):
            lines = [{"text": line["text"], "label": int(line["label"])} for line in one["lines"]]
            fields = {"id": one["id"], "url": "", "lang": one["lang"], "source": name, "fold": None, "trains": True}
            documents.append({**fields, "lines": lines, "digest": digest_of(one["lines"])})
    return documents


def leave_out_near_duplicates(documents, held_out):
    """Excludes pages similar to a held-out page from training, and notes the folds of pages similar to those of other folds."""
    folds = {fold: set() for fold in range(FOLDS)}
    for document in documents:
        if document["fold"] is not None:
            folds[document["fold"]].update(long_lines(document))
    never = {line for document in held_out for line in long_lines(document)}
    for document in documents:
        lines = list(long_lines(document))
        shared = lambda seen: sum(line in seen for line in lines) >= MOST_SHARED * max(1, len(lines))
        document["nearFolds"] = [fold for fold, seen in folds.items() if fold != document["fold"] and shared(seen)]
        if document["trains"] and shared(never):
            print(f"left out, near-duplicate of a page for measuring: {document['id']}")
            document["trains"] = False


def for_use(document):
    """The fields that the features and the measuring read."""
    keys = ("id", "url", "lang", "source", "title", "pageType", "lines", "goldText", "reason", "fold")
    return {key: document[key] for key in keys if document.get(key) is not None}


def about(document):
    """The fields that decide how a document is used for training."""
    keys = ("id", "fold", "trains", "nearFolds", "digest", "variant", "base", "goldCover", "carried")
    whole = {"variant": "base", "base": document["id"], **document}
    return {key: whole.get(key) for key in keys}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, help="at most this many pages of each set, to try the scripts")
    options = parser.parse_args()
    gold = Gold(options.gold, options.out, options.limit)
    at = lambda *names: os.path.join(options.out, *names)
    os.makedirs(at("eval"), exist_ok=True)

    documents = gather(gold)
    held_out = [page for part in GUARDED for page in gold.pages(part)]
    held_out += [document for file in GUARDED_LINES for document in gold.lines(file)]
    for part in EVAL:
        pages = labelled(gold.pages(part), part["name"])
        write(at("eval", f"{part['name']}.jsonl.gz"), map(for_use, pages))
        held_out += pages
    leave_out_near_duplicates(documents, held_out)
    with open(at("train.about.jsonl"), "w", encoding="utf-8") as abouts:

        def noted(document):
            abouts.write(json.dumps(about(document), ensure_ascii=False) + "\n")
            return for_use(document)

        made = (page for document in documents if document["trains"] for page in make_variants(document))
        write(at("train.jsonl.gz"), map(noted, documents))
        write(at("made.jsonl.gz"), map(noted, made))
    print("trains:", dict(Counter(document["source"] for document in documents if document["trains"])))
    print("pages by fold:", dict(sorted(Counter(d["fold"] for d in documents if d["fold"] is not None).items())))


if __name__ == "__main__":
    sys.exit(main())
