"""Turns a labelled document into the same document in a script without spaces between words, with the form of such pages: phrases separated by spaces
(Thai, Lao, Khmer, Burmese) or by their own marks (Japanese, Chinese), sentences with or without a mark at the end.

Unlike in disguise.py, the length of words, the frequency of spaces and the marks differ from document to document, as they do between languages
without labels.
"""

import unicodedata

from common.disguise import HAN_MARKS, JAPANESE_MARKS, TOKEN, dice, han, japanese, numbers_of, pick, salt_of

# Letters, signs after them (some words have none), marks for a comma and at the end of a sentence, and digits.
LETTERS = {
    "thai": (0x0E01, 0x0E2F, "าะิีึุู่้็เแ", (" ", " "), 0x0E50),
    "lao": (0x0E81, 0x0EAF, "າະິີຶຸູ່້ເແ", (" ", " "), 0x0ED0),
    "khmer": (0x1780, 0x17A3, "ាិីឹុូេែៃំះ", (" ", "។"), 0x17E0),
    "myanmar": (0x1000, 0x1021, "ာိီုူေဲံ့်း", ("၊", "။"), 0x1040),
}
UNSPACED_SCRIPTS = ("thai", "thai", "lao", "khmer", "myanmar", "japanese", "japanese", "han")
MARKS = {"japanese": JAPANESE_MARKS, "han": HAN_MARKS}
MOST_LETTERS = 12


def letters_of(script):
    first, last, signs, _, _ = LETTERS[script]
    letters = [chr(code) for code in range(first, last) if unicodedata.category(chr(code)) == "Lo"]
    return letters, [*signs, "", "", ""]


class Look:
    """The writing style of one document, with its own probabilities."""

    def __init__(self, document, script):
        rng = dice(document, "unspaced")
        self.script, self.salt = script, salt_of(document)
        # Letters for each letter of the original; words in a phrase; how often marks of an alphabet are kept or dropped.
        self.stretch = rng.uniform(0.6, 1.5)
        self.phrase = rng.randint(3, 14) if script in LETTERS else rng.randint(12, 60)
        self.keeps_marks = rng.random() < 0.2
        self.drops_end = rng.choice((0, 0.1, 0.5, 1)) if script in LETTERS else rng.choice((0, 0, 0.1, 0.3))
        self.has_digits = script in LETTERS and rng.random() < (0.1 if script == "thai" else 0.35)
        self.latin = rng.choice((0, 0.03, 0.1))
        # Entries of a menu are separate, or joined like labels.
        self.parts_titles = rng.random() < 0.5
        self.rng = rng

    def word(self, word):
        numbers = numbers_of(f"{self.salt}{word}")
        if next(numbers) % 1000 < 1000 * self.latin and word[:1].isupper():
            return word
        if self.script == "han":
            return han(word * 2 if self.stretch > 1.2 else word, numbers)
        if self.script == "japanese":
            return japanese(word * 2 if self.stretch > 1.2 else word, numbers)
        letters, signs = letters_of(self.script)
        count = min(MOST_LETTERS, max(1, round(len(word) * self.stretch / 1.7)))
        return "".join(pick(letters, numbers) + pick(signs, numbers) for _ in range(count))

    def mark(self, mark, is_last):
        if self.keeps_marks:
            return mark
        if self.script in MARKS:
            return "" if mark == "." and is_last and self.rng.random() < self.drops_end else MARKS[self.script].get(mark, mark)
        comma, end = LETTERS[self.script][3]
        if mark in ",;":
            return comma
        return (" " if self.rng.random() < self.drops_end else end) if mark == "." else mark

    def digits(self, token):
        first = LETTERS[self.script][4] if self.has_digits else ord("0")
        return "".join(chr(first + int(one)) if one.isascii() else one for one in token)

    def parts(self, before, after):
        """Whether a space of the original is kept."""
        if not (before[-1:].isalnum() and after[:1].isalnum()):
            # Marks of these scripts include their space; Latin marks keep their spaces.
            return self.keeps_marks or before[-1:] in "|/›»>•·-–—" or after[:1] in "|/›»>•·-–—"
        if before.isdigit() or after.isdigit():
            return self.rng.random() < 0.4
        is_title = before[:1].isupper() and after[:1].isupper()
        return self.rng.random() < (0.6 if is_title and self.parts_titles else 1 / self.phrase)

    def line(self, text):
        tokens = TOKEN.findall(text)
        out = []
        for at, token in enumerate(tokens):
            if unicodedata.category(token[0]).startswith("L"):
                out.append(self.word(token))
            elif token.isspace():
                out.append(" " if 0 < at < len(tokens) - 1 and self.parts(tokens[at - 1], tokens[at + 1]) else "")
            elif token.isdigit():
                out.append(self.digits(token))
            else:
                is_number = at + 1 < len(tokens) and tokens[at + 1].isdigit()
                out.append(token if is_number else self.mark(token, at == len(tokens) - 1))
        return " ".join("".join(out).split()) or text


def unspaced_lines(document, script):
    look = Look(document, script)
    return [{**line, "text": look.line(line["text"])} for line in document["lines"]]
