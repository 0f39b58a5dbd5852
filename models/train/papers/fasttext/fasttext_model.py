"""Trains and applies a linear classifier over the mean of word n-gram embeddings, like fastText (Joulin et al. 2016).

With two labels, the mean of the embeddings times the output layer is a mean of one number per n-gram. These numbers ship, one byte each. The code is
our own and needs only NumPy.
"""

import functools
import re
from typing import Any

import numpy as np

SETTINGS: dict[str, Any] = {"dimensions": 100, "rate": 0.1, "epochs": 30, "ngrams": 3, "rows": 2**20}
# The characters that separate words in fastText, and the word that it adds at the end of each line.
SPACE = re.compile("[ \n\r\t\v\f\0]+")
END = "</s>"
HASH_START, PRIME, JOIN = 0x811C9DC5, 0x01000193, 0x5BD1E995
MASK = 0xFFFFFFFF


@functools.lru_cache(maxsize=1_000_000)
def hash_of(word: str) -> int:
    """FNV-1a over UTF-16 code units, as the program hashes words."""
    value = HASH_START
    for unit in np.frombuffer(word.encode("utf-16-le", "surrogatepass"), "<u2").tolist():
        value = ((value ^ unit) * PRIME) & MASK
    return value


def join(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return ((left * np.uint32(JOIN)) ^ (right >> np.uint32(15)) ^ right) * np.uint32(PRIME)


def finish(value: np.ndarray) -> np.ndarray:
    value = (value ^ (value >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    value = (value ^ (value >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    return value ^ (value >> np.uint32(16))


def rows_of(text: str, settings: dict[str, Any]) -> np.ndarray:
    """Returns the rows of the table that a line uses: one for each word and each n-gram of words."""
    words = [hash_of(word) for word in SPACE.split(text) if word] + [hash_of(END)]
    gram = np.array(words, np.uint32)
    last = gram
    parts = [gram]
    for size in range(2, settings["ngrams"] + 1):
        last = join(last[: len(gram) - size + 1], gram[size - 1 :])
        parts.append(last)
    return (finish(np.concatenate(parts)) & np.uint32(settings["rows"] - 1)).astype(np.int64)


def train(rows: list[np.ndarray], labels: np.ndarray, seed: int, settings: dict[str, Any]) -> np.ndarray:
    """Trains on one line after the other with a rate that falls to zero. Returns for each row what it adds to the logit; 0 if it was not seen."""
    rng = np.random.default_rng(seed)
    size = settings["dimensions"]
    seen, compact = np.unique(np.concatenate(rows), return_inverse=True)
    table = rng.uniform(-1 / size, 1 / size, (len(seen), size)).astype(np.float32)
    output = np.zeros(size, np.float32)
    lines = []
    for part in np.split(compact, np.cumsum([len(one) for one in rows])[:-1]):
        at, times = np.unique(part, return_counts=True)
        lines.append((at, (times / len(part)).astype(np.float32)))
    steps = settings["epochs"] * len(lines)
    done = 0
    for _ in range(settings["epochs"]):
        for line in rng.permutation(len(lines)):
            at, shares = lines[line]
            rate = settings["rate"] * (1 - done / steps)
            embeddings = table[at]
            hidden = shares @ embeddings
            error = rate * (labels[line] - 1 / (1 + np.exp(-float(hidden @ output))))
            embeddings += shares[:, None] * np.float32(error) * output
            table[at] = embeddings
            # The weights of both labels move in opposite directions, so their difference moves twice as far.
            output += np.float32(2 * error) * hidden
            done += 1
    folded = np.zeros(settings["rows"], np.float32)
    folded[seen] = table @ output
    return folded


def quantised(weights: np.ndarray) -> tuple[np.ndarray, float]:
    scale = float(np.abs(weights).max()) / 127
    return np.round(weights / scale).astype(np.int8), scale


def logits_of(rows: list[np.ndarray], weights: np.ndarray) -> np.ndarray:
    return np.array([float(weights[one].astype(np.float64).mean()) for one in rows])
