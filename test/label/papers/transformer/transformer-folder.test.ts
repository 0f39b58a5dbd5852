import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChoice } from "../../../../src/label/folder-choice.js";
import { createTransformerLabeller } from "../../../../src/label/papers/transformer/transformer-labeller.js";
import { UsageError } from "../../../../src/outcome.js";
import { BAG, copyFolder, readJson, withFile, withManifest } from "./folders.js";

async function refusal(modelDir: string | undefined): Promise<string> {
  try {
    const labeller = await createTransformerLabeller({
      focus: "balanced",
      ...(modelDir !== undefined && { modelDir }),
    });
    await labeller.close();
    return "opened";
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
}

/** Makes a copy with a changed file of the tokenizer. */
function withTokenizer(change: (tokenizer: { model: { vocab: [string, number][] } }) => void): string {
  return withFile("tokenizer", (bytes) => {
    // As the tokenizers library writes it.
    const tokenizer = JSON.parse(bytes.toString("utf8")) as { model: { vocab: [string, number][] } };
    change(tokenizer);
    return JSON.stringify(tokenizer);
  });
}

describe("a folder", () => {
  it("opens unchanged, with a head and without", async () => {
    expect(await refusal(copyFolder())).toBe("opened");
    expect(await refusal(BAG)).toBe("opened");
  });

  it.each([
    ["model.json", "model.json"],
    ["config.json", "config.json"],
    ["tokenizer.json", "tokenizer.json"],
    ["tokenizer_config.json", "tokenizer_config.json"],
    ["head.onnx", "head.onnx"],
    ["onnx/model.onnx", "onnx/model.onnx"],
  ])("is rejected without %s, with the name of the file", async (file, named) => {
    const folder = copyFolder();
    rmSync(join(folder, file));
    expect(await refusal(folder)).toContain(`there is no ${named} in it`);
  });

  it("is rejected with a truncated file before anything is loaded", async () => {
    const folder = copyFolder();
    truncateSync(join(folder, "onnx", "model.onnx"), 5000);
    expect(await refusal(folder)).toMatch(/onnx\/model.onnx is not the file that model.json describes/);
  });

  it("is rejected with a tokenizer that has more tokens than the network", async () => {
    const folder = withTokenizer(({ model }) => {
      model.vocab.push(["▁another", -20]);
    });
    expect(await refusal(folder)).toMatch(
      /token numbers up to \d+, but its encoder knows only \d+.*do not belong together/,
    );
  });

  it("is rejected with a tokenizer that has other special tokens", async () => {
    const folder = withFile("config", (bytes) => {
      const config = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>; // a JSON object
      return JSON.stringify({ ...config, pad_token_id: 0 });
    });
    expect(await refusal(folder)).toMatch(
      /the pad token of its tokenizer is 1, but its encoder was trained with 0/,
    );
  });

  it("is rejected with an invalid tokenizer or network", async () => {
    expect(await refusal(withFile("tokenizer", () => "{}"))).toContain("its tokenizer cannot be read");
    expect(await refusal(withFile("encoder", () => "no network"))).toContain("its encoder cannot be loaded");
    expect(await refusal(withFile("head", () => "no network"))).toContain("cannot be loaded by the engine");
    expect(await refusal(withFile("config", () => "[1"))).toContain("its config.json is not a JSON object");
  });

  it.each<[string, (about: Record<string, unknown>) => void, RegExp]>([
    ["another kind", (about) => (about["kind"] = "text"), /its kind is "text"/],
    [
      "an unknown pooling",
      (about) => (about["settings"] = { maxTokens: 512, pooling: "max", segment: 50 }),
      /"settings.pooling" is "max"/,
    ],
    [
      "no segment",
      (about) => (about["settings"] = { maxTokens: 512, pooling: "mean" }),
      /no number at "settings.segment"/,
    ],
    [
      "more tokens than positions",
      (about) => (about["settings"] = { maxTokens: 4000, pooling: "mean", segment: 50 }),
      /has 514 positions/,
    ],
    [
      "no room for a line",
      (about) => (about["settings"] = { maxTokens: 2, pooling: "mean", segment: 50 }),
      /leaves no room for a line/,
    ],
    [
      "an encoder of another name",
      (about) => Object.assign(about["encoder"] as object, { file: "onnx/other.onnx" }),
      /its encoder is not onnx\/model.onnx or/,
    ],
    [
      "a file outside",
      (about) => Object.assign(about["head"] as object, { file: "onnx/.." }),
      /not a plain file name/,
    ],
    [
      "an invalid threshold",
      (about) => (about["thresholds"] = { precision: 0.9, balanced: 1, recall: 0.1 }),
      /"thresholds.balanced" is 1/,
    ],
  ])("is rejected with %s", async (_what, change, expected) => {
    expect(await refusal(withManifest(change))).toMatch(expected);
  });

  it("is required", async () => {
    expect(await refusal(undefined)).toContain("comes without a model: give a folder with --model DIR");
    const options = { focus: "balanced", mayAskText: false, labeller: "transformer" } as const;
    await expect(openChoice(options)).rejects.toThrow(UsageError);
  });

  it("changes the labeller's name with everything that shapes a label", async () => {
    const names = new Set<string>();
    const folders = [
      copyFolder(),
      withManifest((about) => (about["settings"] = { maxTokens: 100, pooling: "mean", segment: 50 })),
      withManifest((about) => (about["calibration"] = { slope: 2, offset: 0 })),
      withFile("tokenizerConfig", (bytes) => `${bytes.toString("utf8")}\n`),
    ];
    for (const modelDir of folders) {
      const labeller = await createTransformerLabeller({ focus: "balanced", modelDir });
      names.add(labeller.name);
      await labeller.close();
    }
    expect(names.size).toBe(folders.length);
    const described = withManifest((about) => (about["scores"] = { new: 1 }));
    const labeller = await createTransformerLabeller({ focus: "balanced", modelDir: described });
    expect(names).toContain(labeller.name);
    await labeller.close();
  });

  it("is rejected if a script left it incomplete", async () => {
    const folder = copyFolder();
    const about = readJson(join(folder, "model.json"));
    delete about["encoder"];
    writeFileSync(join(folder, "model.json"), JSON.stringify(about));
    expect(await refusal(folder)).toContain('no text at "encoder.file"');
  });
});
