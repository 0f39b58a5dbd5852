import { readdirSync } from "node:fs";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { SLOW } from "../vitest.config.js";

const slow = new Set(globSync(SLOW));
const all = globSync("test/**/*.test.ts");

/** Expands the braces of a pattern: "a/{b,c}.ts" → "a/b.ts", "a/c.ts". */
function spell(pattern: string): string[] {
  const [all, before = "", names = "", after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (all === undefined) return [pattern];
  return names.split(",").flatMap((name) => spell(`${before}${name}${after}`));
}

describe("the quick half of the tests", () => {
  it("still has a quick test for every room", () => {
    const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const untested = rooms.filter(
      ({ name }) => !all.some((file) => file.startsWith(`test/${name}/`) && !slow.has(file)),
    );
    expect(untested.map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThan(2 * slow.size);
  });
});

describe("the list of slow tests", () => {
  it.each(SLOW.flatMap(spell))("names only tests that exist: %s", (pattern) => {
    expect(globSync(pattern)).not.toEqual([]);
  });
});
