"""Reads the gold folder for the trainers, gives each site its fold, and finds documents too similar to a held-out document to be used for training.

Only sets that are allowed for training are listed for it; test sets are only measured. All pages of a host are in one fold.
"""

import gzip
import hashlib
import json
from urllib.parse import urlparse

# The languages of turku-tq, the set of crawled texts with labelled lines.
TURKU_LANGUAGES = ("de", "en", "es", "fi", "fr", "sv")
# Aligned labels below this cover of the gold text are too noisy (see the gold folder's README).
FEWEST_COVER = 0.8
# Sites are spread over so many folds; fold 0 is our own dev split.
FOLDS = 5
# A training document with at least this share of its long lines in a held-out document is its near-duplicate.
MOST_SHARED = 0.3
LONG_LINE = 40


def read(path):
    """Yields the records of a file with one JSON object a line; unpacks it if its name ends in .gz."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_by_id(path):
    return {record["id"]: record for record in read(path)}


def labelled_lines(document, source):
    """Returns a document of labelled lines, or of a page's gold lines, with labels 0 and 1."""
    lines = document["lines"] if "lines" in document else document["gold_lines"]
    kept = [{"text": one["text"], "label": int(one["label"])} for one in lines]
    register = {"register": document["register"]} if document.get("register") else {}
    return {"id": document["id"], "lang": document["lang"], "source": source, **register, "lines": kept}


def has_good_labels(page):
    return bool(page.get("gold_lines")) and (page.get("gold_cover") or 1) >= FEWEST_COVER


def host_of(page):
    return urlparse(page.get("url") or "").netloc or page["id"]


def fold_of(host):
    site = ".".join(host.lower().split(".")[-2:])
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % FOLDS


def long_lines(document):
    for line in document["lines"]:
        text = "".join(line["text"].lower().split())
        if len(text) >= LONG_LINE:
            yield hashlib.md5(text.encode()).digest()


def is_like(document, seen):
    """Whether the document shares much of its long lines with `seen`, the long lines of others."""
    lines = list(long_lines(document))
    return bool(lines) and sum(line in seen for line in lines) >= MOST_SHARED * len(lines)


def write(path, documents):
    count = lines = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
        for document in documents:
            count += 1
            lines += len(document["lines"])
            out.write(json.dumps(document, ensure_ascii=False) + "\n")
    print(f"{path}: {count} documents, {lines} lines", flush=True)


def digest_of(lines):
    return hashlib.sha256("\n".join(line["text"] for line in lines).encode("utf-8")).hexdigest()


def write_digests(path, digests):
    """Lists every training document by the sha256 of its line texts, so that a benchmark can find test documents among them."""
    with open(path, "w", encoding="utf-8") as out:
        json.dump({"format": "thresher-training-1", "documents": sorted(digests)}, out, indent=0)
        out.write("\n")
