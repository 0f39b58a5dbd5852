"""Turns the gold folder into three files of labelled lines, train.jsonl.gz, dev.jsonl.gz and eval.jsonl.gz, and names
what trains in training.json.

Only sets that may train go into train; test sets go into eval and nowhere else. Hosts of page sets stand on one side.
A training document that shares much of its long lines with a dev or eval document is left out.

    python3 prepare.py --gold DIR --out DIR
"""

import argparse
import gzip
import hashlib
import json
import os
import random
from urllib.parse import urlparse

from disguise import SCRIPTS, disguise_document

# Sets that may train, with the split that does. "pages" are aligned with the gold text; the others are labelled lines.
TRAIN_LINES = [
    *[("turku-tq", f"lines/turku-tq/{lang}.train.jsonl.gz") for lang in ("de", "en", "es", "fi", "fr", "sv")],
    ("mbn-cleaneval", "lines/mbn-cleaneval/en.train.jsonl.gz"),
    ("mbn-googletrends", "lines/mbn-googletrends/en.train.jsonl.gz"),
]
DEV_LINES = [("turku-tq", f"lines/turku-tq/{lang}.dev.jsonl.gz") for lang in ("de", "en", "es", "fi", "fr", "sv")]
EVAL_LINES = [
    ("canola", "lines/canola/en.all.jsonl.gz"),
    ("l3s-gn1", "lines/l3s-gn1/en.all.jsonl.gz"),
    ("mbn-cleaneval-test", "lines/mbn-cleaneval/en.test.jsonl.gz"),
    ("mbn-cleaneval-zh", "lines/mbn-cleaneval/zh.all.jsonl.gz"),
    ("mbn-googletrends-dev", "lines/mbn-googletrends/en.dev.jsonl.gz"),
]
TRAIN_PAGES = [("wcxb", "pages/wcxb/dev.jsonl.gz", None), ("waddle", "pages/waddle/pages.jsonl.gz", ("zh", "ru"))]
EVAL_PAGES = [
    ("scrapinghub", "pages/scrapinghub/pages.jsonl.gz"),
    ("newspaper4k", "pages/newspaper4k/pages.jsonl.gz"),
    ("cleanportaleval", "pages/cleanportaleval/pages.jsonl.gz"),
]
# Aligned labels below this cover of the gold text are too noisy (see the gold folder's README).
FEWEST_COVER = 0.8
# One host in five of a page set is our own dev split.
DEV_HOSTS = 5
# A training document is a near-duplicate of a held-out one from this share of its long lines on.
MOST_SHARED = 0.3
LONG_LINE = 40


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def gold(document, lines, source):
    kept = [{"text": one["text"], "label": int(one["label"])} for one in lines]
    return {"id": document["id"], "lang": document["lang"], "source": source, "lines": kept}


def read_pages(path, source, languages):
    for page in read(path):
        if not page.get("gold_lines") or (page.get("gold_cover") or 1) < FEWEST_COVER:
            continue
        if languages is None or page["lang"] in languages:
            yield urlparse(page.get("url") or "").netloc or page["id"], gold(page, page["gold_lines"], source)


def fold_of(host):
    site = ".".join(host.lower().split(".")[-2:])
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % DEV_HOSTS


def is_dev_host(host):
    return fold_of(host) == 0


def long_lines(document):
    for line in document["lines"]:
        text = "".join(line["text"].lower().split())
        if len(text) >= LONG_LINE:
            yield hashlib.md5(text.encode()).digest()


def drop_near_duplicates(train, held_out):
    seen = {line for document in held_out for line in long_lines(document)}
    kept = []
    for document in train:
        lines = list(long_lines(document))
        shared = sum(1 for line in lines if line in seen)
        if not lines or shared / len(lines) < MOST_SHARED:
            kept.append(document)
        else:
            print(f"left out, near-duplicate of a held-out document: {document['id']} ({shared}/{len(lines)})")
    return kept


def as_extracted(document, rng):
    """The page as a half-good extractor would hand it over: all content, and little of the boilerplate."""
    lines, runs = document["lines"], []
    for line in lines:
        if runs and runs[-1][0]["label"] == line["label"]:
            runs[-1].append(line)
        else:
            runs.append([line])
    kept = []
    for at, run in enumerate(runs):
        if run[0]["label"] == 1:
            kept += run
        elif 0 < at < len(runs) - 1 and rng.random() < 0.6 and len(run) <= 12:
            kept += run
        elif rng.random() < 0.7:
            size = rng.randint(1, min(8, len(run)))
            # What stands next to the content is what extractors keep.
            start = len(run) - size if at == 0 else 0 if at == len(runs) - 1 else rng.randint(0, len(run) - size)
            kept += run[start : start + size]
    return {**document, "id": document["id"] + "+extracted", "source": document["source"] + "+extracted", "lines": kept}


def write(path, documents):
    count = lines = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
        for document in documents:
            count += 1
            lines += len(document["lines"])
            out.write(json.dumps(document, ensure_ascii=False) + "\n")
    print(f"{path}: {count} documents, {lines} lines", flush=True)


def write_manifest(path, documents):
    """Names every document that trains, by the sha256 of its line texts, so that a benchmark can find test documents among them."""
    write_digests(path, (digest_of(document["lines"]) for document in documents))


def digest_of(lines):
    return hashlib.sha256("\n".join(line["text"] for line in lines).encode("utf-8")).hexdigest()


def write_digests(path, digests):
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"format": "thresher-training-1", "documents": sorted(digests)}, out, indent=0)
        out.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    at = lambda path: os.path.join(options.gold, path)
    os.makedirs(options.out, exist_ok=True)
    rng = random.Random(1)

    train = [gold(d, d["lines"], source) for source, path in TRAIN_LINES for d in read(at(path))]
    dev = [gold(d, d["lines"], source) for source, path in DEV_LINES for d in read(at(path))]
    held_out = [gold(d, d["lines"], source) for source, path in EVAL_LINES for d in read(at(path))]
    held_out += [d for source, path in EVAL_PAGES for _, d in read_pages(at(path), source, None)]
    for source, path, languages in TRAIN_PAGES:
        for host, document in read_pages(at(path), source, languages):
            (dev if is_dev_host(host) else train).append(document)

    train = drop_near_duplicates(train, dev + held_out)
    pages = ("wcxb", "waddle")
    dev += [as_extracted(d, rng) for d in dev if d["source"] in pages and any(line["label"] for line in d["lines"])]
    dev += [disguise_document(d, SCRIPTS[i % len(SCRIPTS)]) for i, d in enumerate(dev) if d["source"] == "turku-tq"]
    plain = list(train)
    write_manifest(os.path.join(options.out, "training.json"), plain)
    train += [as_extracted(d, rng) for d in plain if d["source"] in pages and any(line["label"] for line in d["lines"])]
    for document in list(train):
        chance = 1.0 if document["source"] == "turku-tq" else 0.35
        if document["lang"] in ("zh", "ru") or rng.random() > chance:
            continue
        train.append(disguise_document(document, rng.choice(SCRIPTS)))
    write(os.path.join(options.out, "train.jsonl.gz"), train)
    write(os.path.join(options.out, "dev.jsonl.gz"), dev)
    write(os.path.join(options.out, "eval.jsonl.gz"), held_out)


if __name__ == "__main__":
    main()
