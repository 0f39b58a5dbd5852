"""Turns a labelled document into the same document in another script, with the same structure and only unseen words.

Almost all our labels are for text in Latin letters. The signs of boilerplate (a short line, no sentence, a template, a copy) are the same in other
scripts, but capitals, spaces and Latin punctuation are not. A disguised document keeps every line and label. Every word is replaced, the same word
always by the same letters, in a script without capitals and often without spaces. The result is not a real language; it teaches the network to work
without the signs that other scripts lack.
"""

import hashlib
import random
import re
import unicodedata

SCRIPTS = ("han", "japanese", "thai", "hangul", "arabic", "devanagari", "lower")

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|\s+|.", re.UNICODE | re.DOTALL)
HAN_MARKS = {".": "。", ",": "，", "!": "！", "?": "？", ":": "：", ";": "；", "(": "（", ")": "）", '"': "”"}
JAPANESE_MARKS = {".": "。", ",": "、", "!": "！", "?": "？", ":": "：", '"': "」", "“": "「", "”": "」", "(": "（", ")": "）"}
ARABIC_MARKS = {",": "،", "?": "؟", ";": "؛"}
HIRAGANA = [chr(c) for c in range(0x3042, 0x3094)]
KATAKANA = [chr(c) for c in range(0x30A2, 0x30F4)]
THAI_LETTERS = [chr(c) for c in range(0x0E01, 0x0E2F)]
THAI_VOWELS = ["า", "ะ", "ิ", "ี", "ึ", "ุ", "ู", "่", "้", "", ""]
ARABIC = [chr(c) for c in range(0x0627, 0x063B)] + [chr(c) for c in range(0x0641, 0x064B)]
DEVANAGARI = [chr(c) for c in range(0x0915, 0x0939)]
DEVANAGARI_SIGNS = ["ा", "ि", "ी", "ु", "े", "ो", "्", "ं", ""]


def numbers_of(word):
    """Yields endless small numbers that depend only on the word."""
    digest = hashlib.md5(word.lower().encode()).digest()
    at = 0
    while True:
        yield digest[at % 16] * 256 + digest[(at * 7 + 3) % 16]
        at += 1


def pick(letters, numbers):
    return letters[next(numbers) % len(letters)]


def han(word, numbers):
    # A few thousand letters; some are much more frequent than the others.
    count = 1 if len(word) < 5 else 2 if len(word) < 10 else 3
    return "".join(chr(0x4E00 + (next(numbers) * next(numbers)) % 2800) for _ in range(count))


def japanese(word, numbers):
    if word[:1].isupper() and next(numbers) % 2:
        return "".join(pick(KATAKANA, numbers) for _ in range(min(6, 1 + len(word) // 2)))
    if len(word) < 4:
        return pick(HIRAGANA, numbers)
    return han(word[:6], numbers) + "".join(pick(HIRAGANA, numbers) for _ in range(1 + len(word) // 6))


def thai(word, numbers):
    return "".join(pick(THAI_LETTERS, numbers) + pick(THAI_VOWELS, numbers) for _ in range(max(1, len(word) // 2)))


def hangul(word, numbers):
    return "".join(chr(0xAC00 + next(numbers) % 11172) for _ in range(max(1, round(len(word) / 2.2))))


def arabic(word, numbers):
    return "".join(pick(ARABIC, numbers) for _ in range(max(1, round(len(word) * 0.8))))


def devanagari(word, numbers):
    return "".join(pick(DEVANAGARI, numbers) + pick(DEVANAGARI_SIGNS, numbers) for _ in range(max(1, len(word) // 2)))


WORDS = {"han": han, "japanese": japanese, "thai": thai, "hangul": hangul, "arabic": arabic, "devanagari": devanagari}
UNSPACED = ("han", "japanese", "thai")


def mark(script, character, rest, keep_marks):
    if script == "han" and not keep_marks:
        return HAN_MARKS.get(character, character)
    if script == "japanese" and not keep_marks:
        return JAPANESE_MARKS.get(character, character)
    if script == "arabic":
        return ARABIC_MARKS.get(character, character)
    if script == "devanagari" and character == "." and not keep_marks and rest[:1] in ("", " "):
        return "।"
    # Thai ends a sentence, and often a clause, with a space.
    if script == "thai" and character in ".,;":
        return " "
    return character


def disguise_line(text, script, salt):
    if script == "lower":
        return text.lower()
    keep_marks = salt % 4 == 0
    out = []
    tokens = TOKEN.findall(text)
    for at, token in enumerate(tokens):
        if unicodedata.category(token[0]).startswith("L"):
            numbers = numbers_of(f"{salt}{token}")
            # One name in twelve stays in Latin letters, as it does on real pages.
            keep = token[:1].isupper() and next(numbers) % 12 == 0
            out.append(token if keep else WORDS[script](token, numbers))
        elif token.isspace() and script in UNSPACED:
            before = tokens[at - 1][-1:] if at else ""
            after = tokens[at + 1][:1] if at + 1 < len(tokens) else ""
            between_words = before.isalnum() and after.isalnum() or before in ",.;:!?\"'”“)" or after in "“\"("
            # A heading's or a menu's words run together too, but a menu's entries do not.
            out.append("" if between_words else token)
        elif token.isspace() or token.isdigit():
            out.append(token)
        else:
            out.append(mark(script, token, "".join(tokens[at + 1 : at + 2]), keep_marks))
    return " ".join("".join(out).split()) or text


def salt_of(document):
    return int(hashlib.md5(document["id"].encode()).hexdigest()[:6], 16)


def dice(document, name):
    """Returns the random numbers with which the document is changed in one way; they are always the same."""
    return random.Random(f"{document['id']}+{name}")


def disguise_document(document, script):
    salt = salt_of(document)
    lines = [{**line, "text": disguise_line(line["text"], script, salt)} for line in document["lines"]]
    source = document["source"] + "+disguised"
    return {**document, "id": f"{document['id']}+{script}", "source": source, "lang": script, "lines": lines}
