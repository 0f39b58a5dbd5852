"""Writes the folder of a trained texrex model.

    python3 -m papers.texrex.texrex_export --trained FILE.npz --parity FILE.jsonl --out DIR --created DATE

FILE.npz comes from `train_texrex.py --ship`, FILE.jsonl from texrex_parity.js.
"""

import argparse
import json
import os
from typing import Any, Dict

import numpy as np

from common.calibrate import probability_of
from common.gold import write_digests
from common.model_folder import digest, licences, write_about
from papers.texrex.texrex_network import HIDDEN
from papers.texrex.train_texrex import NAMES

NETWORKS = ("page", "text")
FOCUSES = ("precision", "balanced", "recall")
CORPORA = ("wcxb", "waddle-zh", "waddle-ru", "cleaneval", "mbn-googletrends", "turku-tq")


def run(weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Runs the networks like the program's labeller."""
    split = HIDDEN * (len(NAMES) + 1)
    first = weights[:split].astype(np.float64).reshape(HIDDEN, len(NAMES) + 1)
    last = weights[split:].astype(np.float64)
    sums = rows @ first[:, :-1].T + first[:, -1]
    return (2 * np.exp(-sums * sums) - 1) @ last[:-1] + last[-1]


def recorded(document: Dict[str, Any], trained: Dict[str, np.ndarray]) -> Dict[str, Any]:
    which = "page" if "markup" in document else "text"
    rows = np.array(document.pop("rows"), dtype=np.float32).astype(np.float64).reshape(-1, len(NAMES))
    slope, offset = trained[f"{which}.numbers"][:2]
    scores = probability_of(run(trained[f"{which}.weights"], rows), slope, offset)
    return {**document, "scores": [float(f"{score:.8g}") for score in scores]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("trained", "parity", "out", "created"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    trained = dict(np.load(options.trained))
    os.makedirs(options.out, exist_ok=True)
    weights = os.path.join(options.out, "weights.bin")
    with open(weights, "wb") as file:
        file.write(b"".join(trained[f"{which}.weights"].astype("<f4").tobytes() for which in NETWORKS))
    numbers = {which: [float(f"{one:.8g}") for one in trained[f"{which}.numbers"]] for which in NETWORKS}
    # The parity scores use the numbers as they are written.
    for which in NETWORKS:
        trained[f"{which}.numbers"] = np.array(numbers[which])
    about = {
        "name": os.path.basename(os.path.abspath(options.out)),
        "kind": "texrex",
        "created": options.created,
        "columns": list(NAMES),
        "networks": list(NETWORKS),
        "hidden": HIDDEN,
        "weights": {"file": "weights.bin", "type": "float32", "sha256": digest(weights)},
        "calibrations": {which: dict(zip(("slope", "offset"), numbers[which][:2])) for which in NETWORKS},
        "thresholds": {which: {focus: round(one, 3) for focus, one in zip(FOCUSES, numbers[which][2:])} for which in NETWORKS},
        "training": licences(CORPORA),
    }
    write_about(options.out, about)
    with open(options.parity, encoding="utf-8") as documents, open(os.path.join(options.out, "parity.jsonl"), "w", encoding="utf-8") as out:
        for line in documents:
            out.write(json.dumps(recorded(json.loads(line), trained), ensure_ascii=False) + "\n")
    write_digests(os.path.join(options.out, "training.json"), trained["digests"].tolist())
    print(options.out, {which: about["thresholds"][which] for which in NETWORKS}, len(trained["digests"]), "documents")


if __name__ == "__main__":
    main()
