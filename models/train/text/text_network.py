"""Defines the `text` labeller's network: each line by its columns and n-grams, then its neighbours, then the text as a whole, which also predicts its
condition.

The part that carries context is one of CONTEXTS, so that they can be compared; SETTINGS of train_text.py names the one
that ships.
"""

import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from common.layers import CLIP, LEAST_DEVIATION, Block, NoPieces, Pieces, Table, drop_channels, padded, summary
from text.markup import KINDS
from text.text_data import CONDITIONS, CORPORA, LETTER_ROWS

CONTEXTS = ("none", "lstm", "gru", "convolutions", "transformer")
HEADS = 4
LONGEST_WAVE = 2_000.0
LETTER_VALUES = 48
# Nine tenths of raw pages and a quarter of extracts have a smaller share of crawled text; their verdicts are the same without the networks for it.
LEAST_HEARD = 0.1


class Recurrent(nn.Module):
    """Both directions, added to the line's input."""

    def __init__(self, kind, hidden, layers=1):
        super().__init__()
        self.inner = kind(hidden, hidden, num_layers=layers, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, hidden)

    def forward(self, lines, sizes, mask, dropout):
        if sizes is None:
            seen, _ = self.inner(lines)
        else:
            packed = pack_padded_sequence(lines, torch.tensor(sizes), batch_first=True, enforce_sorted=False)
            seen, _ = pad_packed_sequence(self.inner(packed)[0], batch_first=True, total_length=lines.shape[1])
        return lines + drop_channels(self.out(seen), dropout if self.training else 0.0)


class Convolutions(nn.Module):
    """Blocks that reach further and further, as in the `page` labeller."""

    def __init__(self, hidden, dilations):
        super().__init__()
        self.blocks = nn.ModuleList([Block(hidden, dilation) for dilation in dilations])

    def forward(self, lines, sizes, mask, dropout):
        for block in self.blocks:
            lines = block(lines, mask, dropout)
        return lines


class Attention(nn.Module):
    """Two layers over all lines of a segment; sine waves encode positions."""

    def __init__(self, hidden, dropout):
        super().__init__()
        layer = nn.TransformerEncoderLayer(hidden, HEADS, 2 * hidden, dropout / 2, batch_first=True, norm_first=True)
        self.inner = nn.TransformerEncoder(layer, 2)
        self.loudness = nn.Parameter(torch.zeros(1))

    def forward(self, lines, sizes, mask, dropout):
        count, hidden = lines.shape[1], lines.shape[2]
        rates = torch.exp(torch.arange(0, hidden, 2) * (-math.log(LONGEST_WAVE) / hidden))
        angles = torch.arange(count).unsqueeze(1) * rates
        waves = torch.stack([torch.sin(angles), torch.cos(angles)], 2).reshape(count, hidden)
        return self.inner(lines + self.loudness * waves, src_key_padding_mask=None if mask is None else mask.squeeze(2) == 0)


class Nothing(nn.Module):
    """A bag of lines: each alone."""

    def forward(self, lines, sizes, mask, dropout):
        return lines


def context_of(settings):
    hidden, name = settings["hidden"], settings["context"]
    makers = {
        "none": Nothing,
        "lstm": lambda: Recurrent(nn.LSTM, hidden),
        "gru": lambda: Recurrent(nn.GRU, hidden),
        "convolutions": lambda: Convolutions(hidden, settings["dilations"]),
        "transformer": lambda: Attention(hidden, settings["dropout"]),
    }
    return makers[name]()


class LetterEncoder(nn.Module):
    """Two convolutions and a maximum over the first bytes or letters of a line, to compare with hashed n-grams."""

    def __init__(self, rows, values):
        super().__init__()
        self.letters = nn.Embedding(rows, 16)
        self.near = nn.Conv1d(16, 32, 5, padding=2)
        self.far = nn.Conv1d(32, values, 5, padding=2, stride=2)

    def forward(self, numbers):
        seen = torch.relu(self.near(self.letters(numbers).transpose(1, 2)))
        return torch.relu(self.far(seen)).amax(2)


