"""Fills patterns of plants with the words of the document that they are put into."""

import re

from text.made.conditions import unknown
from text.made.plant_patterns import DATES

WORD = re.compile(r"[^\W\d_]{3,14}")
LINES_OF_WORDS = 200


def words_of(document):
    found = WORD.findall(" ".join(line["text"] for line in document["lines"][:LINES_OF_WORDS]))
    return found or ["alpha", "beta", "gamma"]


def line(text, label):
    return unknown(" ".join(text.split()), label)


def some(words, rng, least, most):
    return " ".join(rng.sample(words, min(len(words), rng.randint(least, most))))


def filled(pattern, words, rng):
    name = rng.choice(words)
    other = rng.choice(words)
    names = (name, f"{name.lower()}{rng.randint(1, 99)}", f"{name.capitalize()}_{other.lower()}", f"{name.capitalize()} {other.capitalize()}")
    fields = {"n": rng.choice(names), "d": rng.choice(DATES), "k": rng.randint(1, 4000), "w": rng.choice(words), "w2": rng.choice(words)}
    return pattern.format(t=some(words, rng, 2, 6), **fields)
