"""Reads the networks of a shipped model folder back into the trainer's form, so that another one can be added.

Numbers that were combined for shipping stay combined: an offset of the networks for crawled text is the mean of theirs, and their notion is in the
last layer. The output is the same. Only folders without word pieces, with an LSTM for pages and convolutions for crawled text, can be read.
"""

import os

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from common.json_file import read_json
from common.layers import NoPieces, Table
from text.text_data import CONDITIONS
from text.text_network import Towers, build_reader

CONTEXT_PARTS = ("norm.weight", "norm.bias", "near.bias", "out.weight", "out.bias")


class Weights:
    """Returns the initializers of a network by name. Equal ones are stored once, and the others refer to it."""

    def __init__(self, path):
        graph = onnx.load(path).graph
        self.values = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
        for node in graph.node:
            if node.op_type == "Identity" and node.input[0] in self.values:
                self.values[node.output[0]] = self.values[node.input[0]]

    def __getitem__(self, name):
        return self.values[name]

    def under(self, prefix):
        return {name[len(prefix) :]: values for name, values in self.values.items() if name.startswith(prefix)}


def network_of(weights, number, prefix, about, settings, last):
    """`last`: the outer layer and the notions, [1 and conditions, hidden and one]."""
    reader = build_reader(about, settings)
    state = reader.state_dict()
    found = {
        "mean": weights["inputs.mean"][number, 0],
        "inverse_deviation": weights["inputs.inverse_deviation"][number, 0],
        "outer.weight": last[:1, :-1],
        "outer.bias": last[0, -1:],
        "notions": last[1:],
        **{name: weights[prefix + name] for name in ("inner.weight", "inner.bias", "norm.weight", "norm.bias", "last.weight", "last.bias")},
    }
    context = weights.under(f"{prefix}context.")
    if settings["context"] == "convolutions":
        for at in range(len(settings["dilations"])):
            found.update({f"context.blocks.{at}.{part}": context[f"blocks.{at}.{part}"] for part in CONTEXT_PARTS})
            near = context[f"blocks.{at}.near.weight"]
            found[f"context.blocks.{at}.near.weight"] = near.reshape(near.shape[0], 3, -1).permute(0, 2, 1)
    else:
        found.update({f"context.{name}": values for name, values in context.items() if name != "start"})
    assert found.keys() <= state.keys(), found.keys() - state.keys()
    # The folder does not have the parts that only training uses; they keep their initial values.
    reader.load_state_dict({**state, **found})
    return reader.eval()


def read_networks(folder):
    """Returns Towers, the tables of n-grams and pieces, and model.json's content."""
    about = read_json(os.path.join(folder, "model.json"))
    assert "pieces" not in about, "networks that read word pieces cannot be read back"
    weights = Weights(os.path.join(folder, "model.onnx"))
    settings = [{**one["settings"], "piece_width": 0} for one in about["trained"]]
    shape = {"columns": about["columns"], "tableRows": about["table"]["rows"]}
    of_pages = torch.cat([weights["pages.outer.weight"], weights["pages.outer.bias"].unsqueeze(1)], 1)
    pages = network_of(weights, 0, "pages.lines.", shape, settings[0], of_pages)
    pages.judge.load_state_dict(weights.under("pages.judge."))
    crawls, at = [], 0
    for number, each in enumerate(settings[1:]):
        share = weights["crawls.outer.weight"][:, at : at + each["hidden"]] * (len(settings) - 1)
        last = torch.zeros(1 + len(CONDITIONS), each["hidden"] + 1)
        last[0] = torch.cat([share[0], weights["crawls.outer.bias"]])
        crawls.append(network_of(weights, 1 + number, f"crawls.lines.{number}.", shape, each, last))
        at += each["hidden"]
    values = np.fromfile(os.path.join(folder, about["table"]["file"]), np.int8).reshape(about["table"]["rows"], about["table"]["width"])
    table = Table(*values.shape)
    table.gain = 1.0
    with torch.no_grad():
        table.weight.copy_(torch.from_numpy(values.astype(np.float32)) * about["table"]["scale"])
    widths = [(each["width"], 0) for each in settings]
    return Towers(pages, crawls, widths, [1.0] * len(crawls)).eval(), (table, NoPieces(0)), about
