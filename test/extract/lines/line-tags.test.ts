import { describe, expect, it } from "vitest";
import { BLOCK_TAGS } from "../../../src/document.js";
import { META_NAMES } from "../../../src/extract/metadata/statements.js";
import { BLOCKS, DRAWN, HIDDEN, ITEMS, KEPT_IN_ITEMS, LISTS } from "../../../src/extract/lines/line-tags.js";
import { readFileSync } from "node:fs";

const tables = { BLOCKS: [...BLOCKS.keys()], HIDDEN, DRAWN, ITEMS, KEPT_IN_ITEMS, LISTS };

describe("the tag tables", () => {
  it.each(Object.entries(tables))("%s holds lower-case, well-formed tags", (_name, tags) => {
    for (const tag of tags) expect(tag).toMatch(/^[a-z][a-z0-9]*(?:-[a-z]+)?$/);
  });

  it("list no tag twice", () => {
    // A set drops its duplicates, so this test counts the names in the source.
    const source = readFileSync("src/extract/lines/line-tags.ts", "utf8");
    for (const [, name = "", body = ""] of source.matchAll(
      /const (\w+): Readonly(?:Set|Map)[^=]*= new (?:Set|Map)\(\[([^]*?)\]\);/g,
    )) {
      const keys = [
        ...body.matchAll(/^ {2}\[?"([^"]+)"/gm),
        ...body.matchAll(/(?<=[[ ]|^)"([^"]+)"(?=,|$)/gm),
      ].map(([, key]) => key);
      const tags = name === "BLOCKS" ? [...body.matchAll(/\["([^"]+)",/g)].map(([, key]) => key) : keys;
      expect(new Set(tags).size, name).toBeGreaterThan(0);
      if (name === "BLOCKS") expect(tags.length).toBe(BLOCKS.size);
    }
    expect([...BLOCKS.keys()].filter((tag) => HIDDEN.has(tag))).toEqual([]);
  });

  it("agree with each other and with BLOCK_TAGS", () => {
    for (const block of BLOCKS.values()) expect(BLOCK_TAGS).toContain(block);
    for (const tag of DRAWN) expect(HIDDEN).toContain(tag);
    for (const tag of [...LISTS, ...ITEMS]) expect([...BLOCKS.keys()]).toContain(tag);
  });
});

describe("the names of <meta>", () => {
  it.each(Object.entries(META_NAMES))("for %s are lower-case, unique and well-formed", (_field, names) => {
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]*(?:[:._-][a-z0-9]+)*$/);
  });
});
