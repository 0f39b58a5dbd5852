import { expect, it } from "vitest";
import { tellCount } from "../src/count.js";

it("names one of a thing in the singular, and none or several in the plural", () => {
  expect([0, 1, 2].map((count) => tellCount(count, "reject"))).toEqual([
    "0 rejects",
    "1 reject",
    "2 rejects",
  ]);
  expect(tellCount(1200, "shard", (count) => count.toLocaleString("en"))).toBe("1,200 shards");
});
