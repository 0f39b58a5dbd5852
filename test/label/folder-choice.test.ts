import { describe, expect, it } from "vitest";
import { checkShipped } from "../../src/label/folder-choice.js";
import { labellers } from "../../src/label/registry.js";

describe("a labeller without a bundled model", () => {
  it("says that the package does not include its model", () => {
    expect(() => {
      checkShipped("fasttext", "models/nowhere-1");
    }).toThrow("the package does not include the model of the labeller fasttext");
    checkShipped("fasttext", labellers.fasttext.modelDir ?? "");
  });
});