class TextReader(nn.Module):
    """Maps [lines, columns] and [lines, bags] to one logit per line, and one for each condition of the text."""

    def __init__(self, columns, bag_values, corpora, conditions, kinds, settings):
        super().__init__()
        hidden = settings["hidden"]
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("inverse_deviation", torch.ones(columns))
        self.inner = nn.Linear(columns + bag_values, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.encoder = LetterEncoder(LETTER_ROWS[settings["encoder"]], LETTER_VALUES) if settings["encoder"] else None
        self.context = context_of(settings)
        self.sees_whole = settings["sees_whole"] and settings["context"] != "none"
        self.whole = nn.Linear(2 * hidden, hidden)
        self.last = nn.LayerNorm(hidden)
        self.outer = nn.Linear(hidden, 1)
        # Corpora disagree on what is main content. Each adds its own weights to the last layer; everything else is shared.
        self.convention = nn.Embedding(corpora, hidden + 1)
        nn.init.zeros_(self.convention.weight)
        # The notion that a text in each condition follows in use.
        self.register_buffer("notions", torch.zeros(conditions, hidden + 1))
        self.judge = nn.Linear(2 * hidden, conditions)
        # Only for training: the label from the line alone, and the line's markup, with and without context.
        self.auxiliary = nn.Linear(hidden, 1)
        self.markup = nn.Linear(hidden, kinds)
        self.markup_alone = nn.Linear(hidden, kinds)
        self.dropout = nn.Dropout(settings["dropout"])

    def standardise(self, hand):
        self.mean.copy_(hand.mean(0))
        self.inverse_deviation.copy_(1 / hand.std(0).clamp_min(LEAST_DEVIATION))

    def silence(self, columns):
        """Removes columns, for ablations."""
        self.inverse_deviation[columns] = 0

    def settle(self, mixtures):
        """Fixes the notion of each condition: a mixture of corpora, [conditions, corpora]."""
        self.notions.copy_(torch.as_tensor(mixtures, dtype=torch.float32) @ self.convention.weight.detach())

    def with_letters(self, bags, texts, lines):
        """Returns the bags and, if there is an encoder of letters, its output for the lines."""
        if self.encoder is None:
            return bags
        return torch.cat([bags, self.encoder(torch.from_numpy(texts.letters[lines].astype("int64")))], dim=1)

    def embed(self, hand, bags):
        hand = ((hand - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP)
        return self.dropout(torch.relu(self.norm(self.inner(torch.cat([hand, bags], dim=1)))))

    def in_context(self, lines, sizes=None, mask=None):
        lines = self.context(lines, sizes, mask, self.dropout.p)
        if self.sees_whole:
            lines = lines + self.dropout(torch.relu(self.whole(summary(lines, mask)))).unsqueeze(1)
        return self.last(lines)

    def forward(self, hand, bags, condition):
        """Computes one text, as in use. `condition`: the shares of its conditions, or zeros if not given; further values are for Towers."""
        condition = condition[: len(CONDITIONS)]
        lines = self.in_context(self.embed(hand, bags).unsqueeze(0))
        judged = self.judge(summary(lines, None)).reshape(-1)
        known = condition.sum()
        shares = condition + (1 - known) * torch.softmax(judged, 0)
        notion = shares @ self.notions
        logits = self.outer(lines).reshape(-1) + (lines @ notion[:-1].unsqueeze(1)).reshape(-1) + notion[-1]
        return logits, shares

    def read_segments(self, hand, bags, sizes, notions):
        """Computes many segments at once, as in training: logits, logits of conditions, and lines alone and in context for the other heads."""
        alone = self.embed(hand, bags)
        lines, mask, place = padded(alone, sizes)
        lines = self.in_context(lines, sizes, mask)
        flat = self.dropout(lines.flatten(0, 1)[place])
        logits = self.outer(flat).squeeze(1) + (flat * notions[:, :-1]).sum(1) + notions[:, -1]
        return logits, self.judge(self.dropout(summary(lines, mask))), alone, flat


def heard(crawl, familiar, least: float = LEAST_HEARD):
    """Returns the weight of the networks for crawled text: from `crawl`, the share of that condition, and `familiar`, how far the language is a
    labelled one. In other languages, or if the share is very small, the network for pages answers alone. text_graph.py compiles this function, and
    compiled code only sees its arguments, so `least` is one."""
    return ((crawl - least) / (1 - least)).clamp(min=0) * familiar


class Towers(nn.Module):
    """Several networks over a table as wide as all of theirs: one for pages, which also predicts the condition, and those for crawled text, whose
    mean logits count. Each is trained separately: in one network, pages cost crawled text four points. text_graph.py computes the same in fewer
    nodes."""

    def __init__(self, pages, crawls, widths, gains):
        super().__init__()
        # The widths of the rows of n-grams and of pieces, by network.
        self.pages, self.crawls, self.widths = pages, nn.ModuleList(crawls), widths
        # The table has one scale, that of the pages' part; these are the other networks' scales relative to it.
        self.gains = gains

    def forward(self, hand, bags, condition):
        """`condition`: as in TextReader, then how far the language has labelled crawled text."""
        of_pages, *of_crawls = self.shared_out(bags)
        logits, shares = self.pages(hand, torch.cat(of_pages, 1), condition)
        only_crawl = torch.tensor([float(name == "crawl") for name in CONDITIONS])
        crawls = [network(hand, torch.cat([part * gain, of_pieces], 1), only_crawl)[0] for network, (part, of_pieces), gain in zip(self.crawls, of_crawls, self.gains)]
        share = heard((shares * only_crawl).sum(), condition[len(CONDITIONS)])
        return (1 - share) * logits + share * sum(crawls) / len(crawls), shares

    def shared_out(self, bags):
        """Splits the values by network: of its bags, then of its pieces."""
        widths, piece_widths = zip(*self.widths)
        lines = bags.shape[0]
        ends = bags.shape[1] - 3 * sum(piece_widths)
        each = [torch.split(part.reshape(lines, part.shape[1] // max(1, sum(wide)), sum(wide)), wide, dim=2) for part, wide in ((bags[:, :ends], widths), (bags[:, ends:], piece_widths))]
        return zip(*([part.reshape(lines, part.shape[1] * part.shape[2]) for part in parts] for parts in each))

    def with_letters(self, bags, texts, lines):
        return bags


def build_reader(about, settings):
    values = settings["width"] * len(settings["bags"]) + 3 * settings["piece_width"] + (LETTER_VALUES if settings["encoder"] else 0)
    return TextReader(len(about["columns"]), values, len(CORPORA), len(CONDITIONS), len(KINDS), settings)


def build(about, settings, vectors):
    """Makes a network, its table for features of this kind, and its pieces. `vectors`: of the pieces, [rows, values]."""
    reader = build_reader(about, settings)
    width = settings["piece_width"]
    pieces = Pieces(torch.from_numpy(vectors), settings["piece_inner"], width) if width else NoPieces(0)
    return reader, Table(about["tableRows"], settings["width"]), pieces
