"""Defines the `page` labeller's network: each line by its columns and n-grams, then convolutions over the lines of the page, which see
further with each block, and the page as a whole.

Convolutions instead of an LSTM: as good here, and several times as fast in use, for all lines are computed at once.
"""

import torch
from torch import nn

from common.layers import CLIP, LEAST_DEVIATION, Block, Table, summary

# The block after which every line learns of the whole page.
GLOBAL_BLOCK = 1
# The judgement that a page is an article comes first (PAGE_TYPES).
ARTICLE = 0
JUDGE_WIDTH = 32


class PageReader(nn.Module):
    """[lines, columns] and [lines, bags] to one logit a line, and logits of the page: one a type, then main content."""

    def __init__(self, columns, bag_values, conventions, judgements, settings):
        super().__init__()
        hidden = settings["hidden"]
        self.register_buffer("mean", torch.zeros(columns))
        self.register_buffer("inverse_deviation", torch.ones(columns))
        self.inner = nn.Linear(columns + bag_values, hidden)
        # Corpora disagree on what is main. Each adds a weighing of its own to the last layer, so that all else is shared.
        self.convention = nn.Embedding(conventions, hidden + 1)
        nn.init.zeros_(self.convention.weight)
        self.register_buffer("notion", torch.zeros(hidden + 1))
        self.register_buffer("notion_of_articles", torch.zeros(hidden + 1))
        self.norm = nn.LayerNorm(hidden)
        self.blocks = nn.ModuleList([Block(hidden, dilation) for dilation in settings["dilations"]])
        self.whole = nn.Linear(2 * hidden, hidden)
        self.last = nn.LayerNorm(hidden)
        self.outer = nn.Linear(hidden, 1)
        self.auxiliary = nn.Linear(hidden, 1)
        self.judge = nn.Sequential(nn.Linear(2 * hidden, JUDGE_WIDTH), nn.ReLU(), nn.Linear(JUDGE_WIDTH, judgements))
        self.dropout = nn.Dropout(settings["dropout"])

    def standardise(self, hand, blind=()):
        """`blind`: columns that say nothing from now on."""
        self.mean.copy_(hand.mean(0))
        self.inverse_deviation.copy_(1 / hand.std(0).clamp_min(LEAST_DEVIATION))
        self.inverse_deviation[list(blind)] = 0

    def settle(self, convention, article_convention):
        """Follows one corpus's notion of main content from now on, and another's as far as a page is an article."""
        self.notion.copy_(self.convention.weight[convention].detach())
        self.notion_of_articles.copy_(self.convention.weight[article_convention].detach())

    def embed(self, hand, bags):
        hand = ((hand - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP)
        return self.dropout(torch.relu(self.norm(self.inner(torch.cat([hand, bags], dim=1)))))

    def in_context(self, lines, mask=None):
        for at, block in enumerate(self.blocks):
            lines = block(lines, mask, self.dropout.p)
            if at == GLOBAL_BLOCK:
                lines = lines + self.dropout(torch.relu(self.whole(summary(lines, mask)))).unsqueeze(1)
        return self.last(lines)

    def forward(self, hand, bags):
        """One page, as in use. This, and only this, goes to ONNX."""
        lines = self.in_context(self.embed(hand, bags).unsqueeze(0))
        page = self.judge(summary(lines, None)).reshape(-1)
        is_article = torch.softmax(page[:-1], 0)[ARTICLE]
        notion = self.notion + is_article * (self.notion_of_articles - self.notion)
        logits = self.outer(lines).reshape(-1) + (lines @ notion[:-1].unsqueeze(1)).reshape(-1) + notion[-1]
        return logits, page

    def read_segments(self, hand, bags, sizes, notions):
        """Many segments at once, as in training: logits in context, from the line alone, and of each page."""
        alone = self.embed(hand, bags)
        longest = max(sizes)
        is_line = torch.arange(longest).unsqueeze(0) < torch.tensor(sizes).unsqueeze(1)
        place = is_line.reshape(-1).nonzero().squeeze(1)
        mask = is_line.float().unsqueeze(2)
        padded = torch.zeros(len(sizes) * longest, alone.shape[1]).index_copy(0, place, alone)
        lines = self.in_context(padded.view(len(sizes), longest, -1), mask)
        flat = self.dropout(lines.reshape(len(sizes) * longest, -1)[place])
        logits = self.outer(flat).squeeze(1) + (flat * notions[:, :-1]).sum(1) + notions[:, -1]
        page = self.judge(self.dropout(summary(lines, mask)))
        return logits, self.auxiliary(alone).squeeze(1), page


def pool_bags(table, features, lines, weight=None):
    """The means of the lines' bags, one after the other: [lines, bags × width]."""
    bags = range(len(features.about["bags"]))
    return torch.cat([table.pool(*features.bag(bag, lines), weight) for bag in bags], dim=1)


def build(about, conventions, judgements, settings):
    """A network and its table for features of this kind."""
    width = settings["width"]
    reader = PageReader(len(about["columns"]), width * len(about["bags"]), conventions, judgements, settings)
    return reader, Table(about["tableRows"], width)
