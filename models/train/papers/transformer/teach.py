"""Tunes the encoder of the labeller `transformer` as a teacher, and writes its answers for unlabelled lines.

    python3 -m papers.transformer.teach --encoder FILE --documents FILE --out TEACHER.pt [--fold K] [--without LANG…] [--seed N]
    python3 -m papers.transformer.teach --encoder FILE --teacher TEACHER.pt --label FILE… --out LOGITS.npz

`--documents` is the output of prepare_text.py. Its unchanged crawled texts are used for training, without those of a fold or in a language, so that a
network can learn from this teacher and be measured on texts unseen by both. The recipe is that of train_transformer.sh without a GPU: the last four
layers are trained for two epochs; then an LSTM over the lines.

LOGITS.npz   `ids` of the documents, `ends` of their lines, and the `logits` of main content
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any, Iterable, List, Sequence

import numpy as np
import torch

from common.gold import read
from papers.transformer.transformer_data import Document, as_document, tokens_of
from papers.transformer.transformer_encoder import LineClassifier, encode_lines, fine_tune, pretrained
from papers.transformer.transformer_head import SequenceHead, score_head, train_head
from text.text_data import TRAINING_FOLDS, fold_by_id

RECIPE = {
    **{"top_layers": 4, "rate": 1e-4, "epochs": 2, "lines_an_epoch": 14_000, "most_tokens": 40, "tokens_a_batch": 1024, "hide": 0.0},
    **{"head_rate": 1e-3, "head_epochs": 8, "head_hidden": 128, "head_dropout": 0.15, "segment": 50, "segments_a_batch": 16},
}
SOURCE = "turku-tq+crawl"


def training_documents(path: str, fold: int | None, languages: Sequence[str]) -> List[Document]:
    """Returns the crawled texts for training. Folds are those of text_data.py, because these documents have no site."""
    kept = (one for one in read(path) if one["source"] == SOURCE and one["lang"] not in languages)
    return [as_document(one) for one in kept if fold_by_id(one) != fold]


def train(options: Any) -> None:
    recipe = argparse.Namespace(**RECIPE)
    documents = training_documents(options.documents, options.fold, options.without)
    texts = [text for one in documents for text in one.texts]
    labels = [label for one in documents for label in one.labels]
    print(f"{len(documents)} documents, {len(texts)} lines", flush=True)
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    tokenizer, encoder = pretrained(options.encoder)
    model = LineClassifier(encoder, "mean")
    tokens = tokens_of(tokenizer, texts, recipe.most_tokens)
    fine_tune(model, tokenizer, (tokens, labels), recipe, options.seed)
    # An encoder is surer about its training lines than about others; dropout hides this.
    model.train()
    embeddings, _ = encode_lines(model, tokens, tokenizer.pad_token_id, 4 * recipe.tokens_a_batch)
    head = train_head([embeddings], documents, recipe, options.seed)
    told = {"fold": options.fold, "without": options.without, "seed": options.seed}
    torch.save({"model": model.state_dict(), "head": head.state_dict(), **told}, options.out)


def read_teacher(options: Any) -> tuple[Any, LineClassifier, SequenceHead]:
    """Computes products in int8, which is twice as fast; the logits hardly change."""
    states = torch.load(options.teacher)
    tokenizer, encoder = pretrained(options.encoder)
    model = LineClassifier(encoder, "mean")
    model.load_state_dict(states["model"])
    model.eval().encoder = torch.ao.quantization.quantize_dynamic(model.encoder, {torch.nn.Linear}, dtype=torch.qint8)
    head = SequenceHead(encoder.config.hidden_size, RECIPE["head_hidden"], RECIPE["head_dropout"])
    head.load_state_dict(states["head"])
    return tokenizer, model, head.eval()


def lines_of(records: Iterable[dict[str, Any]]) -> List[Document]:
    """Returns all lines of the documents; labels are not needed."""
    texts = ((one, [line["text"] for line in one["lines"]]) for one in records)
    return [Document(one["id"], one["lang"], lines, [0] * len(lines)) for one, lines in texts]


def label(options: Any) -> None:
    tokenizer, model, head = read_teacher(options)
    documents = [one for path in options.label for one in lines_of(read(path))]
    # The same line is encoded once.
    texts = sorted({text for one in documents for text in one.texts}, key=lambda text: (len(text), text))
    at = {text: number for number, text in enumerate(texts)}
    started, embeddings = time.time(), []
    for start in range(0, len(texts), 4096):
        tokens = tokens_of(tokenizer, texts[start : start + 4096], RECIPE["most_tokens"])
        embeddings.append(encode_lines(model, tokens, tokenizer.pad_token_id, 4096)[0])
        print(f"{start + len(tokens)} of {len(texts)} lines, {time.time() - started:.0f} s", flush=True)
    encoded = np.concatenate(embeddings)
    logits = [score_head(head, encoded[[at[text] for text in one.texts]], [one], RECIPE["segment"]) for one in documents]
    ends = np.cumsum([len(one) for one in documents])
    np.savez(options.out, ids=np.array([one.id for one in documents]), ends=ends, logits=np.concatenate(logits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("encoder", "out"):
        parser.add_argument(f"--{name}", required=True)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--documents", help="to learn from")
    task.add_argument("--label", nargs="+", help="documents to label")
    parser.add_argument("--teacher", help="the trained teacher to label with")
    parser.add_argument("--fold", type=int, choices=range(1, TRAINING_FOLDS + 1))
    parser.add_argument("--without", nargs="+", default=[], metavar="LANG")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.label and not options.teacher:
        parser.error("--label needs --teacher")
    (label if options.label else train)(options)


if __name__ == "__main__":
    main()
