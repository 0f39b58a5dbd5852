"""Finds the word pieces that are words of one language; the program uses them to recognise texts in two languages.

A word of one piece belongs to a language if nearly all of its uses are in that language, by its frequency in each. It must be frequent enough in that
language, and in enough of its texts. Other words belong to no language. Languages are numbered from 1 on.
"""

import numpy as np

# How many texts a language must have here.
FEWEST_TEXTS = 50
# The least share of a word's uses in its language, its least frequency there, and the least share of texts with it.
SHARE, FREQUENCY, TEXTS = 0.8, 1e-4, 0.03
# As in telling.ts: the second language's share of the distinct known words of both languages, with this many more, and the share of both in all
# distinct words.
LEAST_SECOND, WORDS_MORE, LEAST_KNOWN = 0.12, 10, 0.12


def languages_of(texts):
    """Returns the languages that have enough texts, by code."""
    langs, counts = np.unique(texts.langs[~texts.made], return_counts=True)
    return [str(lang) for lang, count in zip(langs, counts) if count >= FEWEST_TEXTS]


def piece_languages(texts, out):
    """uint8 [pieces]: numbers from 1 on in the order of languages_of, or 0, learned from all texts that are not left out."""
    langs = languages_of(texts)
    if not langs:
        return np.zeros(texts.vocabulary, np.uint8)
    frequency, spread = np.zeros((2, len(langs), texts.vocabulary))
    for at, lang in enumerate(langs):
        words = [texts.words[row] for row in np.flatnonzero(~out & ~texts.made & (texts.langs == lang))]
        if words:
            frequency[at] = counts_of(words, texts.vocabulary) / max(1, sum(map(len, words)))
            spread[at] = counts_of(map(np.unique, words), texts.vocabulary) / len(words)
    main, every = frequency.argmax(0), np.arange(texts.vocabulary)
    most = frequency[main, every]
    is_known = (most >= SHARE * frequency.sum(0)) & (most >= FREQUENCY) & (spread[main, every] >= TEXTS)
    return np.where(is_known, main + 1, 0).astype(np.uint8)


def counts_of(words, pieces):
    return np.bincount(np.concatenate(list(words)), minlength=pieces)


def are_mixed(texts, rows, languages):
    """Returns whether each of these texts is in two languages."""
    counts = [np.bincount(languages[np.unique(texts.words[row])], minlength=3)[1:] for row in rows]
    second, first = np.array([np.sort(one)[-2:] for one in counts]).reshape(-1, 2).T
    known = first + second
    return (second >= LEAST_SECOND * (known + WORDS_MORE)) & (known >= LEAST_KNOWN * texts.different[rows])


def telling(texts, out):
    """Returns which of the left-out texts get an answer, by the program and by the words of the other texts."""
    told, rows = np.zeros(len(texts), bool), np.flatnonzero(out)
    told[rows] = texts.tells[rows] & ~are_mixed(texts, rows, piece_languages(texts, out))
    return told
