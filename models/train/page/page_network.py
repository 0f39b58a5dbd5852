"""Defines the `page` labeller's network: each line by its columns and n-grams, then convolutions over the lines of the page, which reach further with
each block, groups of lines, and the page as a whole.

Convolutions are as good as an LSTM here, and several times as fast, because all lines are computed at once.
"""

import numpy as np
import torch
from torch import nn

from common.layers import CLIP, LEAST_DEVIATION, Block, Table, padded, summary

# The block after which every line gets information about its groups and about the whole page.
GLOBAL_BLOCK = 1
# The logit for articles comes first (PAGE_TYPES).
ARTICLE = 0
JUDGE_WIDTH = 32
# The levels of groups, as the program has them.
LEVELS = ["own", "parent", "parent-run", "grandparent-run"]
# The column that is the logarithm of one more than a line's letters.
LOG_LENGTH = 0
# More than any document has.
MOST_GROUPS = 10_000_000


class SumOfGroups(torch.autograd.Function):
    """[lines, …], [lines] numbers of groups, zeros [groups, …]: the sums. It is exported by hand, because PyTorch exports `index_put` with
    `accumulate` as an operation that keeps one of the lines instead of their sum."""

    @staticmethod
    def forward(context, values, numbers, zeros):
        context.save_for_backward(numbers)
        return zeros.index_add(0, numbers, values)

    @staticmethod
    def backward(context, gradient):
        return gradient[context.saved_tensors[0]], None, None

    @staticmethod
    def symbolic(graph, values, numbers, zeros):
        axes = graph.op("Constant", value_t=torch.tensor([1]))
        return graph.op("ScatterND", zeros, graph.op("Unsqueeze", numbers, axes), values, reduction_s="add")


class Groups(nn.Module):
    """Adds to each line the mean of the lines of its groups, level by level."""

    def __init__(self, hidden):
        super().__init__()
        self.common = nn.Linear(len(LEVELS) * hidden, hidden)

    def forward(self, lines, groups, shares, dropout):
        """[lines, hidden]; [lines, levels] numbers of groups, and what a line counts in each group."""
        numbers = groups.reshape(-1).long()
        each = lines.unsqueeze(1).expand(-1, groups.shape[1], -1).reshape(-1, lines.shape[1])
        sums = SumOfGroups.apply(each, numbers, torch.zeros(shares.shape[0], lines.shape[1]))
        means = (sums * shares.unsqueeze(1))[numbers]
        return lines + dropout(torch.relu(self.common(means.reshape(lines.shape[0], -1))))


def mean_of_group(values, weights, numbers, groups):
    """[lines]: for each line the weighted mean over its group."""
    sums = SumOfGroups.apply(values * weights, numbers, torch.zeros(groups))
    return (sums / SumOfGroups.apply(weights, numbers, torch.zeros(groups)).clamp_min(1e-6))[numbers]


