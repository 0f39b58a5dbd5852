import { describe, expect, it } from "vitest";
import { checkShipped } from "../../src/label/folder-choice.js";
import { labellers } from "../../src/label/registry.js";

describe("a labeller whose model is left out of the package", () => {
  it("says where its model is", () => {
    expect(() => {
      checkShipped("fasttext", "models/nowhere-1");
    }).toThrow("the package does not include the model of the labeller fasttext");
    checkShipped("fasttext", labellers.fasttext.modelDir ?? "");
  });
});
