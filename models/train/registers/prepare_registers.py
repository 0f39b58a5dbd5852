"""Reads the register-labelled texts of the CORE family, puts near-duplicates into one fold, makes texts without a register, and adds unlabelled texts
for a teacher.

    python3 -m registers.prepare_registers --gold DIR --out DIR [--limit N]

OUT/texts.jsonl.gz   {"id", "lang", "text", "labels", "has": "main" or "all", "fold", "split"}; made ones have "made" and no labels,
                     unlabelled ones "unlabelled"; a part of a labelled text has that text's fold, group and split
OUT/training.json the digests of the texts that were not made, to be stored with the model
OUT/pairs.json how many texts of each corpus there are, and how many are in a fold with a near-duplicate
"""

import argparse
import gzip
import hashlib
import itertools
import json
import os
import random
import re
from collections import Counter, defaultdict

from common.gold import TURKU_LANGUAGES, digest_of, read, write_digests

CORPORA = ("ArCORE", "CaCORE", "FinCORE", "FrCORE", "HiCORE", "IdCORE", "PtCORE", "SimChiCORE", "SpaCORE", "SvCORE", "UrCORE")
# FinCORE uses full names.
NAMES = {"Narrative": "NA", "Info-Persuasion": "IP", "D-Informational": "IN", "Opinion": "OP", "How-to": "HI", "Discussion": "ID"}
# These corpora have only main registers, and no label for machine text.
MAIN_ONLY = {"FinCORE", "FrCORE", "SvCORE"}
# Texts without labels: corpora of the family, main content of line-labelled texts, and of pages.
UNLABELLED, LINE_SET, PAGE_SET = ("SimChiCORE", "SpaCORE"), "turku-tq", "wcxb"
LEAST_LETTERS = 400
# How many letters at both ends of a text are read (as in scan-text.ts), and into how many parts the middle of a longer text is cut.
FIRST_LETTERS, LAST_LETTERS, LONG_TEXT, PART_LETTERS, PARTS = 2400, 600, 4000, 1500, 3
FOLDS = 5
# Texts that share this many of the five-word runs of the shorter one are near-duplicates; a run in more texts than this is a common phrase.
SHARED, COMMON = 0.3, 50
MADE = 900


def labels_of(register):
    return sorted({NAMES.get(word, word) for word in register.split()})


def read_corpus(gold, name):
    """Texts of a corpus without labels are not returned."""
    for one in read(os.path.join(gold, "text", f"{name}.jsonl.gz")):
        if one.get("register") is None:
            continue
        has = "main" if name in MAIN_ONLY else "all"
        yield {**{key: one[key] for key in ("id", "lang", "text", "split")}, "labels": labels_of(one["register"]), "has": has}


def read_unlabelled(gold):
    """Yields ids, languages and texts, without the texts for measuring."""
    for name in UNLABELLED:
        for one in read(os.path.join(gold, "text", f"{name}.jsonl.gz")):
            yield one["id"], one["lang"], one["text"]
    for lang in TURKU_LANGUAGES:
        for one in read(os.path.join(gold, "lines", LINE_SET, f"{lang}.train.jsonl.gz")):
            yield one["id"], lang, "\n".join(line["text"] for line in one["lines"] if line["label"])
    for one in read(os.path.join(gold, "pages", PAGE_SET, "dev.jsonl.gz")):
        yield one["id"], one["lang"], one.get("gold_text") or ""


def unlabelled(gold):
    """In no fold."""
    for name, lang, text in read_unlabelled(gold):
        if len(text) >= LEAST_LETTERS:
            yield {"unlabelled": True, "id": name, "lang": lang, "text": text, "has": "all", "fold": -1, "group": name}


def parts_of(one):
    """Returns the middle of a long text, between the two ends that are read, in parts; cut words are dropped."""
    middle = one["text"][FIRST_LETTERS:-LAST_LETTERS] if len(one["text"]) > LONG_TEXT else ""
    for number in range(PARTS):
        text = middle[number * PART_LETTERS : (number + 1) * PART_LETTERS].partition(" ")[2].rpartition(" ")[0]
        if len(text) >= LEAST_LETTERS:
            others = {key: one[key] for key in ("lang", "has", "fold", "group", "split")}
            yield {"unlabelled": True, "id": f"{one['id']}#{number}", "text": text, **others}


