"""Reads labelled documents for train_transformer.py, holds out the part that chooses cuts, and makes tokens and batches of lines."""

from __future__ import annotations

import glob
import gzip
import hashlib
import json
import os
import random
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, Sequence

from common.gold import labelled_lines, read

# Longer lines are cut before they are tokenised; 512 tokens rarely cover more than half of this. The program does the same.
MOST_CHARACTERS = 4096
# One training document in ten is held out to choose calibration and cuts.
HELD_OUT = 10


@dataclass
class Document:
    id: str
    lang: str
    texts: List[str]
    labels: List[int]

    def __len__(self) -> int:
        return len(self.texts)


def as_document(record: dict[str, Any]) -> Document:
    """Returns the lines with text, as the labeller gets them."""
    lines = [line for line in record["lines"] if line["text"].strip()]
    return Document(record["id"], record["lang"], [one["text"] for one in lines], [int(one["label"]) for one in lines])


def read_gold(gold: str, sets: Sequence[str], split: str, languages: Sequence[str] = ()) -> List[Document]:
    """Reads the documents of gold/lines/SET/LANGUAGE.SPLIT.jsonl.gz; documents without lines are left out."""
    found = []
    for name in sets:
        for path in sorted(glob.glob(os.path.join(gold, "lines", name, f"*.{split}.jsonl.gz"))):
            if languages and os.path.basename(path).split(".")[0] not in languages:
                continue
            found.extend(as_document(labelled_lines(record, name)) for record in read(path))
    if not found:
        raise SystemExit(f"no {split} documents of {', '.join(sets)} under {gold}")
    return [document for document in found if len(document) > 0]


def read_lines(paths: Sequence[str]) -> List[Document]:
    """Reads a user's labelled lines: JSONL (compressed if the name ends with .gz) with one document per line, as in the gold folder."""
    found = []
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8") as file:
            found.extend(as_document({"lang": "und", **json.loads(line)}) for line in file if line.strip())
    return [document for document in found if len(document) > 0]


def split_off(documents: Sequence[Document]) -> tuple[List[Document], List[Document]]:
    """Splits documents into those for training and those for calibration and cuts, by the digest of a document's name."""
    held_out = lambda one: int(hashlib.sha256(one.id.encode()).hexdigest(), 16) % HELD_OUT == 0
    return [one for one in documents if not held_out(one)], [one for one in documents if held_out(one)]


def tokens_of(tokenizer: Any, texts: Sequence[str], most: int) -> List[List[int]]:
    """Returns the token numbers of each line with the special tokens around them; lines are truncated to `most` tokens."""
    cut = [text[:MOST_CHARACTERS] for text in texts]
    found = tokenizer(cut, truncation=True, max_length=most, padding=False, return_token_type_ids=False)["input_ids"]
    # Some tokenizers drop a whole line and add no special tokens.
    return [line or [tokenizer.pad_token_id] for line in found]


def batches_by_length(lengths: Sequence[int], budget: int, rng: random.Random | None = None) -> Iterator[List[int]]:
    """Yields batches of line numbers of similar length, each with at most `budget` tokens after padding; shuffled if `rng` is given."""
    order = list(range(len(lengths)))
    if rng is not None:
        rng.shuffle(order)
        order.sort(key=lambda line: lengths[line] // 4)
    else:
        order.sort(key=lambda line: lengths[line])
    batches: List[List[int]] = [[]]
    longest = 0
    for line in order:
        longest = max(longest, lengths[line])
        if batches[-1] and longest * (len(batches[-1]) + 1) > budget:
            batches.append([])
            longest = lengths[line]
        batches[-1].append(line)
    if rng is not None:
        rng.shuffle(batches)
    return (batch for batch in batches if batch)


def segments_of(length: int, most: int | None) -> Iterable[tuple[int, int]]:
    """Returns start and end of each segment of a document; one segment if `most` is None."""
    step = most or max(1, length)
    return ((start, min(length, start + step)) for start in range(0, length, step))
