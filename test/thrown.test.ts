import { describe, expect, it } from "vitest";
import { codeOf, messageOf, stackOf, toError } from "../src/thrown.js";

describe("what was thrown", () => {
  it("is an error", () => {
    const error = Object.assign(new Error("no such file"), { code: "ENOENT" });
    expect([messageOf(error), codeOf(error), stackOf(error), toError(error)]).toEqual([
      "no such file",
      "ENOENT",
      error.stack,
      error,
    ]);
  });

  it("is an error without a code, or with one that is no word", () => {
    expect(codeOf(new Error("ours"))).toBeUndefined();
    expect(codeOf(Object.assign(new Error("ours"), { code: 5 }))).toBeUndefined();
  });

  it("is anything", () => {
    expect([messageOf("no"), codeOf("no"), stackOf("no"), toError("no").message]).toEqual([
      "no",
      undefined,
      "no",
      "no",
    ]);
  });
});
