"""Puts lists of other texts' headlines around a text, as on portals. They are as long as a sentence, but were not written for this page. The
headlines come from other training documents in the same language."""

from text.made.plant_fill import filled, line
from text.made.plant_patterns import BOX_HEADS, DATES

LONGEST, SHORTEST = 140, 12
MOST_OF_A_DOCUMENT = 4


def headlines_of(document):
    """Returns titles and the beginnings of paragraphs, which other pages would show for this one."""
    found = []
    for one in document["lines"]:
        text = one["text"]
        if one["label"] == 0 or len(text) < SHORTEST:
            continue
        if len(text) > LONGEST:
            words = text.split()
            text = " ".join(words[:14]) if len(words) > 14 else text[:40]
        found.append(text.rstrip(".,;:"))
        if len(found) == MOST_OF_A_DOCUMENT:
            break
    return found


class Headlines:
    """By language; each with its document, which must not get it."""

    def __init__(self, documents):
        self.by_language = {}
        for document in documents:
            each = self.by_language.setdefault(document["lang"], [])
            each += [(document["id"], text) for text in headlines_of(document)]

    def draw(self, document, rng, count):
        pool = self.by_language.get(document.get("base_lang", document["lang"]), [])
        own = document["id"].split("+")[0]
        drawn = [text for base, text in rng.sample(pool, min(len(pool), count + 3)) if base.split("+")[0] != own]
        return drawn[:count]


def teasers(lines, words, rng, drawn):
    said = list(drawn)
    places = sorted({0, len(lines), *(at for at in range(1, len(lines)) if lines[at - 1]["label"] != lines[at]["label"])})
    inside = [at + 1 for at, one in enumerate(lines) if one["label"] == 1]
    while said:
        size = min(len(said), rng.choice((1, 3, 5, 8, 12)))
        is_inside = inside and rng.random() < 0.2
        size = min(size, 2) if is_inside else size
        at = min(len(lines), rng.choice(inside if is_inside else places))
        lines = [*lines[:at], *block(said[:size], words, rng), *lines[at:]]
        said = said[size:]
    return lines


def block(said, words, rng):
    """Returns a heading or a short lead, and the headlines, some with their own date or place."""
    if len(said) <= 2:
        lead = filled(rng.choice(BOX_HEADS), words, rng)
        return [line(f"{lead}: {text}" if rng.random() < 0.5 else text, 0) for text in said]
    made = [line(filled(rng.choice(BOX_HEADS), words, rng), 0)] if rng.random() < 0.7 else []
    has_dates, bullet = rng.random() < 0.4, rng.choice(("", "", "", "- ", "• ", "» "))
    numbered = rng.random() < 0.15
    for at, text in enumerate(said):
        made.append(line(f"{at + 1}. {text}" if numbered else bullet + text, 0))
        if has_dates:
            made.append(line(rng.choice(DATES), 0))
    return made
