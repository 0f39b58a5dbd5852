"""Rebuilds the networks of text_network.py in the form that ships: the same computation in as few nodes as possible, and no computation for a network
without weight. On a document of forty lines, a node costs ONNX Runtime about as much as its computation.

Lines are always [lines, hidden]; numbers that are fixed in use are folded into weights and biases.
"""

import torch
from torch import nn

from common.layers import CLIP
from text.text_data import CONDITIONS
from text.text_network import Convolutions, Recurrent, heard

CRAWL = CONDITIONS.index("crawl")


def linear(weight, bias):
    """Makes a layer from [outputs, inputs] and [outputs]."""
    layer = nn.Linear(weight.shape[1], weight.shape[0])
    layer.load_state_dict({"weight": weight, "bias": bias})
    return layer


class Inputs(nn.Module):
    """Maps [lines, columns], [lines, bags of all networks] and [lines, pieces of all networks] to the input of each network: [networks, lines,
    columns + its bags + its pieces]."""

    def __init__(self, readers, widths):
        super().__init__()
        assert len(set(widths)) == 1, f"all networks must have bags and pieces of the same width, not {widths}"
        self.networks, self.widths = len(readers), widths[0]
        self.register_buffer("mean", torch.stack([one.mean for one in readers]).unsqueeze(1))
        self.register_buffer("inverse_deviation", torch.stack([one.inverse_deviation for one in readers]).unsqueeze(1))

    def forward(self, hand, bags, pieces=None):
        lines = hand.shape[0]
        each = [
            part.reshape(lines, -1, self.networks, width).permute(2, 0, 1, 3).reshape(self.networks, lines, -1)
            for part, width in zip((bags, pieces), self.widths)
            if width > 0
        ]
        hand = ((hand - self.mean) * self.inverse_deviation).clamp(-CLIP, CLIP)
        return torch.cat([hand, *each], 2)


class Lines(nn.Module):
    """A TextReader from its inputs up to its lines in context."""

    def __init__(self, reader, gain, pieces):
        """`pieces`: values of a line without the gain."""
        super().__init__()
        assert not reader.sees_whole and reader.encoder is None, "networks with these settings cannot ship"
        weight = reader.inner.weight.detach().clone()
        weight[:, len(reader.mean) : weight.shape[1] - pieces] *= gain
        self.inner, self.norm = linear(weight, reader.inner.bias.detach()), reader.norm
        self.context, self.last = lean(reader.context), reader.last

    def forward(self, inputs):
        return self.last(self.context(torch.relu(self.norm(self.inner(inputs)))))


def lean(context):
    forms = {Recurrent: LeanRecurrent, Convolutions: LeanConvolutions}
    assert type(context) in forms, f"{type(context).__name__} has no form to ship"
    return forms[type(context)](context)


class LeanRecurrent(nn.Module):
    """Lines come first and the initial state is given, so that neither must be made for each document."""

    def __init__(self, context):
        super().__init__()
        of = context.inner
        assert isinstance(of, (nn.LSTM, nn.GRU)), f"{type(of).__name__} has no form to ship"
        self.inner = type(of)(of.input_size, of.hidden_size, num_layers=of.num_layers, bidirectional=True)
        self.inner.load_state_dict(of.state_dict())
        self.has_cells = isinstance(of, nn.LSTM)
        self.register_buffer("start", torch.zeros(2 * of.num_layers, 1, of.hidden_size))
        self.out = context.out

    def forward(self, lines):
        seen, _ = self.inner(lines.unsqueeze(1), (self.start, self.start) if self.has_cells else self.start)
        return lines + self.out(seen.reshape(lines.shape[0], -1))


class LeanConvolutions(nn.Module):
    def __init__(self, context):
        super().__init__()
        self.blocks = nn.ModuleList([LeanBlock(block) for block in context.blocks])

    def forward(self, lines):
        for block in self.blocks:
            lines = block(lines)
        return lines


