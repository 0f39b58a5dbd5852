"""Turns gold pages into the sets to train and measure BoilerNet and MultiBoilerNet, with the labels of their paper.

    python3 -m papers.boilernet.boilernet_prepare --gold DIR --pages DIR --out DIR

`--pages` is the folder of prepare_pages.py: our own lines of each page, with their place. The CleanEval pages take the labels of the DOM leaves that
BoilerNet's authors published (mbn-cleaneval); align.py joins leaves into lines. The Chinese pages are found in zh-handmade by their lines. Pages of
wcxb keep the labels of prepare_pages.py.

OUT/train.jsonl.gz and dev.jsonl.gz: CleanEval's development pages, split as the paper's authors did; test.jsonl.gz and
zh.jsonl.gz: CleanEval English test, CleanEval Chinese; wcxb.jsonl.gz: pages with their fold.
"""

import argparse
import json
import os
from collections import Counter

from common.align import align
from common.gold import digest_of, read, write

# A page is the source of leaves if it shares this many of its longer lines with them, in either direction.
LEAST_SHARED = 0.25
LEAST_LETTERS = 8
# The least share of our lines with a leaf's label; with fewer, the two versions of the page differ too much.
LEAST_PAIRED = 0.5


def keys(document):
    squeezed = ("".join(line["text"].split())[:200] for line in document["lines"])
    return {line for line in squeezed if len(line) >= LEAST_LETTERS}


def number_of(name):
    """Returns the number of a CleanEval page in both collections: "cleaneval/dev/7", "mbn-cleaneval/en/ce_7-level-19"."""
    return name.split("/")[-1].replace("ce_", "").split("-")[0]


def find_by_lines(pages, leaves):
    """Finds for each document of leaves the page that shares the most lines with it, if these are enough; each page is used once."""
    where = {}
    for at, page in enumerate(pages):
        for key in keys(page):
            where.setdefault(key, []).append(at)
    found, taken = [], set()
    for document in leaves:
        own = keys(document)
        shared = Counter(at for key in own for at in where.get(key, ()) if at not in taken)
        if not shared:
            continue
        at, count = shared.most_common(1)[0]
        if count >= LEAST_SHARED * min(len(own), len(keys(pages[at]))):
            taken.add(at)
            found.append((pages[at], document))
    return found


def labelled(page, leaves):
    """Returns the page with the labels of the leaves; None if too few of its lines get one."""
    labels = align(leaves["lines"], [line["text"] for line in page["lines"]])
    paired = sum(label is not None for label in labels)
    if paired < LEAST_PAIRED * max(1, len(labels)):
        return None
    lines = [{**line, "label": label or 0} for line, label in zip(page["lines"], labels)]
    named = {key: page[key] for key in ("id", "url", "lang", "source", "title") if page.get(key) is not None}
    return {**named, "lines": lines, "digest": digest_of(leaves["lines"])}


def label_all(pairs, name):
    made = [labelled(page, leaves) for page, leaves in pairs]
    kept = [page for page in made if page is not None]
    content = sum(line["label"] for page in kept for line in page["lines"])
    lines = sum(len(page["lines"]) for page in kept)
    print(f"{name}: {len(kept)} of {len(made)} pages, {lines} lines, {content / max(1, lines):.3f} content")
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "pages", "out"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    out = lambda name: os.path.join(options.out, f"{name}.jsonl.gz")
    of_pages = lambda name: list(read(os.path.join(options.pages, f"{name}.jsonl.gz")))
    leaves = lambda part: list(read(os.path.join(options.gold, "lines", "mbn-cleaneval", f"{part}.jsonl.gz")))

    prepared = of_pages("train")
    english = [page for page in prepared if page["source"] == "cleaneval"] + of_pages("eval/cleaneval-test")
    by_number = {number_of(page["id"]): page for page in english}
    for part in ("train", "dev", "test"):
        both = [(by_number[number_of(one["id"])], one) for one in leaves(f"en.{part}") if number_of(one["id"]) in by_number]
        write(out(part), label_all(both, f"CleanEval {part}"))
    write(out("zh"), label_all(find_by_lines(of_pages("eval/zh-handmade"), leaves("zh.all")), "CleanEval zh"))

    with open(os.path.join(options.pages, "train.about.jsonl"), encoding="utf-8") as file:
        abouts = {one["id"]: one for one in map(json.loads, file)}
    wcxb = [{**page, "digest": abouts[page["id"]]["digest"]} for page in prepared if page["source"] == "wcxb" and abouts[page["id"]]["trains"]]
    # Pages similar to one of another fold are left out, because folds both train and measure here.
    write(out("wcxb"), [page for page in wcxb if not abouts[page["id"]]["nearFolds"] and page["lines"]])


if __name__ == "__main__":
    main()
