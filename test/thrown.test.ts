import { describe, expect, it } from "vitest";
import { codeOf, messageOf, stackOf, toError } from "../src/thrown.js";

describe("what was thrown", () => {
  it("can be an error with a code", () => {
    const error = Object.assign(new Error("no such file"), { code: "ENOENT" });
    expect([messageOf(error), codeOf(error), stackOf(error), toError(error)]).toEqual([
      "no such file",
      "ENOENT",
      error.stack,
      error,
    ]);
  });

  it("can be an error whose code is missing or not a string", () => {
    expect(codeOf(new Error("ours"))).toBeUndefined();
    expect(codeOf(Object.assign(new Error("ours"), { code: 5 }))).toBeUndefined();
  });

  it("can be a value that is not an error", () => {
    expect([messageOf("no"), codeOf("no"), stackOf("no"), toError("no").message]).toEqual([
      "no",
      undefined,
      "no",
      "no",
    ]);
  });
});