class LeanBlock(nn.Module):
    """The Block of layers.py, with its convolution as a layer over three lines, without transposing."""

    def __init__(self, block):
        super().__init__()
        near = block.near
        [self.reach] = near.dilation
        self.norm, self.out = block.norm, block.out
        # [outputs, inputs, three lines] to [outputs, one line's inputs after another's].
        self.near = linear(near.weight.detach().permute(0, 2, 1).reshape(near.out_channels, -1), near.bias.detach())
        self.register_buffer("edge", torch.zeros(self.reach, near.in_channels))

    def forward(self, lines):
        seen = self.norm(lines)
        padded = torch.cat([self.edge, seen, self.edge])
        three = torch.cat([padded[: -2 * self.reach], seen, padded[2 * self.reach :]], 1)
        return lines + self.out(torch.relu(self.near(three)))


class Pages(nn.Module):
    """The network for pages: logits, and shares of conditions. The last layer has one row for each condition's notion."""

    def __init__(self, reader):
        super().__init__()
        self.lines, self.judge = Lines(reader, 1.0, 0), reader.judge
        weight = torch.cat([reader.outer.weight.detach(), reader.notions[:, :-1]])
        self.outer = linear(weight, torch.cat([reader.outer.bias.detach(), reader.notions[:, -1]]))

    def forward(self, inputs, said):
        lines = self.lines(inputs[0])
        seen = torch.cat([lines.mean(0, keepdim=True), lines.amax(0, keepdim=True)], 1)
        shares = said + (1 - said.sum()) * torch.softmax(self.judge(seen).reshape(-1), 0)
        return (self.outer(lines) @ torch.cat([torch.ones(1), shares]).unsqueeze(1)).reshape(-1), shares


class Crawls(nn.Module):
    """The networks for crawled text: the mean of their logits, each with its notion of crawled text."""

    def __init__(self, readers, gains, pieces):
        super().__init__()
        self.lines = nn.ModuleList([Lines(reader, gain, pieces) for reader, gain in zip(readers, gains)])
        notions = [reader.notions[CRAWL] for reader in readers]
        weights = [reader.outer.weight.detach() + notion[:-1] for reader, notion in zip(readers, notions)]
        bias = sum(reader.outer.bias.detach() + notion[-1] for reader, notion in zip(readers, notions))
        self.outer = linear(torch.cat(weights, 1) / len(readers), bias / len(readers))

    def forward(self, inputs):
        return self.outer(torch.cat([lines(inputs[1 + at]) for at, lines in enumerate(self.lines)], 1)).reshape(-1)


class Shipped(nn.Module):
    """Computes the same as Towers. The network for pages does not run if the text is given as crawled in a labelled language; the networks for
    crawled text do not run if they have no weight."""

    def __init__(self, towers, columns, bags, pieces):
        super().__init__()
        features = [torch.zeros(5, width) for width in (columns, bags, pieces) if width > 0]
        inputs = Inputs([towers.pages, *towers.crawls], towers.widths)
        read, said = inputs(*features), torch.zeros(len(CONDITIONS))
        self.inputs = torch.jit.trace(inputs, tuple(features))
        self.pages = torch.jit.trace(Pages(towers.pages).eval(), (read, said))
        self.crawls = torch.jit.trace(Crawls(towers.crawls, towers.gains, pieces // inputs.networks).eval(), read)
        self.conditions, self.crawl = len(CONDITIONS), CRAWL

    def forward(self, hand, bags, pieces, condition):
        return self.verdict(self.inputs(hand, bags, pieces), condition)

    def verdict(self, inputs, condition):
        said, familiar = condition[: self.conditions], condition[self.conditions]
        # There are two branches, one after the other, because nested ones cost ONNX Runtime more than they save.
        logits, shares = torch.zeros(1), said
        if bool(said[self.crawl] * familiar < 1):
            logits, shares = self.pages(inputs, said)
        share = heard(shares[self.crawl], familiar)
        if bool(share > 0):
            logits = (1 - share) * logits + share * self.crawls(inputs)
        return logits, shares


class ShippedWithoutPieces(Shipped):
    """The same for networks without word pieces."""

    def forward(self, hand, bags, condition):
        return self.verdict(self.inputs(hand, bags), condition)


def shipped(towers, columns, bags, pieces):
    """For `model_folder.write_network`; only a script keeps branches in the export. `columns`, `bags`, `pieces`: values of a line."""
    return torch.jit.script((Shipped if pieces else ShippedWithoutPieces)(towers, columns, bags, pieces).eval())
