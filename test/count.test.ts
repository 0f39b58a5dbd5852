import { expect, it } from "vitest";
import { formatCount, tellCount, tellMany } from "../src/count.js";

it("uses the singular for one, and the plural for none or several", () => {
  expect([0, 1, 2].map((count) => tellCount(count, "reject"))).toEqual([
    "0 rejects",
    "1 reject",
    "2 rejects",
  ]);
  expect(tellMany(1200, "shard")).toBe("1,200 shards");
});

it("groups the digits of large numbers", () => {
  expect([0, 12, 999, 1000, 1234567].map(formatCount)).toEqual(["0", "12", "999", "1,000", "1,234,567"]);
});
