import { describe, expect, it } from "vitest";
import { AttributeList, joinAttributes, NO_ATTRIBUTES } from "../../../src/parse/quick/attributes.js";

describe("AttributeList", () => {
  const list = new AttributeList(["class", "a b", "id", "", "href", "class"]);

  it("finds attributes by name, and never confuses a value with a name", () => {
    expect([list.get("class"), list.get("id"), list.get("href")]).toEqual(["a b", "", "class"]);
    expect([list.get("a b"), list.get(""), list.get("constructor")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([list.has("id"), list.has("a b"), list.has("size")]).toEqual([true, false, false]);
  });

  it("iterates like a map with the same entries", () => {
    const map = new Map([
      ["class", "a b"],
      ["id", ""],
      ["href", "class"],
    ]);
    expect(list.size).toBe(map.size);
    expect([...list]).toEqual([...map]);
    expect([NO_ATTRIBUTES.size, ...NO_ATTRIBUTES]).toEqual([0]);
  });
});

describe("joinAttributes", () => {
  it("keeps the first value if both lists have a name", () => {
    const joined = joinAttributes(
      new AttributeList(["class", "old", "id", "x"]),
      new AttributeList(["lang", "en", "class", "new"]),
      256,
    );
    expect([...joined]).toEqual([
      ["class", "old"],
      ["id", "x"],
      ["lang", "en"],
    ]);
  });

  it("takes no more attributes than it may", () => {
    const joined = joinAttributes(
      new AttributeList(["id", "x"]),
      new AttributeList(["lang", "en", "dir", "ltr"]),
      2,
    );
    expect([...joined].map(([name]) => name)).toEqual(["id", "lang"]);
    expect(joinAttributes(joined, new AttributeList(["dir", "ltr"]), 2)).toBe(joined);
  });
});
