"""Learns, without labels, a table of n-grams whose pooled rows are vectors of lines: our replacement for multilingual BERT.

    python3 -m papers.boilernet.boilernet_vectors --features DIR [DIR …] --out DIR [--leave-out about.jsonl]

`--features` are folders of `thresher features --kind page`. A line's vector must find its neighbour among a thousand lines of other pages. In every
language, lines of menus are next to lines of menus, and sentences next to sentences. `--leave-out`: the train.about.jsonl of prepare_pages.py; pages
of fold 0 and made pages are not used.

OUT/table.bin (int8) and OUT/model.json are read by boilernet_lines.js and boilernet_export.py.
"""

import argparse
import json
import os

import numpy as np
import torch
from torch import nn

from common.features import Features
from common.layers import Table, pool_bags
from common.model_folder import describe_table, write_about, write_table

BAGS = ("words", "shapes")
SETTINGS = {"width": 32, "dimensions": 64, "pairs": 1024, "steps": 800, "rate": 5e-3, "temperature": 0.1, "farthest": 2, "seed": 1}
HELD_OUT = 0


class Pairs(nn.Module):
    """Maps vectors of lines, and of their neighbours, into a common space."""

    def __init__(self, values, dimensions):
        super().__init__()
        self.line, self.neighbour = nn.Linear(values, dimensions), nn.Linear(values, dimensions)

    def forward(self, lines, neighbours):
        one = nn.functional.normalize(self.line(lines), dim=1)
        other = nn.functional.normalize(self.neighbour(neighbours), dim=1)
        return one @ other.T


class Lines:
    """The bags of lines of some folders, and which line is in which document."""

    def __init__(self, folders, abouts):
        self.folders = [Features(folder) for folder in folders]
        spans = []
        for which, features in enumerate(self.folders):
            for document in features.documents:
                about = abouts.get(document["id"])
                if about and (about["fold"] == HELD_OUT or about["variant"] != "base"):
                    continue
                if document["lines"] > 1:
                    spans.append((which, document["start"], document["lines"]))
        self.spans = np.array(spans)

    def draw(self, count, farthest, rng):
        """Draws this many lines, each from another document if there are enough, and a neighbour of each."""
        # Draws long documents more often than short ones, but not in proportion to their lines.
        chance = np.sqrt(self.spans[:, 2])
        which = rng.choice(len(self.spans), size=count, replace=count > len(self.spans), p=chance / chance.sum())
        folder, start, size = self.spans[which].T
        line = (rng.random(count) * size).astype(int)
        step = rng.integers(1, farthest + 1, count) * rng.choice([-1, 1], count)
        beside = line + step
        beside = np.where((beside < 0) | (beside >= size), line - np.sign(step), beside)
        return folder, start + line, start + np.clip(beside, 0, size - 1)

    def pool(self, table, folder, lines):
        """[lines, bags × width]"""
        pooled = torch.zeros(len(lines), len(BAGS) * table.weight.shape[1])
        for which, features in enumerate(self.folders):
            at = np.flatnonzero(folder == which)
            if len(at):
                pooled = pooled.index_copy(0, torch.from_numpy(at), pool_bags(table, features, lines[at], BAGS))
        return pooled


def learn(lines, settings):
    torch.manual_seed(settings["seed"])
    rng = np.random.default_rng(settings["seed"])
    about = lines.folders[0].about
    table = Table(about["tableRows"], settings["width"])
    pairs = Pairs(len(BAGS) * settings["width"], settings["dimensions"])
    optimiser = torch.optim.Adam([*table.parameters(), *pairs.parameters()], settings["rate"])
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings["steps"])
    right = 0.0
    for step in range(settings["steps"]):
        folder, line, beside = lines.draw(settings["pairs"], settings["farthest"], rng)
        alike = pairs(lines.pool(table, folder, line), lines.pool(table, folder, beside)) / settings["temperature"]
        wanted = torch.arange(len(line))
        loss = nn.functional.cross_entropy(alike, wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        right += float((alike.argmax(1) == wanted).float().mean())
        if (step + 1) % 100 == 0:
            print(f"{step + 1} steps: loss {loss.item():.3f}, {right / 100:.3f} found", flush=True)
            right = 0.0
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", nargs="+", required=True)
    parser.add_argument("--leave-out")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    abouts = {}
    if options.leave_out:
        with open(options.leave_out, encoding="utf-8") as file:
            abouts = {one["id"]: one for one in map(json.loads, file)}
    lines = Lines(options.features, abouts)
    print(f"{len(lines.spans)} documents, {lines.spans[:, 2].sum()} lines", flush=True)
    table = learn(lines, SETTINGS)
    values, scale = table.quantised()
    os.makedirs(options.out, exist_ok=True)
    write_table(options.out, values)
    rows, width = values.shape
    name = os.path.basename(os.path.normpath(options.out))
    about = {"name": name, "kind": "vectors", "bags": list(BAGS), "table": describe_table(options.out, rows, width, scale * table.gain)}
    write_about(options.out, {**about, "settings": SETTINGS})


if __name__ == "__main__":
    main()
