import { describe, expect, it } from "vitest";
import { isDevalue, readDevalue } from "../../../src/extract/script-data/devalue.js";

describe("a state that is stored as a flat list", () => {
  it("is read as the object that it describes", () => {
    const flat = [
      ["ShallowReactive", 1],
      { title: 2, tags: 3, seen: 6, none: -1 },
      "Tides",
      [4, 5],
      "sea",
      "moon",
      ["Set", 4],
    ];
    expect(isDevalue(flat)).toBe(true);
    expect(readDevalue(flat)).toEqual({
      title: "Tides",
      tags: ["sea", "moon"],
      seen: ["sea"],
      none: undefined,
    });
  });

  it("keeps circular references, and ends if wrappers refer to each other", () => {
    const root = readDevalue([{ self: 0, name: 1, ref: 2 }, "a", ["Ref", 3], ["Ref", 2]]) as Record<
      string,
      unknown
    >; // the first value is an object
    expect(root["self"]).toBe(root);
    expect(root["ref"]).toBeUndefined();
  });

  it("may be a chain of any length", () => {
    const flat: unknown[] = Array.from({ length: 200_000 }, (_, at) => ({ next: at + 1 }));
    expect(readDevalue([...flat, "end"])).toHaveProperty("next.next.next");
  });

  it.each([[[{ id: 1 }, { id: 2 }]], [[1, 2]], [{ a: 1 }], [[]], [[["a", 1], "b"]], [[{ id: 900 }, "a"]]])(
    "is distinguished from other lists: %j",
    (value) => {
      expect(isDevalue(value)).toBe(false);
    },
  );
});
