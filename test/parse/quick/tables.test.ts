import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  IMAGE_ATTRIBUTES,
  KEPT_ATTRIBUTES,
  STRUCTURE_ATTRIBUTES,
} from "../../../src/parse/quick/attributes.js";
import { createNames, FIRST_STATE, nextState } from "../../../src/parse/quick/characters.js";
import { findRawEnd } from "../../../src/parse/quick/scan.js";
import { TAGS, tagOf } from "../../../src/parse/quick/tags.js";
import { isQuirky } from "../../../src/parse/quick/tree-construction.js";

describe("the attributes that the tree keeps", () => {
  const EXTRACT = new URL("../../../src/extract/", import.meta.url);
  const isOfStructure = (file: string): boolean => file.startsWith("structure");
  // `dom.ts` copies every attribute and `selection.ts` reads any, but both use trees that keep every attribute.
  const files = readdirSync(EXTRACT, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && file !== "dom.ts" && file !== "selection.ts",
  );
  const sourcesOf = (chosen: (file: string) => boolean): string[] =>
    files.filter(chosen).map((file) => readFileSync(new URL(file, EXTRACT), "utf8"));

  /** Attributes of frames and SVG, which only a tree with every attribute has. */
  const ELSEWHERE = ["src", "xlink:href"];

  /** Returns the attributes that the code reads by name and that the tree does not keep. */
  function missing(chosen: (file: string) => boolean, kept: readonly string[]): string[] {
    const read = sourcesOf(chosen).flatMap((source) => [
      ...source.matchAll(/attributes\??\.(?:get|has)\(\s*"([^"]+)"/g),
    ]);
    const names = new Set(read.map((match) => match[1] ?? ""));
    expect(names.size).toBeGreaterThan(8);
    return [...names].filter((name) => !kept.includes(name)).sort();
  }

  it("include all that the extractors read", () => {
    expect(missing((file) => !isOfStructure(file), KEPT_ATTRIBUTES)).toEqual(ELSEWHERE);
  });

  it("include all that the structure of lines needs, if it is requested", () => {
    expect(
      missing(isOfStructure, [...KEPT_ATTRIBUTES, ...STRUCTURE_ATTRIBUTES, ...IMAGE_ATTRIBUTES]),
    ).toEqual([]);
  });

  it("are read by a literal name nearly everywhere, so that the tests above find them", () => {
    const unnamed = (chosen: (file: string) => boolean): number =>
      sourcesOf(chosen).flatMap((source) => [...source.matchAll(/attributes\??\.(?:get|has)\(\s*[^"\s]/g)])
        .length;
    expect(unnamed((file) => !isOfStructure(file))).toBeLessThanOrEqual(1);
    // These read lists of names: the language of code, the source and size of an image, and notes.
    expect(unnamed(isOfStructure)).toBeLessThanOrEqual(4);
  });

  it("are lower-case, unique and sorted", () => {
    for (const list of [KEPT_ATTRIBUTES, STRUCTURE_ATTRIBUTES, IMAGE_ATTRIBUTES]) {
      expect(list).toEqual([...new Set(list)].sort());
      for (const name of list) expect(name).toMatch(/^[a-z][a-z:-]*$/);
    }
  });
});

describe("the table of tags", () => {
  it("has unique lower-case names, each at the index of its id", () => {
    expect(TAGS.length).toBeGreaterThan(100);
    expect(new Set(TAGS.map(({ name }) => name)).size).toBe(TAGS.length);
    for (const [place, { id, name }] of TAGS.entries()) {
      expect(id).toBe(place);
      if (id > 0) expect(name).toMatch(/^[a-z][a-z0-9]*$/);
    }
  });

  it("throws for an unknown name", () => {
    expect(() => tagOf("no-such-tag")).toThrow("no-such-tag");
  });
});

describe("createNames", () => {
  const names = createNames(TAGS.slice(1).map((tag) => [tag.name, tag.id] as const));
  const find = (text: string): number | undefined => {
    let state = FIRST_STATE;
    for (let at = 0; at < text.length; at += 1) state = nextState(names.states, state, text.charCodeAt(at));
    return names.entries[state];
  };

  it("finds every name in any case, and no others", () => {
    for (const { name, id } of TAGS.slice(1)) {
      expect(find(name)).toBe(id);
      expect(find(name.toUpperCase())).toBe(id);
      expect(find(`${name}x-`)).toBeUndefined();
      expect(find(`-${name}`)).toBeUndefined();
      expect(find(`${name}ä`)).toBeUndefined();
    }
    expect(find("")).toBeUndefined();
  });
});

describe("isQuirky", () => {
  it.each([
    [" html", false],
    [" HTML ", false],
    [' html SYSTEM "about:legacy-compat"', false],
    [
      ' html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"',
      false,
    ],
    [' HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"', false],
    [' HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"', false],
    [' HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"', true],
    [" HTML PUBLIC '-//W3C//DTD HTML 4.0 Transitional//EN'", true],
    [' HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"', true],
    [' HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"', true],
    [' html PUBLIC "-//unclosed', true],
    [" html odd", true],
    ["", true],
    [" svg", true],
  ])("reads the doctype%s as quirky: %s", (doctype, expected) => {
    expect(isQuirky(doctype)).toBe(expected);
  });
});

describe("findRawEnd", () => {
  it.each([
    ["style", "a</style>b", 1],
    ["style", "a</STYLE\n>b", 1],
    ["style", "a</styles></style/>b", 10],
    ["title", "no end </titl", 13],
    ["script", "<!-- <script></script> --></script>", 26],
    ["script", "<!-- </script>", 5],
    ["script", "<!--><script></script>", 13],
    ["script", "<!-- <scripty></script>", 14],
    ["style", "<!-- <style></style>", 12],
  ])("finds the end of %s in %s", (name, html, end) => {
    expect(findRawEnd(html, 0, name)).toBe(end);
  });
});