def runs_of(text):
    words = re.findall(r"[^\W_]+", text.lower())
    return {hash_of(" ".join(words[at : at + 5])) for at in range(len(words) - 4)}


def hash_of(text):
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def group(texts):
    """Returns for each text the number of the first text in its group of near-duplicates."""
    runs = [runs_of(one["text"]) for one in texts]
    having = defaultdict(list)
    for at, found in enumerate(runs):
        for run in found:
            having[run].append(at)
    shared = Counter()
    for those in having.values():
        if 1 < len(those) <= COMMON:
            shared.update((one, other) for place, one in enumerate(those) for other in those[place + 1 :])
    leader = list(range(len(texts)))

    def find(at):
        while leader[at] != at:
            at = leader[at]
        return at

    for (one, other), count in shared.items():
        if count >= SHARED * max(1, min(len(runs[one]), len(runs[other]))):
            one, other = sorted((find(one), find(other)))
            leader[other] = one
    return [find(at) for at in range(len(texts))]


def add_folds(texts):
    """The fold depends on the id of a group's first text, so that one more text does not move the others."""
    groups = group(texts)
    for one, first in zip(texts, groups):
        one["group"] = texts[first]["id"]
        one["fold"] = hash_of(texts[first]["id"]) % FOLDS
    return groups


def make(texts, draw):
    """Makes a text that certainly has no register: halves in two languages, words without order, or a list of names and numbers."""
    one = draw.choice(texts)
    words = one["text"].split()[:400]
    kind = draw.choice(("mixed", "mixed", "salad", "list", "letters"))
    if kind == "mixed":
        other = draw.choice([text for text in texts[:: max(1, len(texts) // 200)] if text["lang"] != one["lang"]] or texts)
        theirs = other["text"].split()[:400]
        size = draw.randint(20, 200)
        parts = [words[:size], theirs[:size]]
        text = " ".join(word for part in parts for word in part)
    elif kind == "salad":
        draw.shuffle(words)
        text = " ".join(words[: draw.randint(20, 200)])
    elif kind == "list":
        named = [word.strip(".,;:!?()\"'") for word in words if word[:1].isupper() or word[:1].isdigit()] or words
        between = draw.choice(("\n", " | ", " » ", ", ", " "))
        text = between.join(draw.choice(named) for _ in range(draw.randint(20, 120)))
    else:
        letters = [character for character in one["text"][:2000] if character.isalpha()] or ["a"]
        text = " ".join("".join(draw.choices(letters, k=draw.randint(2, 9))) for _ in range(draw.randint(20, 120)))
    return {"made": kind, "lang": one["lang"], "text": text, "fold": one["fold"], "group": one["group"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("gold", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--limit", type=int, help="at most this many texts of each corpus, to try the scripts")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    corpora = {name: list(read_corpus(options.gold, name))[: options.limit] for name in CORPORA}
    texts = [one for those in corpora.values() for one in those]
    groups = add_folds(texts)
    sizes = Counter(groups)
    draw = random.Random(1)
    made = [{"id": f"made/{at}", **make(texts, draw)} for at in range(min(MADE, len(texts) // 5))]
    others = list(itertools.islice(unlabelled(options.gold), options.limit))
    parts = [part for one in texts for part in parts_of(one)]
    with gzip.open(os.path.join(options.out, "texts.jsonl.gz"), "wt", encoding="utf-8") as file:
        for one in [*texts, *made, *others, *parts]:
            file.write(json.dumps(one, ensure_ascii=False) + "\n")
    write_digests(os.path.join(options.out, "training.json"), {digest_of([one]) for one in [*texts, *others]})
    place = {one["id"]: at for at, one in enumerate(texts)}
    pairs = {name: {"texts": len(those), "near": sum(sizes[groups[place[one["id"]]]] > 1 for one in those)} for name, those in corpora.items()}
    with open(os.path.join(options.out, "pairs.json"), "w", encoding="utf-8") as file:
        file.write(json.dumps(pairs, indent=1) + "\n")
    print(f"{len(texts)} texts, {len(made)} made, {len(others)} unlabelled, {len(parts)} parts; {sum(one['near'] for one in pairs.values())} have a near-duplicate")


if __name__ == "__main__":
    main()
