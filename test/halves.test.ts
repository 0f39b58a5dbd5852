import { readdirSync } from "node:fs";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { SLOW } from "../vitest.config.js";

const slow = new Set(globSync(SLOW));
const all = globSync("test/**/*.test.ts");

describe("the quick half of the tests", () => {
  it("tests every room all the same", () => {
    const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const untested = rooms.filter(
      ({ name }) => !all.some((file) => file.startsWith(`test/${name}/`) && !slow.has(file)),
    );
    expect(untested.map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThan(2 * slow.size);
  });
});
