"""Reads and writes files that hold one JSON value, such as the model.json of a model folder."""

import json


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(value, indent=2) + "\n")
