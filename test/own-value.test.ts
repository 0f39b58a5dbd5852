import { expect, it } from "vitest";
import { ownValue } from "../src/own-value.js";

it("finds own properties, and none that every object inherits", () => {
  const table = { html: 1 };
  expect(
    ["html", "pdf", "constructor", "__proto__", "toString"].map((name) => ownValue(table, name)),
  ).toEqual([1, ...Array<undefined>(4)]);
});