class PageReader(nn.Module):
    """Maps [lines, columns] and [lines, bags] to one logit per line and the logits of the page: one per type, then main content."""

    def __init__(self, columns, bag_values, conventions, judgements, settings):
        super().__init__()
        hidden = settings["hidden"]
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("inverse_deviation", torch.ones(columns))
        self.inner = nn.Linear(columns + bag_values, hidden)
        # Corpora disagree on what is main content. Each adds its own weights to the last layer; everything else is shared.
        self.convention = nn.Embedding(conventions, hidden + 1)
        nn.init.zeros_(self.convention.weight)
        self.register_buffer("notion", torch.zeros(hidden + 1))
        self.register_buffer("notion_of_articles", torch.zeros(hidden + 1))
        self.norm = nn.LayerNorm(hidden)
        self.blocks = nn.ModuleList([Block(hidden, dilation) for dilation in settings["dilations"]])
        self.groups = Groups(hidden)
        # By level, how far the logits of a group move to their mean in use: a share of the way, and at most this far.
        self.evened = [(LEVELS.index(name), *how) for name, how in settings["evened"].items()]
        self.whole = nn.Linear(2 * hidden, hidden)
        self.last = nn.LayerNorm(hidden)
        self.outer = nn.Linear(hidden, 1)
        self.auxiliary = nn.Linear(hidden, 1)
        self.judge = nn.Sequential(nn.Linear(2 * hidden, JUDGE_WIDTH), nn.ReLU(), nn.Linear(JUDGE_WIDTH, judgements))
        self.dropout = nn.Dropout(settings["dropout"])

    def standardise(self, hand, blind=()):
        """`blind`: columns that are ignored from now on."""
        self.mean.copy_(hand.mean(0))
        self.inverse_deviation.copy_(1 / hand.std(0).clamp_min(LEAST_DEVIATION))
        self.inverse_deviation[list(blind)] = 0

    def settle(self, convention, article_convention):
        """From now on, follows one corpus's notion of main content, and another's by the probability that the page is an article."""
        self.notion.copy_(self.convention.weight[convention].detach())
        self.notion_of_articles.copy_(self.convention.weight[article_convention].detach())

    def embed(self, hand, bags):
        hand = ((hand - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP)
        return self.dropout(torch.relu(self.norm(self.inner(torch.cat([hand, bags], dim=1)))))

    def together(self, lines, groups, shares, place):
        """`place`: positions of the lines among the padded ones; None without padding."""
        flat = lines.reshape(-1, lines.shape[2])
        if place is None:
            return self.groups(flat, groups, shares, self.dropout).unsqueeze(0)
        return flat.index_copy(0, place, self.groups(flat[place], groups, shares, self.dropout)).view(lines.shape)

    def in_context(self, lines, groups, shares, mask=None, place=None):
        for at, block in enumerate(self.blocks):
            lines = block(lines, mask, self.dropout.p)
            if at == GLOBAL_BLOCK:
                lines = self.together(lines, groups, shares, place)
                lines = lines + self.dropout(torch.relu(self.whole(summary(lines, mask)))).unsqueeze(1)
        return self.last(lines)

    def forward(self, hand, bags, groups, shares):
        """One page, as in use. This, and only this, goes to ONNX."""
        lines = self.in_context(self.embed(hand, bags).unsqueeze(0), groups, shares)
        page = self.judge(summary(lines, None)).reshape(-1)
        is_article = torch.softmax(page[:-1], 0)[ARTICLE]
        notion = self.notion + is_article * (self.notion_of_articles - self.notion)
        logits = self.outer(lines).reshape(-1) + (lines @ notion[:-1].unsqueeze(1)).reshape(-1) + notion[-1]
        # For a reader a list or a table is one unit, so its lines are kept or dropped together unless they clearly differ.
        weights = torch.exp(hand[:, LOG_LENGTH] / 2)
        for level, share, most in self.evened:
            ahead = logits - mean_of_group(logits, weights, groups[:, level].long(), shares.shape[0])
            logits = logits - share * ahead.clamp(-most, most)
        return logits, page

    def read_segments(self, hand, bags, sizes, groups, shares, notions):
        """Computes many segments at once, as in training: logits in context, from the line alone, and of each page."""
        alone = self.embed(hand, bags)
        lines, mask, place = padded(alone, sizes)
        lines = self.in_context(lines, groups, shares, mask, place)
        flat = self.dropout(lines.flatten(0, 1)[place])
        logits = self.outer(flat).squeeze(1) + (flat * notions[:, :-1]).sum(1) + notions[:, -1]
        page = self.judge(self.dropout(summary(lines, mask)))
        return logits, self.auxiliary(alone).squeeze(1), page


def number_groups(groups, segments=None):
    """Numbers the groups of [lines, levels] from 0 on, each in one segment and at one level only, and returns 1 over the number of lines of each group."""
    levels = np.arange(groups.shape[1])
    segments = np.zeros(len(groups)) if segments is None else segments
    whole = (segments[:, None] * len(levels) + levels) * MOST_GROUPS + groups
    _, numbers, counts = np.unique(whole, return_inverse=True, return_counts=True)
    return torch.from_numpy(numbers.reshape(groups.shape)), torch.from_numpy(1 / counts).float()


def build(about, conventions, judgements, settings):
    """Makes a network and its table for features of this kind."""
    width = settings["width"]
    assert about["groups"] == LEVELS
    reader = PageReader(len(about["columns"]), width * len(about["bags"]), conventions, judgements, settings)
    return reader, Table(about["tableRows"], width)
