"""Turns the gold folder into what trains and measures the `page` labeller: labelled lines with their place in the page.

    python3 -m page.prepare_pages --gold DIR --out DIR [--limit N]

OUT/pages/            every gold page with our own lines, as page_lines.js writes it
OUT/train.jsonl.gz    pages that may train, of all folds, and pages of those sets that only measure, in their fold
OUT/made.jsonl.gz     what variants.py makes of those that train
OUT/train.about.jsonl fold, variant, digest and more of each document of both
OUT/eval/             one file for each set that never trains

Folds are by host, so that no site is on two sides. A page that shares much of its long lines with a page that only
measures does not train; one that shares them with a page of another fold does not train when that fold is held out.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from urllib.parse import urlparse

from common.align import label_known, label_lines
from common.gold import DEV_HOSTS, FEWEST_COVER, MOST_SHARED, digest_of, fold_of, long_lines, read, write
from page.page_types import PAGE_TYPES
from page.variants import make_variants

# Sets that may train: name, file, language and split of the rows that do. A set without folds always trains: it is too small to
# be measured on, or has no hosts. Of `masked` ones, lines that the gold does not know, or does not have, carry no loss.
TRAIN = [
    {"name": "wcxb", "file": "pages/wcxb/dev.jsonl.gz", "folds": True},
    {"name": "waddle-ru", "file": "pages/waddle/pages.jsonl.gz", "lang": "ru", "folds": True},
    {"name": "cleaneval", "file": "pages/cleaneval/pages.jsonl.gz", "split": "dev", "folds": False},
    *(
        {"name": name, "file": f"pages/{name}/pages.jsonl.gz", "folds": True, "masked": True}
        for name in ("harvest", "mercury", "atf", "rkrzr", "recipes", "juriscraper", "mirrors")
    ),
]
# Of sets that name the sets with other pages of the same host: those whose hosts may train, by their folds.
MAY_SHARE = {"wcxb"}
TRAIN_LINES = [("mbn-googletrends", "lines/mbn-googletrends/en.train.jsonl.gz")]
# Chinese and English news choose nothing but what is zero-shot in them, and so train nothing.
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
# Measured elsewhere; here only so that no copy of their pages trains.
GUARDED = [
    {"name": "trafilatura-eval", "file": "pages/trafilatura-eval/pages.jsonl.gz"},
    {"name": "readability", "file": "pages/readability/pages.jsonl.gz"},
    {"name": "newspaper4k", "file": "pages/newspaper4k/pages.jsonl.gz"},
]
GUARDED_LINES = ["lines/mbn-googletrends/en.dev.jsonl.gz", "lines/mbn-cleaneval/zh.all.jsonl.gz"]
# A page trains if our labelled lines hold this share of the gold lines' content.
FEWEST_CARRIED = 0.7

PAGE_LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page_lines.js")


class Gold:
    """The gold folder; each page file is read by page_lines.js once."""

    def __init__(self, folder, out, limit):
        self.folder, self.out, self.limit = folder, out, limit
        self.known = {}

    def pages(self, part):
        file = part["file"]
        if file not in self.known:
            self.known[file] = os.path.join(self.out, file)
            os.makedirs(os.path.dirname(self.known[file]), exist_ok=True)
            # A limit is for trials. A file of several sets is read whole: the pages of a set may be anywhere.
            is_shared = sum(one["file"] == file for one in [*TRAIN, *EVAL]) > 1
            limit = [] if self.limit is None or is_shared else [str(self.limit)]
            subprocess.run(["node", PAGE_LINES, os.path.join(self.folder, file), self.known[file], *limit], check=True)
        wanted = (page for page in read(self.known[file]) if all(page[key] == part[key] for key in part.keys() & {"lang", "split"}))
        return [{**page, "source": part["name"]} for _, page in zip(range(self.limit or 10**9), wanted)]

    def lines(self, file):
        return [document for _, document in zip(range(self.limit or 10**9), read(os.path.join(self.folder, file)))]


def labelled(pages, name, masked=False):
    """Pages with labels; prints what the labels miss."""
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
    """Whether the labels are good enough: aligned labels below the cover are noise, and so are lines that we do not find."""
    has_text = (page.get("goldText") or "").strip() != ""
    covered = page.get("goldCover") is None or page["goldCover"] >= FEWEST_COVER or not has_text
    return len(page["lines"]) > 0 and covered and page["carried"] >= FEWEST_CARRIED


def gather(gold):
    documents = []
    for part in TRAIN:
        pages = [page for page in gold.pages(part) if set(page.get("hostInShared") or []) <= MAY_SHARE]
        for page in labelled(pages, part["name"], part.get("masked")):
            fold = fold_of(urlparse(page["url"]).netloc or page["id"]) if part["folds"] else None
            # The digest is of the gold's lines: what a benchmark of the same gold can compute as well.
            digest = digest_of(page["goldLines"] if page.get("goldLines") else page["lines"])
            # Some sets have types of their own (recipe, home).
            page_type = page["pageType"] if page.get("pageType") in PAGE_TYPES else None
            documents.append({**page, "pageType": page_type, "fold": fold, "trains": trains(page), "digest": digest})
    for name, file in TRAIN_LINES:
        for one in gold.lines(file):
            lines = [{"text": line["text"], "label": int(line["label"])} for line in one["lines"]]
            fields = {"id": one["id"], "url": "", "lang": one["lang"], "source": name, "fold": None, "trains": True}
            documents.append({**fields, "lines": lines, "digest": digest_of(one["lines"])})
    return documents


def leave_out_near_duplicates(documents, held_out):
    """Pages like a held-out one no longer train; of pages like those of another fold, the folds are noted."""
    folds = {fold: set() for fold in range(DEV_HOSTS)}
    for document in documents:
        if document["fold"] is not None:
            folds[document["fold"]].update(long_lines(document))
    never = {line for document in held_out for line in long_lines(document)}
    for document in documents:
        lines = list(long_lines(document))
        shared = lambda seen: sum(line in seen for line in lines) >= MOST_SHARED * max(1, len(lines))
        document["nearFolds"] = [fold for fold, seen in folds.items() if fold != document["fold"] and shared(seen)]
        if document["trains"] and shared(never):
            print(f"left out, near-duplicate of a page that only measures: {document['id']}")
            document["trains"] = False


def for_use(document):
    """What the features and the measuring read."""
    keys = ("id", "url", "lang", "source", "title", "pageType", "lines", "goldText", "reason", "fold")
    return {key: document[key] for key in keys if document.get(key) is not None}


def about(document):
    """What decides how a document trains."""
    keys = ("id", "fold", "trains", "nearFolds", "digest", "variant", "base", "goldCover", "carried")
    whole = {"variant": "base", "base": document["id"], **document}
    return {key: whole.get(key) for key in keys}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, help="only so many pages of each set, to try the scripts")
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
