"""Turns the gold folder into labelled rows of texrex's features, one file for each set.

    python3 -m papers.texrex.texrex_data --gold DIR --out DIR [--limit N]

OUT/<set>.npz          rows (lines × 37), labels (1 = main content), ends (the row after each document's last)
OUT/<set>.docs.jsonl   of each document: id, lang, split, page type, site, fold, whether it trains, digest of its gold lines

`fold` is by site, as for the other models: fold 0 of wcxb and waddle is never used for shipped weights.
"""

import argparse
import base64
import json
import os
import subprocess
from typing import Any, Dict, Iterator, List
from urllib.parse import urlparse

import numpy as np

from common.align import label_lines
from common.gold import TURKU_LANGUAGES, digest_of, fold_of, is_like, long_lines, read
from page.prepare_pages import trains

ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "texrex_rows.js")
FEATURES = 37

# name, file, the fields that its rows must have, and whether it may be used for published weights.
SETS: List[Dict[str, Any]] = [
    {"name": "wcxb", "file": "pages/wcxb/dev.jsonl.gz", "ships": True},
    {"name": "waddle-zh", "file": "pages/waddle/pages.jsonl.gz", "lang": "zh", "ships": True},
    {"name": "waddle-ru", "file": "pages/waddle/pages.jsonl.gz", "lang": "ru", "ships": True},
    {"name": "waddle-en", "file": "pages/waddle/pages.jsonl.gz", "lang": "en", "ships": False},
    {"name": "cleaneval-dev", "file": "pages/cleaneval/pages.jsonl.gz", "split": "dev", "ships": True},
    {"name": "cleaneval-test", "file": "pages/cleaneval/pages.jsonl.gz", "split": "test", "ships": False},
    {"name": "canola", "file": "pages/canola/pages.jsonl.gz", "ships": False},
    {"name": "l3s-gn1", "file": "pages/l3s-gn1/pages.jsonl.gz", "ships": False},
    {"name": "zh-handmade", "file": "pages/zh-handmade/pages.jsonl.gz", "ships": False},
    {"name": "googletrends", "file": "lines/mbn-googletrends/en.train.jsonl.gz", "ships": True},
    {"name": "googletrends-dev", "file": "lines/mbn-googletrends/en.dev.jsonl.gz", "ships": False},
    *({"name": f"turku-{lang}", "file": f"lines/turku-tq/{lang}.train.jsonl.gz", "ships": True} for lang in TURKU_LANGUAGES),
    *({"name": f"turku-{lang}-dev", "file": f"lines/turku-tq/{lang}.dev.jsonl.gz", "ships": False} for lang in TURKU_LANGUAGES),
]


def described(gold: str, out: str, file: str, limit: List[str]) -> str:
    """Returns the documents of a gold file with their rows; they are made once."""
    made = os.path.join(out, "described", file)
    if not os.path.exists(made):
        os.makedirs(os.path.dirname(made), exist_ok=True)
        subprocess.run(["node", ROWS, os.path.join(gold, file), made + ".part", *limit], check=True)
        os.replace(made + ".part", made)
    return made


def labelled(path: str, part: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
    """Yields documents that have labels, and whether the labels are good enough to train on and to measure."""
    for document in read(path):
        if any(document.get(key) != part[key] for key in part.keys() & {"lang", "split"}) or not document["lines"]:
            continue
        if "goldLines" in document or "goldText" in document:
            document = label_lines(document)
            if not document["labelled"]:
                continue
            document["isGood"] = trains(document)
        else:
            document["isGood"] = True
        yield document


def site_of(document: Dict[str, Any]) -> str:
    return ".".join((urlparse(document["url"]).netloc or document["id"]).lower().split(".")[-2:])


def about(document: Dict[str, Any], held_out: set) -> Dict[str, Any]:
    gold_lines = document.get("goldLines") or document["lines"]
    return {
        **{key: document.get(key) for key in ("id", "lang", "split", "pageType", "isGood")},
        "site": site_of(document),
        "fold": fold_of(urlparse(document["url"]).netloc or document["id"]),
        "isCopy": is_like(document, held_out),
        "digest": digest_of(gold_lines),
    }


def write_set(out: str, name: str, documents: List[Dict[str, Any]], held_out: set) -> None:
    rows = [np.frombuffer(base64.b64decode(one["rows"]), "<f4").reshape(-1, FEATURES) for one in documents]
    labels = [np.array([line["label"] for line in one["lines"]], dtype=np.uint8) for one in documents]
    for one, row, label in zip(documents, rows, labels):
        assert len(row) == len(label), one["id"]
    ends = np.cumsum([len(label) for label in labels])
    np.savez_compressed(os.path.join(out, f"{name}.npz"), rows=np.concatenate(rows), labels=np.concatenate(labels), ends=ends)
    with open(os.path.join(out, f"{name}.docs.jsonl"), "w", encoding="utf-8") as file:
        for one in documents:
            file.write(json.dumps(about(one, held_out), ensure_ascii=False) + "\n")
    content = sum(int(label.sum()) for label in labels)
    good = sum(one["isGood"] for one in documents)
    print(f"{name}: {len(documents)} documents, {good} with good labels, {int(ends[-1])} lines, {content} content", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--limit", type=int, help="at most this many documents of each file, to try the scripts")
    options = parser.parse_args()
    limit = [] if options.limit is None else [str(options.limit)]
    held_out: set = set()
    # Sets for measuring come first, because nothing similar to them may be used for training.
    for part in sorted(SETS, key=lambda one: one["ships"]):
        documents = list(labelled(described(options.gold, options.out, part["file"], limit), part))
        if not documents:
            continue
        if not part["ships"]:
            held_out.update(line for document in documents for line in long_lines(document))
        write_set(options.out, part["name"], documents, held_out if part["ships"] else set())


if __name__ == "__main__":
    main()
