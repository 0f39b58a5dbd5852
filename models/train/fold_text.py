"""Says what the networks of the `text` labeller make of a fold that trained none of them: what calibration and cuts are fitted on,
since dev alone has too few documents for that.

    python3 fold_text.py --checkpoints PAGES CRAWL… --features DIR --out FILE

The checkpoints come from `train_text.py --fold K`. Folds are those of the pages (1 to 4; 0 is dev), by site; other documents get
theirs by a digest of their id.
"""

import argparse

import torch

from score_text import load_towers, score_documents
from text_data import Texts, fold_of_text
from text_fit import GROUPS


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("features", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--checkpoints", nargs="+", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = Texts(options.features)
    reader, table, checkpoints = load_towers(*options.checkpoints)
    folds = {tuple(one["settings"]["without_folds"]) for one in checkpoints}
    assert len(folds) == 1, f"these networks were trained without different folds: {folds}"
    [[fold]] = folds
    settings = {**checkpoints[0]["settings"], "width": table.weight.shape[1]}
    sources = {source for each in GROUPS.values() for source in each}
    held_out = [one for one in texts.documents if one["source"] in sources and fold_of_text(one) == fold]
    scored = [one._asdict() for one in score_documents(reader, table, texts, held_out, settings)]
    torch.save(scored, options.out)
    print(f"fold {fold}: {len(scored)} documents")


if __name__ == "__main__":
    main()
