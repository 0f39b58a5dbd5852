import { describe, expect, it } from "vitest";
import { joinAttributes, listAttributes, NO_ATTRIBUTES } from "../../../src/parse/quick/attributes.js";

describe("listAttributes", () => {
  const list = listAttributes(["class", "a b", "id", "", "href", "class"]);

  it("answers by name, and never takes a value for a name", () => {
    expect([list.get("class"), list.get("id"), list.get("href")]).toEqual(["a b", "", "class"]);
    expect([list.get("a b"), list.get(""), list.get("constructor")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([list.has("id"), list.has("a b"), list.has("size")]).toEqual([true, false, false]);
  });

  it("holds what a map of them holds, in their order", () => {
    const map = new Map([
      ["class", "a b"],
      ["id", ""],
      ["href", "class"],
    ]);
    expect(list.size).toBe(map.size);
    expect([...list.keys()]).toEqual([...map.keys()]);
    expect([...list]).toEqual([...map]);
    expect([NO_ATTRIBUTES.size, ...NO_ATTRIBUTES]).toEqual([0]);
  });
});

describe("joinAttributes", () => {
  it("prefers the first where both have a name", () => {
    const joined = joinAttributes(
      listAttributes(["class", "old", "id", "x"]),
      listAttributes(["lang", "en", "class", "new"]),
    );
    expect([...joined]).toEqual([
      ["class", "old"],
      ["id", "x"],
      ["lang", "en"],
    ]);
  });
});
