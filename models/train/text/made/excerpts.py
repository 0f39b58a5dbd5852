"""Turns a labelled document into a few of its lines, like pasted text, or the rest of a short page."""

MOST_LINES = 9
FEWEST_LETTERS = 12


def excerpt(document, rng):
    """Returns one to nine consecutive lines with some content: mostly from the text alone, sometimes across its border. None if there are no suitable
    lines."""
    lines = document["lines"]
    content = [at for at, one in enumerate(lines) if one["label"] == 1 and len(one["text"]) >= FEWEST_LETTERS]
    if not content:
        return None
    start, size = rng.choice(content), rng.randint(1, MOST_LINES)
    if rng.random() < 0.35:
        # Some lines before the text, or after it.
        start = max(0, content[0] - rng.randint(1, 3)) if rng.random() < 0.5 else max(0, content[-1] - rng.randint(0, 4))
        return lines[start : start + size]
    stretch = []
    for one in lines[start:]:
        if one["label"] == 0 or len(stretch) == size:
            break
        stretch.append(one)
    return stretch
