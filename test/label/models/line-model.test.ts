import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readModelCard } from "../../../src/label/models/model-card.js";
import { readManifest } from "../../../src/label/models/model-folder.js";
import { DEFAULT_TEXT_MODEL, listModels } from "../../../src/label/models/shipped-models.js";
import { loadPageModel } from "../../../src/label/page/page-folder.js";
import { createTextLabeller, loadTextModel } from "../../../src/label/text/text-folder.js";
import { UsageError } from "../../../src/outcome.js";
import { writePageModel } from "../page/page-model.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-"));
  await cp(DEFAULT_TEXT_MODEL, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** Changes model.json by a function on its parsed value. */
async function change(edit: (about: Record<string, unknown>) => void): Promise<void> {
  const path = join(folder, "model.json");
  // model.json is an object; the checks under test look at its members.
  const about = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  edit(about);
  await writeFile(path, JSON.stringify(about));
}

function refusal(load: (folder: string) => unknown = loadTextModel): string {
  try {
    load(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
  return "loaded";
}

describe("loadTextModel", () => {
  it("loads an unchanged copy", () => {
    expect(refusal()).toBe("loaded");
  });

  it("rejects another column order and names the first difference", async () => {
    await change((about) => {
      const columns = about["columns"] as string[]; // a list of names, by the format
      [columns[0], columns[1]] = [columns[1] ?? "", columns[0] ?? ""];
    });
    expect(refusal()).toMatch(
      /columns are not in the order of this version.*place 1 is "log-words".*"log-length"/,
    );
    await expect(createTextLabeller({ focus: "balanced", modelDir: folder })).rejects.toThrow(UsageError);
  });

  it("rejects one column too many, and one too few", async () => {
    await change((about) => (about["columns"] as string[]).push("more")); // as above
    expect(refusal()).toMatch(/it has \d+ columns, but this version of thresher has \d+/);
    await change((about) => (about["columns"] as string[]).splice(-2)); // as above
    expect(refusal()).toMatch(/not in the order.*"undefined" in model.json/);
  });

  it("rejects another kind, a broken model.json and an invalid threshold", async () => {
    await change((about) => (about["kind"] = "page"));
    expect(refusal()).toContain('its kind is "page"');
    await change((about) =>
      Object.assign(about, {
        kind: "text",
        thresholds: { raw: { precision: 2, balanced: 0.5, recall: 0.3 } },
      }),
    );
    expect(refusal()).toContain('"thresholds.raw.precision" is 2, not between 0 and 1');
    await change((about) => (about["thresholds"] = "high"));
    expect(refusal()).toContain('no number at "thresholds.raw.precision"');
    await change((about) => (about["conditions"] = ["crawl", "raw", "extracted"]));
    expect(refusal()).toMatch(/conditions are not in the order.*place 1 is "crawl".*"raw"/);
    await writeFile(join(folder, "model.json"), "{");
    expect(refusal()).toContain("not JSON");
    await writeFile(join(folder, "model.json"), "null");
    expect(refusal()).toContain('no text at "kind"');
  });

  it("rejects files that were changed, truncated or lost, and paths outside the folder", async () => {
    const table = join(folder, "table.bin");
    const bytes = await readFile(table);
    bytes[100] = ((bytes[100] ?? 0) + 1) & 0xff;
    await writeFile(table, bytes);
    expect(refusal()).toContain("table.bin is not the file that model.json describes");
    await rm(table);
    expect(refusal()).toContain("there is no table.bin in it");
    await change((about) => Object.assign(about["network"] as object, { file: "../model.onnx" })); // an object, by the format
    expect(refusal()).toContain("not a plain file name");
    await rm(join(folder, "model.json"));
    expect(refusal()).toContain("there is no model.json in it");
  });
});

describe("the pieces of a text model", () => {
  const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
  const pieces = Buffer.from([2, 0, 0, 0, 0, 8, 0, 16, ...Buffer.from("a\nbc\n")]);
  const table = new Uint8Array(2 * 8);

  /** Gives the model in the folder two pieces. */
  async function addPieces(bytes: Uint8Array, width = 8): Promise<void> {
    await writeFile(join(folder, "pieces.bin"), bytes);
    await writeFile(join(folder, "piece-table.bin"), table);
    await change((about) =>
      Object.assign(about, {
        pieces: { file: "pieces.bin", sha256: sha256(bytes) },
        pieceTable: { file: "piece-table.bin", width, scale: 0.5, sha256: sha256(table) },
      }),
    );
  }

  it("are loaded if the model has some", async () => {
    const { digest, pieces: none } = loadTextModel(folder);
    expect(none).toBeUndefined();
    await addPieces(pieces);
    const model = loadTextModel(folder);
    expect(model.pieces).toMatchObject({ width: 8, scale: 0.5 });
    expect(model.pieces?.vocabulary.size).toBe(2);
    expect(model.digest).not.toBe(digest);
  });

  it("are rejected if they were truncated, or lack a row", async () => {
    await addPieces(pieces.subarray(0, pieces.length - 1));
    expect(refusal()).toMatch(/its pieces cannot be read \(2 pieces are announced, but there are 1/);
    await addPieces(pieces, 20);
    expect(refusal()).toContain("its table of pieces is 20 wide, which is not a multiple of 8");
    await addPieces(pieces, 16);
    expect(refusal()).toContain("its table of pieces does not hold 2 × 16 values");
    await writeFile(join(folder, "pieces.bin"), "other");
    expect(refusal()).toContain("pieces.bin is not the file that model.json describes");
  });
});

describe("loadPageModel", () => {
  beforeEach(async () => {
    await rm(folder, { recursive: true });
    folder = writePageModel();
  });

  it("loads a page model, and rejects a text model", async () => {
    expect(refusal(loadPageModel)).toBe("loaded");
    expect(refusal(loadTextModel)).toContain('its kind is "page", but the labeller "text" needs kind "text"');
    await cp(DEFAULT_TEXT_MODEL, folder, { recursive: true });
    expect(refusal(loadPageModel)).toContain('its kind is "text"');
  });

  it("accepts a calibration with bends, and rejects a decreasing one", async () => {
    const calibration = { slope: 2, offset: -1, bends: [{ at: -3, by: -1.5 }] };
    await change((about) => Object.assign(about, { calibration }));
    expect(loadPageModel(folder).calibration).toEqual(calibration);
    const bends = [...calibration.bends, { at: 1, by: -0.5 }];
    await change((about) => Object.assign(about, { calibration: { ...calibration, bends } }));
    expect(refusal(loadPageModel)).toContain("a higher logit gives a lower probability");
  });

  it.each(["columns", "bags", "types"])("rejects another order of %s", async (list) => {
    await change((about) => (about[list] as string[]).reverse()); // a list of names, by the format
    expect(refusal(loadPageModel)).toMatch(new RegExp(`its ${list} are not in the order`));
  });

  it.each([-0.1, 1, 5, "high", null])(
    "rejects a threshold of %j for a page without main content",
    async (threshold) => {
      await change(
        (about) => (about["verdict"] = { slope: 1, letters: 0, highest: 0, offset: 0, threshold }),
      );
      expect(refusal(loadPageModel)).toContain("threshold");
    },
  );

  it("rejects an invalid window or table", async () => {
    await change((about) => (about["window"] = { lines: 0, context: 64 }));
    expect(refusal(loadPageModel)).toContain('"window.lines" in model.json is not a whole number above 0');
    await change((about) => Object.assign(about["table"] as object, { width: 16 })); // an object, by the format
    expect(refusal(loadPageModel)).toContain("its table does not hold");
  });
});

describe("the digest of a model", () => {
  it("changes with everything that shapes a label, and with nothing else", async () => {
    const seen = new Set([readModelCard(readManifest(folder)).digest]);
    expect([...seen][0]).toBe(loadTextModel(folder).digest);
    await change((about) => Object.assign(about, { scores: { new: 1 }, training: [] }));
    expect(seen).toContain(readModelCard(readManifest(folder)).digest);
    const edits: Record<string, unknown>[] = [
      { calibrations: { raw: { slope: 2, offset: 0 } } },
      { thresholds: { precision: 0.9, balanced: 0.6, recall: 0.1 } },
      { window: { lines: 10, context: 2 } },
      { verdict: { threshold: 0.3 } },
      { network: { file: "model.onnx", sha256: "0".repeat(64) } },
    ];
    for (const edit of edits) {
      await change((about) => Object.assign(about, edit));
      const { digest } = readModelCard(readManifest(folder));
      expect(seen).not.toContain(digest);
      expect(digest).toMatch(/^[0-9a-f]{16}$/);
      seen.add(digest);
    }
  });
});

describe("listModels", () => {
  it("names the shipped model with its size", () => {
    const [text] = listModels().filter((model) => model.name === "text-7");
    expect(text?.kind).toBe("text");
    expect(text?.bytes).toBeGreaterThan(500_000);
    expect(text?.bytes).toBeLessThan(3_000_000);
  });
});
