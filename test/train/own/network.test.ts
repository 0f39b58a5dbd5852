/** Tests the training of whole networks: its messages without PyTorch, and its results with PyTorch. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { GoldRecord } from "../../../src/acquire/records/gold.js";
import { UsageError } from "../../../src/outcome.js";
import { writeModel } from "../../../src/train/model-files.js";
import { trainModel } from "../../../src/train/train-model.js";
import { evaluate, needs, hasTorch } from "../python.js";
import { makeNotion, place, withoutPlaces } from "./notion.js";

vi.setConfig({ testTimeout: 600_000 });

const { PYTHON: named = "python3" } = process.env;
/** A relative path, as people pass it. */
const python = named.includes("/") ? relative(process.cwd(), named) : named;
const MODELS = { page: "models/page-6", text: "models/text-7" } as const;
let gold: readonly GoldRecord[];
beforeAll(async () => {
  gold = (await makeNotion()).slice(0, 14);
}, 240_000);

describe("without PyTorch", () => {
  it("says in a sentence what to install for the requested step", async () => {
    const asked = trainModel(gold, { kind: "page", seed: 1, step: "network", python: "no-such-python" });
    await expect(asked).rejects.toThrow(UsageError);
    await expect(asked).rejects.toThrow(
      /training a whole network needs PyTorch, which "no-such-python" does not have \(it cannot be started: .*ENOENT\): install it with "no-such-python -m pip install torch onnx numpy", or .*--python/,
    );
  });

  it("trains a large gold set with the other steps, and says so", async () => {
    const said: string[] = [];
    const many = Array.from({ length: 15 }, (_, copy) =>
      gold.map((one) => ({ ...one, id: `${one.id}-${copy}`, lines: one.lines.slice(0, 12) })),
    ).flat();
    const trained = await trainModel(many, {
      ...{ kind: "text", seed: 1, python: "no-such-python" },
      tell: (message) => said.push(message),
    });
    expect(trained.tried.map(({ step }) => step)).toEqual(["calibration", "correction"]);
    expect(said.join("\n")).toMatch(/pip install torch.*Trying the other steps without it/);
  });
});

describe("with PyTorch", () => {
  it("trains neither what standardises the inputs nor limits, single factors, zeros and initial states", (context) => {
    needs(context, hasTorch(), "PyTorch and onnx");
    const shapes = evaluate(
      `from own.graph import Graph
def fixed(path):
    graph = Graph(path)
    rest = [one for name, one in graph.values.items() if one.is_floating_point() and name not in graph.weights]
    return {"trained": len(graph.weights), "fixed": sorted(list(one.shape) for one in rest)}
print(json.dumps({kind: fixed(f"../../{folder}/model.onnx") for kind, folder in given.items()}))`,
      MODELS,
    );
    expect(shapes).toEqual({
      // Means and deviations, two sums that begin with zeros, three pairs of limits, and three factors.
      page: { trained: 46, fixed: [...new Array<number[]>(9).fill([1]), [1, 2], [1, 64], [205], [205]] },
      text: {
        trained: 38,
        fixed: [
          [2, 1, 64],
          [2, 1, 84],
          [2, 1, 84],
        ],
      },
    });
  });

  it.for(["page", "text"] as const)(
    "trains a network for %s that gives the same results in the program as in PyTorch",
    async (kind, context) => {
      needs(context, hasTorch(), "PyTorch and onnx");
      const records = kind === "page" ? gold : withoutPlaces(gold);
      const said: string[] = [];
      // It also checks that the written network gives the results of the trained one.
      const trained = await trainModel(records, {
        ...{ kind, seed: 1, step: "network", python, epochs: 2, modelDir: MODELS[kind] },
        tell: (message) => said.push(message),
      });
      expect(said.join("\n")).toMatch(
        /network 6 of 6, loss 0\.\d+ in the first epoch and 0\.\d+ in the last/,
      );
      const { network = "none" } = trained;
      const folder = {
        path: place(kind),
        name: kind,
        date: "2026-01-01",
        version: "1",
        options: [],
        files: [],
      };
      await writeModel(trained, records, folder);
      await trained.remove();
      expect(existsSync(network)).toBe(false);
      const bytes = (name: string) => readFileSync(join(place(kind), name));
      expect(bytes("model.onnx").equals(readFileSync(join(trained.base.folder, "model.onnx")))).toBe(false);
      expect(bytes("README.md").toString()).toMatch(/All weights of the network .*Step: network/s);
    },
  );
});
