import { describe, expect, it } from "vitest";
import { createPathBuckets, PAGE_BAGS, TEXT_BAGS } from "../../../../src/label/features/page/path-bags.js";
import { createPlaces } from "../../../../src/label/features/page/place.js";
import { BAGS } from "../../../../src/label/features/bags.js";

function bucketsOf(paths: readonly string[]): { near: number[]; far: number[] }[] {
  const lines = paths.map(
    (path) => ({ text: "A line.", block: "p", path, linkChars: 0, breakBefore: "block" }) as const,
  );
  const of = createPathBuckets(createPlaces(lines, ""));
  return lines.map((_, line) => ({ near: [...of(line).near], far: [...of(line).far] }));
}

describe("PAGE_BAGS", () => {
  it("begin with the bags of the text, in their order", () => {
    expect(PAGE_BAGS.slice(0, TEXT_BAGS)).toEqual(BAGS.slice(0, TEXT_BAGS));
  });
});

describe("createPathBuckets", () => {
  it("gives the lines of one element the same object, so that it is pooled once", () => {
    const line = { text: "x", block: "p", path: "body>div>p", linkChars: 0, breakBefore: "block" } as const;
    const of = createPathBuckets(createPlaces([line, { ...line, path: "body" }, line], ""));
    expect(of(2)).toBe(of(0));
    expect(of(1)).not.toBe(of(0));
  });

  it("gives each path the same buckets, with any neighbours and at any depth", () => {
    const paths = [
      "body>main>p",
      "body>main#x>div.post[role=main]>p",
      "",
      "p",
      "div>".repeat(300),
      ">>",
      "body",
    ];
    const together = bucketsOf(paths);
    expect(together).toEqual(paths.flatMap((path) => bucketsOf([path])));
    expect(together[2]).toEqual({ near: [], far: [] });
    expect(together[1]?.near).not.toEqual(together[0]?.near);
  });

  it("returns nothing for a missing line", () => {
    expect(bucketsOf([])).toEqual([]);
    expect(createPathBuckets(createPlaces([], ""))(5).near).toHaveLength(0);
  });
});
