import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { SLOW } from "../vitest.config.js";

/** "a/{b,c}.ts" → "a/b.ts", "a/c.ts". */
function spell(pattern: string): string[] {
  const [all, before = "", names = "", after = ""] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (all === undefined) return [pattern];
  return names.split(",").flatMap((name) => spell(`${before}${name}${after}`));
}

describe("the list of slow tests", () => {
  it.each(SLOW.flatMap(spell))("names tests that exist: %s", (pattern) => {
    expect(globSync(pattern)).not.toEqual([]);
  });
});
