"""Writes the texts of the parity test, in our own words: those of the other labellers, and longer ones made from them.

    python3 -m registers.parity_registers > parity.jsonl
"""

import json
import sys

from common.parity import DOCUMENTS


def texts():
    for name, lines in DOCUMENTS.items():
        yield name, "\n".join(lines)
    for name in ("article-en", "zh", "ar"):
        # Longer than the part that is read.
        yield f"{name}-long", "\n".join(DOCUMENTS[name] * 30)
    yield "all", "\n".join("\n".join(lines) for lines in DOCUMENTS.values())


def main():
    for name, text in texts():
        one = {"id": name, "lang": "und", "group": name, "fold": 0, "has": "all", "labels": [], "text": text}
        sys.stdout.write(json.dumps(one, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
