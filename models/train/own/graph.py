"""Runs the graph of an ONNX file in PyTorch, so that its weights can be trained and written back. This needs no code of the network, and the program
keeps running the same nodes. It supports the operations of the shipped networks."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch.nn import functional

# Ends of the names of numbers that are not trained, where PyTorch exported the graph: what standardises the inputs, and the initial state of a
# recurrent layer.
FIXED = ("mean", "inverse_deviation", "start")
TYPES = {1: torch.float32, 6: torch.int32, 7: torch.int64, 9: torch.bool, 2: torch.uint8, 11: torch.float64}


class Graph:
    def __init__(self, path):
        self.model = onnx.load(path)
        self.values = {one.name: torch.from_numpy(np.array(numpy_helper.to_array(one))) for one in self.model.graph.initializer}
        fixed = fixed_of(self.model.graph)
        learns = [name for name, values in self.values.items() if values.is_floating_point() and name not in fixed and values.any()]
        self.weights = {name: self.values[name].requires_grad_() for name in learns}
        self.outputs = [one.name for one in self.model.graph.output]
        self.steps = steps_of(self.model.graph)

    def run(self, inputs):
        """Its outputs by name."""
        values = {**self.values, **inputs}
        for step in self.steps:
            step.run(values)
        return {name: values[name] for name in self.outputs}

    def save(self, path):
        for one in self.model.graph.initializer:
            if one.name in self.weights:
                one.CopyFrom(numpy_helper.from_array(self.weights[one.name].detach().numpy(), one.name))
        onnx.save(self.model, path)


class Step:
    """One node, with its attributes as PyTorch has them."""

    def __init__(self, node):
        self.name, self.inputs, self.outputs = node.op_type, list(node.input), list(node.output)
        self.about = {one.name: attribute_of(one) for one in node.attribute}
        if self.name != "If" and self.name not in OPERATIONS:
            raise SystemExit(f"this network has an operation {self.name}, which cannot be trained here")

    def run(self, values):
        given = [values[name] if name else None for name in self.inputs]
        if self.name == "If":
            steps, outputs = self.about["then_branch" if bool(given[0]) else "else_branch"]
            inner = dict(values)
            for step in steps:
                step.run(inner)
            results = [inner[name] for name in outputs]
        else:
            results = OPERATIONS[self.name](given, self.about)
        values.update(zip(self.outputs, results if isinstance(results, (list, tuple)) else [results]))


def fixed_of(graph):
    """Returns the names of numbers that are not trained, in a graph without names as well: what standardises the inputs, limits, and single factors.
    Zeros, with which sums begin, are not trained either."""
    single = {one.name for one in graph.initializer if np.prod(one.dims) == 1}
    fixed = {one.name for one in graph.initializer if one.name.endswith(FIXED)}
    given, centred = {one.name for one in graph.input}, set()
    for node in graph.node:
        if node.op_type == "Clip":
            fixed.update(node.input[1:])
        elif node.op_type == "Sub" and node.input[0] in given:
            fixed.add(node.input[1])
            centred.add(node.output[0])
        elif node.op_type == "Mul":
            fixed.update(node.input[1:] if node.input[0] in centred else single.intersection(node.input))
    return fixed


def steps_of(graph):
    return [Step(node) for node in graph.node]


def attribute_of(attribute):
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, onnx.GraphProto):
        return steps_of(value), [one.name for one in value.output]
    if isinstance(value, onnx.TensorProto):
        return torch.from_numpy(np.array(numpy_helper.to_array(value)))
    return value.decode() if isinstance(value, bytes) else value


def gather(given, about):
    values, places = given
    axis = about.get("axis", 0) % values.dim()
    flat = places.reshape(-1).long() % values.shape[axis]
    return values.index_select(axis, flat).reshape((*values.shape[:axis], *places.shape, *values.shape[axis + 1 :]))


def cut(given, about):
    values, starts, ends = given[:3]
    axes = given[3].tolist() if len(given) > 3 and given[3] is not None else range(len(starts))
    steps = given[4].tolist() if len(given) > 4 and given[4] is not None else [1] * len(starts)
    for start, end, axis, step in zip(starts.tolist(), ends.tolist(), axes, steps):
        size = values.shape[axis]
        places = list(range(size))[slice(start, None if end < -size else end, step)]
        values = values.index_select(axis, torch.tensor(places, dtype=torch.long))
    return values


def reshape(given, about):
    values, shape = given
    wanted = [values.shape[at] if size == 0 and not about.get("allowzero") else size for at, size in enumerate(shape.tolist())]
    return values.reshape(wanted)


def unsqueeze(given, about):
    values, axes = given
    rank = values.dim() + axes.numel()
    for axis in sorted(axis % rank for axis in axes.reshape(-1).tolist()):
        values = values.unsqueeze(axis)
    return values


def reduced(how):
    def run(given, about):
        axes = about["axes"] if "axes" in about else given[1].reshape(-1).tolist() if len(given) > 1 else None
        axes = list(range(given[0].dim())) if axes is None else list(axes)
        return how(given[0], dim=axes, keepdim=bool(about.get("keepdims", 1)))

    return run


def gemm(given, about):
    first, second = (value.t() if about.get(name) else value for value, name in zip(given, ("transA", "transB")))
    product = about.get("alpha", 1.0) * (first @ second)
    return product if len(given) < 3 else product + about.get("beta", 1.0) * given[2]


def convolve(given, about):
    before, after = about.get("pads", [0, 0])
    assert before == after and given[1].dim() == 3
    bias = given[2] if len(given) > 2 else None
    return functional.conv1d(given[0], given[1], bias, about.get("strides", [1])[0], before, about.get("dilations", [1])[0], about.get("group", 1))


def scatter(given, about):
    values, places, updates = given
    assert about.get("reduction") == "add" and places.shape[-1] == 1
    return values.index_add(0, places.reshape(-1).long(), updates)


def clip(given, about):
    low, high = [*given[1:], None, None][:2]
    values = given[0] if low is None else torch.maximum(given[0], low)
    return values if high is None else torch.minimum(values, high)


def normalise(given, about):
    values, scale, bias = given
    return functional.layer_norm(values, values.shape[about.get("axis", -1) :], scale, bias, about.get("epsilon", 1e-5))


def pad(given, about):
    """Adds zeros; ONNX lists what comes before each axis, then what comes behind each, and PyTorch both of the last axis first."""
    values, sizes = given
    assert about.get("mode", "constant") == "constant"
    before, behind = sizes.reshape(2, -1).tolist()
    return functional.pad(values, [size for both in zip(before[::-1], behind[::-1]) for size in both])


def lstm(given, about):
    """Runs both directions. ONNX has another order of gates than PyTorch: input, output, forget, cell."""
    values, inner, outer, biases = given[:4]
    hidden = about["hidden_size"]
    order = torch.cat([torch.arange(at * hidden, (at + 1) * hidden) for at in (0, 2, 3, 1)])
    weights = []
    for way in range(inner.shape[0]):
        of_input, of_hidden = biases[way].split(4 * hidden)
        weights += [inner[way][order], outer[way][order], of_input[order], of_hidden[order]]
    start = [given[at] if len(given) > at and given[at] is not None else torch.zeros(inner.shape[0], values.shape[1], hidden) for at in (5, 6)]
    ways = inner.shape[0] == 2
    seen, last, cell = torch._VF.lstm(values, start, weights, True, 1, 0.0, False, ways, False)
    return seen.reshape(*seen.shape[:2], inner.shape[0], hidden).transpose(1, 2), last, cell


OPERATIONS = {
    "Constant": lambda given, about: about["value"],
    "Identity": lambda given, about: given[0],
    "Add": lambda given, about: given[0] + given[1],
    "Sub": lambda given, about: given[0] - given[1],
    "Mul": lambda given, about: given[0] * given[1],
    "Div": lambda given, about: given[0] / given[1] if given[0].is_floating_point() else given[0] // given[1],
    "Pow": lambda given, about: given[0] ** given[1],
    "Neg": lambda given, about: -given[0],
    "Sqrt": lambda given, about: given[0].sqrt(),
    "Exp": lambda given, about: given[0].exp(),
    "Relu": lambda given, about: given[0].relu(),
    "Softmax": lambda given, about: given[0].softmax(about.get("axis", -1)),
    "MatMul": lambda given, about: given[0] @ given[1],
    "Less": lambda given, about: given[0] < given[1],
    "Greater": lambda given, about: given[0] > given[1],
    "Equal": lambda given, about: given[0] == given[1],
    "Where": lambda given, about: torch.where(*given),
    "Cast": lambda given, about: given[0].to(TYPES[about["to"]]),
    "Shape": lambda given, about: torch.tensor(given[0].shape),
    "Concat": lambda given, about: torch.cat(given, about["axis"]),
    "Transpose": lambda given, about: given[0].permute(*about["perm"]),
    "Expand": lambda given, about: given[0].expand(torch.broadcast_shapes(given[0].shape, tuple(given[1].tolist()))),
    "ConstantOfShape": lambda given, about: torch.full(given[0].tolist(), about["value"].item(), dtype=about["value"].dtype),
    "ReduceMean": reduced(torch.mean),
    "ReduceSum": reduced(torch.sum),
    "ReduceMax": reduced(torch.amax),
    "Gather": gather,
    "Slice": cut,
    "LayerNormalization": normalise,
    "Pad": pad,
    "Reshape": reshape,
    "Unsqueeze": unsqueeze,
    "Gemm": gemm,
    "Conv": convolve,
    "ScatterND": scatter,
    "Clip": clip,
    "LSTM": lstm,
}
