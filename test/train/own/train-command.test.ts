import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { GoldRecord } from "../../../src/acquire/records/gold.js";
import { thresher } from "../../cli/run.js";
import { createRandom } from "../../../src/random.js";
import { makeNotion, place, shuffleLabels, withoutPlaces, writeGold } from "./notion.js";

vi.setConfig({ testTimeout: 120_000 });

let records: readonly GoldRecord[];
let gold: string;
beforeAll(async () => {
  records = await makeNotion();
  gold = writeGold("gold.jsonl", records);
}, 240_000);

describe("thresher train", () => {
  it("writes nothing and exits with 1 if it is no better, and writes it with --force", async () => {
    const shuffled = writeGold("shuffled.jsonl", shuffleLabels(records, createRandom(1)));
    const refused = await thresher(["train", shuffled, "-o", place("refused")]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/no model was written: .*--force/);
    expect(existsSync(place("refused"))).toBe(false);
    const forced = await thresher(["train", shuffled, "-o", place("forced"), "--force", "--name", "mine"]);
    expect(forced.code).toBe(0);
    expect(readFileSync(join(place("forced"), "README.md"), "utf8")).toMatch(
      /^# mine\n[^]*--force, although/,
    );
  });

  it("rejects bad gold and bad places with a sentence", async () => {
    const [first] = records;
    const half = JSON.stringify(first).slice(0, 500);
    mkdirSync(place("there"));
    writeFileSync(place("file"), "");
    const cases: readonly (readonly [string[], number, RegExp])[] = [
      [[writeGold("half.jsonl", [first, half]), "-o", place("a")], 2, /half\.jsonl:2: not JSON/],
      [
        [writeGold("label.jsonl", [{ lines: [{ text: "x", label: "maybe" }] }]), "-o", place("b")],
        2,
        /line 1: "label"/,
      ],
      [[gold, "-o", place("there")], 2, /there is a folder .* already/],
      [[gold, "-o", place("file")], 2, /there is a file .* already/],
      [[gold, "-o", place("c"), "--model", place("there")], 2, /there is no model\.json in it/],
      [
        [writeGold("both.jsonl", [...records, ...withoutPlaces(records)]), "-o", place("d")],
        2,
        /choose one with --kind/,
      ],
      [[writeGold("none.jsonl", []), "-o", place("e")], 2, /no document in the gold/],
      [[gold, "-o", place("f"), "--name", "../x"], 2, /is not a valid model name/],
      [[place("nowhere"), "-o", place("g")], 2, /cannot read/],
      [
        [gold, "-o", place("h"), "--step", "network", "--python", "no-such-python"],
        2,
        /install it with "no-such-python -m pip install torch onnx numpy"/,
      ],
    ];
    const results = await Promise.all(cases.map(([args]) => thresher(["train", ...args])));
    for (const [at, [args, code, message]] of cases.entries()) {
      expect(results[at]?.code, args.join(" ")).toBe(code);
      expect(results[at]?.stderr).toMatch(message);
    }
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) expect(existsSync(place(name))).toBe(false);
  });
});
