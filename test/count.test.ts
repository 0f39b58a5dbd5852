import { expect, it } from "vitest";
import { tellCount } from "../src/count.js";

it("uses the singular for one, and the plural for none or several", () => {
  expect([0, 1, 2].map((count) => tellCount(count, "reject"))).toEqual([
    "0 rejects",
    "1 reject",
    "2 rejects",
  ]);
  expect(tellCount(1200, "shard", (count) => count.toLocaleString("en"))).toBe("1,200 shards");
});
