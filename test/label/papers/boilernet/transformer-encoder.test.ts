import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Line } from "../../../../src/document.js";
import {
  createBoilernetLabeller,
  openLineEncoder,
  scoreLines,
} from "../../../../src/label/papers/boilernet/boilernet-labeller.js";
import { loadBoilernetModel } from "../../../../src/label/papers/boilernet/boilernet-model.js";
import { chooseEngine } from "../../../../src/label/network/engines.js";
import { openNetwork } from "../../../../src/label/network/session.js";
import { isBlank, sigmoid } from "../../../../src/label/label-line.js";
import { UsageError } from "../../../../src/outcome.js";

const FIXTURE = fileURLToPath(new URL("../../../../fixtures/boilernet/", import.meta.url));
/** The encoder computes in single precision. */
const TOLERANCE = 1e-4;

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

/** Makes a copy that a test may damage. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "boilernet-"));
  made.push(folder);
  cpSync(FIXTURE, folder, { recursive: true });
  return folder;
}

function line(fields: Partial<Line>): Line {
  return { text: "", block: "p", path: "", linkChars: 0, breakBefore: "block", ...fields };
}

interface Recorded {
  readonly id: string;
  readonly lines: readonly Partial<Line>[];
  readonly scores: readonly number[];
}

describe("a network over the vectors of a transformer", () => {
  it("gives the trainer's scores", async () => {
    const model = await loadBoilernetModel(FIXTURE);
    const network = await openNetwork(model.network, FIXTURE, await chooseEngine());
    const encoder = await openLineEncoder(model.encoder);
    const { slope, offset } = model.calibration;
    const rows = readFileSync(join(FIXTURE, "parity.jsonl"), "utf8").trim().split("\n");
    expect(rows.length).toBeGreaterThan(5);
    for (const row of rows) {
      const { id, lines, scores } = JSON.parse(row) as Recorded; // as the trainer writes it
      const seen = lines.map(line).filter(({ text }) => !isBlank(text));
      const logits = await scoreLines(seen, { model, network, encoder });
      expect(logits).toHaveLength(scores.length);
      for (const [at, wanted] of scores.entries()) {
        const score = sigmoid(slope * (logits[at] ?? Number.NaN) + offset);
        expect(Math.abs(score - wanted), `${id}, ${at + 1}`).toBeLessThan(TOLERANCE);
      }
    }
    await network.close();
    await encoder.close();
  });

  it("labels a page, and gives the same labels in simultaneous calls", async () => {
    const labeller = await createBoilernetLabeller({ focus: "balanced", modelDir: FIXTURE });
    const lines = ["Home", "The river was high in the morning.", "Home", "© 2020"].map((text, at) =>
      line({ text, path: at === 1 ? "body>p" : "body>ul>li" }),
    );
    const page = { id: "1", url: "", source: "html", meta: {}, notes: [], lines } as const;
    const [first] = await labeller.label([page]);
    expect(first?.lines.map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
    const both = await Promise.all([labeller.label([page]), labeller.label([page])]);
    expect(both).toEqual([[first], [first]]);
    await labeller.close();
  });
});

describe("a folder with a transformer is rejected", () => {
  function changed(change: (about: Record<string, unknown>, folder: string) => void): string {
    const folder = makeFolder();
    const path = join(folder, "model.json");
    const about = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>; // as the trainer writes it
    change(about, folder);
    writeFileSync(path, JSON.stringify(about));
    return folder;
  }
  const settings = (encoder: object): object => ({
    tags: ["p"],
    encoder: { kind: "transformer", ...encoder },
  });

  it.each([
    [
      "with a truncated encoder",
      changed((_, folder) => {
        const path = join(folder, "onnx", "model.onnx");
        writeFileSync(path, readFileSync(path).subarray(0, 500));
      }),
      /changed or cut short/,
    ],
    [
      "without a tokenizer",
      changed((_, folder) => {
        rmSync(join(folder, "tokenizer.json"));
      }),
      /there is no tokenizer\.json/,
    ],
    ["that names no encoder", changed((about) => delete about["encoder"]), /encoder\.file/],
    [
      "with an unknown pooling",
      changed((about) => (about["settings"] = settings({ pooling: "max", maxTokens: 512 }))),
      /"max", not cls or mean/,
    ],
    [
      "without a maximum length of lines",
      changed((about) => (about["settings"] = settings({ pooling: "cls" }))),
      /settings\.encoder\.maxTokens/,
    ],
  ])("%s", async (_, modelDir, message) => {
    const opening = createBoilernetLabeller({ focus: "balanced", modelDir });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow(UsageError);
  });
});
