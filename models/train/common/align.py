"""Carries the labels of a page's gold lines to our own lines of the same page.

    python3 -m common.align < documents.jsonl > labelled.jsonl

Both were made from one page by different rules, so most lines are equal and the others are split, joined or spaced differently. Equal lines that
occur once on both sides are paired first, and then the words between them. Each of our lines takes the label that most of its paired letters have. A
line without a pair is boilerplate, and is counted.
"""

import bisect
import json
import re
import sys
from collections import Counter
from difflib import SequenceMatcher

# In scripts without spaces, each letter is a word.
TOKEN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_]+")
# The most pairs of words between two paired lines; with more, the lines between them get no pair.
MOST_PAIRS = 60_000_000


def align_known(gold, texts, unpaired=None):
    """Like `align`, but some gold lines have the label None, for unknown. Our lines get None if such gold lines would decide."""
    as_ = lambda unknown: align([{**one, "label": unknown if one["label"] is None else int(one["label"])} for one in gold], texts)
    return [unpaired if low is None else low if low == high else None for low, high in zip(as_(0), as_(1))]


def squeeze(text):
    return "".join(text.split())


def tokens(text):
    return TOKEN.findall(text.lower())


def align(gold, texts):
    """Returns the labels of `texts` by `gold` lines ({"text", "label"}), or None for a text without a pair."""
    ours = [None] * len(texts)
    for tag, a, b, c, d in pair_lines([squeeze(one["text"]) for one in gold], [squeeze(text) for text in texts]):
        if tag == "equal":
            ours[c:d] = [int(one["label"]) for one in gold[a:b]]
        elif b > a and d > c:
            for at, (without, with_) in vote(gold[a:b], texts[c:d]).items():
                ours[c + at] = int(with_ > without)
    return ours


def pair_lines(gold, ours):
    """Returns runs that cover both lists, like SequenceMatcher: "equal" or another tag, and the four edges."""
    runs = []
    before = (0, 0)
    for i, j in [*anchors(gold, ours), (len(gold), len(ours))]:
        between = SequenceMatcher(None, gold[before[0] : i], ours[before[1] : j], autojunk=False)
        for tag, a, b, c, d in between.get_opcodes():
            runs.append((tag, before[0] + a, before[0] + b, before[1] + c, before[1] + d))
        if i < len(gold):
            runs.append(("equal", i, i + 1, j, j + 1))
        before = (i + 1, j + 1)
    return runs


def anchors(gold, ours):
    """Returns the most pairs of equal lines that occur once on both sides and keep the order of both."""
    once_in_gold, once_in_ours = Counter(gold), Counter(ours)
    place = {line: at for at, line in enumerate(gold) if once_in_gold[line] == 1}
    pairs = [(place[line], j) for j, line in enumerate(ours) if once_in_ours[line] == 1 and line in place]
    # The longest increasing run, by patience sorting.
    tails, last, previous = [], [], []
    for number, (i, _) in enumerate(pairs):
        pile = bisect.bisect_left(tails, i)
        previous.append(last[pile - 1] if pile else None)
        tails[pile : pile + 1] = [i]
        last[pile : pile + 1] = [number]
    chain = []
    at = last[-1] if last else None
    while at is not None:
        chain.append(pairs[at])
        at = previous[at]
    return chain[::-1]


def vote(gold, texts):
    """Counts, for each line with a paired word, the paired letters that are boilerplate and those that are content."""
    theirs = [(word, int(one["label"])) for one in gold for word in tokens(one["text"])]
    ours = [(word, at) for at, text in enumerate(texts) for word in tokens(text)]
    if len(theirs) * len(ours) > MOST_PAIRS:
        return {}
    words = SequenceMatcher(None, [word for word, _ in theirs], [word for word, _ in ours], autojunk=False)
    votes = {}
    for i, j, size in words.get_matching_blocks():
        for step in range(size):
            word, at = ours[j + step]
            votes.setdefault(at, [0, 0])[theirs[i + step][1]] += len(word)
    return votes


# Labels by the gold text alone: a line is content if this share of its letters has a pair there. This is tried if the labelled lines hold at most
# FEWEST_FOUND of the gold lines' content, and used if it finds LEAST_BY_TEXT of it.
FEWEST_PAIRED = 0.6
FEWEST_FOUND = 0.5
LEAST_BY_TEXT = 0.7


def align_to_text(gold_text, texts):
    """Returns labels by the gold text alone, for pages whose gold lines come from another version of the page."""
    votes = vote([{"text": gold_text, "label": 1}], texts)
    letters = [sum(map(len, tokens(text))) for text in texts]
    return [int(at in votes and votes[at][1] >= FEWEST_PAIRED * letters[at]) for at in range(len(texts))]


def label_lines(document):
    """Returns the document with labels, the number of lines without a pair, and the share of the gold's content in labelled lines.

    A page with an empty gold has no content, whatever its lines. Any other page without gold lines gets no labels, unless it has no lines.
    """
    texts = [line["text"] for line in document["lines"]]
    gold = document.get("goldLines") or []
    is_empty = document.get("goldText") is not None and document["goldText"].strip() == ""
    labels = align(gold, texts) if gold else [0] * len(texts)
    wanted = sum(len(one["text"]) for one in gold if int(one["label"]))
    found = sum(len(text) for text, label in zip(texts, labels) if label)
    if document.get("goldText") and texts and found <= FEWEST_FOUND * wanted:
        by_text = align_to_text(document["goldText"], texts)
        cover = round(sum(len(text) for text, label in zip(texts, by_text) if label) / len(document["goldText"]), 3)
        if cover >= LEAST_BY_TEXT:
            lines = [{**line, "label": label} for line, label in zip(document["lines"], by_text)]
            return {**document, "lines": lines, "labelled": True, "unmatched": 0, "carried": min(1.0, cover), "goldCover": min(1.0, cover)}
    if not gold and not is_empty and texts:
        return {**document, "labelled": False}
    lines = [{**line, "label": label or 0} for line, label in zip(document["lines"], labels)]
    carried = round(found / wanted, 3) if wanted else 1.0
    unmatched = sum(label is None for label in labels)
    return {**document, "lines": lines, "labelled": True, "unmatched": unmatched, "carried": carried}


def label_known(document):
    """Like `label_lines`, for gold that leaves lines without a label: ours are None there, and if they have no pair."""
    texts = [line["text"] for line in document["lines"]]
    gold = document.get("goldLines") or []
    labels = align_known(gold, texts)
    wanted = sum(len(one["text"]) for one in gold if one["label"])
    found = sum(len(text) for text, label in zip(texts, labels) if label)
    lines = [{**line, "label": label} for line, label in zip(document["lines"], labels)]
    known = {"labelled": 0 in labels and 1 in labels, "unmatched": labels.count(None)}
    return {**document, **known, "lines": lines, "carried": round(found / wanted, 3) if wanted else 1.0}


def main():
    pages = lines = unmatched = content = without = 0
    for line in sys.stdin:
        document = label_lines(json.loads(line))
        pages += 1
        without += not document["labelled"]
        lines += len(document["lines"])
        unmatched += document.get("unmatched", 0)
        content += sum(one.get("label", 0) for one in document["lines"])
        sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stderr.write(f"{pages} pages ({without} without gold), {lines} lines: {content} content, {unmatched} without a pair\n")


if __name__ == "__main__":
    main()
