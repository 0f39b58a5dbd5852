import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadTextModel } from "../src/label/model.js";
import { scoreLines } from "../src/label/sequence.js";
import { openSession } from "../src/label/session.js";

const MODELS = fileURLToPath(new URL("../models/", import.meta.url));

interface Recorded {
  readonly id: string;
  readonly lines: readonly string[];
  /** Calibrated, as PyTorch computes them from the same features and the shipped table. */
  readonly scores: readonly number[];
}

const models = readdirSync(MODELS).filter((name) => existsSync(join(MODELS, name, "model.json")));

describe.each(models)("%s", (name) => {
  const text = readFileSync(join(MODELS, name, "parity.jsonl"), "utf8");
  // The file is written by the trainer; a wrong shape makes the comparison below fail.
  const recorded = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);

  it("gives the trainer's scores within 1e-5", async () => {
    const model = loadTextModel(join(MODELS, name));
    const session = await openSession(model.network);
    expect(recorded.length).toBeGreaterThan(5);
    for (const { id, lines, scores } of recorded) {
      const logits = await scoreLines(lines, model, session);
      expect(logits.length).toBe(scores.length);
      const { slope, offset } = model.calibration;
      for (const [line, logit] of logits.entries()) {
        const score = 1 / (1 + Math.exp(-(slope * logit + offset)));
        expect(Math.abs(score - (scores[line] ?? Number.NaN)), `${id}, line ${line + 1}`).toBeLessThan(1e-5);
      }
    }
    await session.close();
  });
});
