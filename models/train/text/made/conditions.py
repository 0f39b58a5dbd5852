"""Turns labelled lines into the same document in another condition: as from an extractor, as in an old crawl, or with another main content.

Every line keeps its label, or is dropped; the same document always gives the same results. A line is {"text", "label", "markup", "teacher", "span"}; markup and teacher are None if unknown.
"""

import re

from common.disguise import SCRIPTS, dice, disguise_document

# Markers of the conditions that the labeller predicts.
RAW, EXTRACTED, CRAWL = "raw", "extracted", "crawl"
# Lines are kept from this logit of the page labeller on, like an extractor that prefers to lose nothing.
CHOSEN_FROM = -1.0
# Clean texts in these languages are put among boilerplate that is disguised in the same script.
SCRIPT_OF = {"ar": "arabic", "ur": "arabic", "hi": "devanagari"}
SENTENCE_END = re.compile(r"(?<=[.!?。！？।۔])\s+")
VERSE_START = re.compile(r"(?<=\S)\s+(?=[A-ZÅÄÖÉ])")
MOST_PARAGRAPHS = 60
MOST_LETTERS = 3_000


def made(document, variant, lines, **changes):
    # The document still contains the language of the page around another text, or under a disguise.
    base = document.get("base_lang", document["lang"])
    return {**document, "base_lang": base, "id": f"{document['id']}+{variant}", "variant": variant, "lines": lines, **changes}


def runs_of(lines):
    """Groups neighbours with the same label."""
    runs = []
    for line in lines:
        if runs and runs[-1][0]["label"] == line["label"]:
            runs[-1].append(line)
        else:
            runs.append([line])
    return runs


def half_extracted(document):
    """Returns the page as from a mediocre extractor: all content, and little of the boilerplate."""
    rng = dice(document, "half")
    runs = runs_of(document["lines"])
    kept = []
    for at, run in enumerate(runs):
        if run[0]["label"] == 1:
            kept += run
        elif 0 < at < len(runs) - 1 and rng.random() < 0.6 and len(run) <= 12:
            kept += run
        elif rng.random() < 0.7:
            size = rng.randint(1, min(8, len(run)))
            # Extractors keep lines that are next to the content.
            start = len(run) - size if at == 0 else 0 if at == len(runs) - 1 else rng.randint(0, len(run) - size)
            kept += run[start : start + size]
    return made(document, "half", kept, condition=EXTRACTED)


def readable(document, spans):
    """Returns the lines that Readability takes as the article; None if it takes none."""
    lines = [line for line in document["lines"] if line["span"] in spans]
    return made(document, "readable", lines, condition=EXTRACTED) if lines else None


def chosen(document):
    """Returns the lines that a page labeller trained without the site would keep, or almost keep."""
    lines = [line for line in document["lines"] if line["teacher"] is not None and line["teacher"] > CHOSEN_FROM]
    return made(document, "chosen", lines, condition=EXTRACTED) if lines else None


def disguised(document):
    """Makes a document in another script, because almost all labels are for Latin letters."""
    script = dice(document, "disguised").choice(SCRIPTS)
    return made(document, "disguised", disguise_document(document, script)["lines"], lang=script)


def damaged(document):
    """Makes a document like an old crawl: joined lines, lines wrapped at a column, wrong letters, undecoded entities."""
    rng = dice(document, "damaged")
    chances = {"glue": 0.45, "wrap": 0.35, "split": 0.3, "letters": 0.2, "entities": 0.15, "lower": 0.08}
    damage = {name for name, chance in chances.items() if rng.random() < chance} or {"glue"}
    width = rng.randint(50, 100)
    lines = []
    for line in document["lines"]:
        text = spoiled(line["text"], damage)
        before = lines[-1] if lines else None
        can_glue = "glue" in damage and before is not None and before["label"] == line["label"] and len(before["text"]) < MOST_LETTERS
        if can_glue and rng.random() < 0.35:
            lines[-1] = unknown(before["text"] + ("" if rng.random() < 0.25 else " ") + text, line["label"])
            continue
        pieces = [text]
        if "wrap" in damage:
            pieces = wrapped(text, width)
        elif "split" in damage and len(text.split()) > 8 and rng.random() < 0.4:
            words = text.split()
            at = rng.randint(2, len(words) - 2)
            pieces = [" ".join(words[:at]), " ".join(words[at:])]
        lines += [{**line, "text": text}] if len(pieces) == 1 else [unknown(piece, line["label"]) for piece in pieces]
    return made(document, "damaged", lines)


def unknown(text, label):
    """Returns a line of which only the label is known."""
    return {"text": text, "label": label, "markup": None, "teacher": None, "span": None}


def spoiled(text, damage):
    if "letters" in damage:
        try:
            text = text.encode("utf-8").decode("cp1252")
        except UnicodeDecodeError:
            text = text.encode("utf-8").decode("latin-1")
    if "entities" in damage:
        text = text.replace("&", "&amp;").replace("’", "&#8217;").replace('"', "&quot;")
    return text.lower() if "lower" in damage else text


def wrapped(text, width):
    pieces = [""]
    for word in text.split():
        if pieces[-1] and len(pieces[-1]) + len(word) >= width:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {word}".strip()
    return pieces


class CleanTexts:
    """Texts that are completely main content, as paragraphs, by language."""

    def __init__(self, documents):
        self.by_language, self.lyrics = {}, []
        for document in documents:
            registers = (document.get("register") or "").split()
            # Machine-translated text is not a good model of content.
            if "MT" in registers:
                continue
            paragraphs = verses_of(document["text"]) if "LY" in registers else paragraphs_of(document)
            paragraphs = [one for one in paragraphs if one.strip() and len(one) < MOST_LETTERS]
            if not paragraphs:
                continue
            text = {"lang": document["lang"], "paragraphs": paragraphs}
            self.by_language.setdefault(document["lang"], []).append(text)
            if "LY" in registers:
                self.lyrics.append(text)
        self.languages = sorted(self.by_language)

    def draw(self, rng):
        if self.lyrics and rng.random() < 0.12:
            return rng.choice(self.lyrics)
        return rng.choice(self.by_language[rng.choice(self.languages)])


def verses_of(text):
    """Poems were joined into one line; nearly every verse begins with a capital."""
    verses = []
    for part in VERSE_START.split(text):
        if verses and len(verses[-1].split()) < 4:
            verses[-1] += " " + part
        else:
            verses.append(part)
    return verses


def paragraphs_of(document):
    """Splits into lines of one to four sentences."""
    rng = dice(document, "paragraphs")
    sentences = SENTENCE_END.split(document["text"])
    paragraphs = []
    while sentences:
        size = rng.choice((1, 1, 2, 3, 4))
        paragraphs.append(" ".join(sentences[:size]))
        sentences = sentences[size:]
    return paragraphs


def planted(document, texts):
    """Puts another text, often in another language, into the page, so that words alone do not show the content. Returns None without content."""
    rng = dice(document, "planted")
    text = texts.draw(rng)
    base = document
    if text["lang"] in SCRIPT_OF:
        base = disguise_document(document, SCRIPT_OF[text["lang"]])
    runs = runs_of(base["lines"])
    content = [run for run in runs if run[0]["label"] == 1]
    if not content:
        return None
    biggest = max(content, key=lambda run: sum(len(line["text"]) for line in run))
    paragraphs = text["paragraphs"]
    lines = []
    for run in runs:
        if run[0]["label"] == 0:
            lines += run
        elif run is biggest:
            if rng.random() < 0.5:
                lines.append(unknown(" ".join(paragraphs[0].split()[: rng.randint(3, 9)]), 1))
            lines += [unknown(paragraph, 1) for paragraph in paragraphs[:MOST_PARAGRAPHS]]
        elif rng.random() < 0.3:
            lines += [unknown(one, 1) for one in rng.sample(paragraphs, min(len(paragraphs), len(run)))]
    return made(document, "planted", lines, lang=text["lang"])
