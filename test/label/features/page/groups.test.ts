import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ELEMENT_COUNT,
  PLACE_AT,
  type PlaceColumn,
} from "../../../../src/label/features/page/place-columns.js";
import { createElements, sharedDepth, sumLines } from "../../../../src/label/features/page/groups.js";
import { createOutline } from "../../../../src/label/features/page/outline.js";

interface Fact {
  readonly path: string;
  readonly length: number;
  readonly link: number;
  readonly isSentence: boolean;
  readonly points?: number;
}

/** Counts the steps that two paths share at the start. */
function sharedSteps(one: string, other: string): number {
  const [a, b] = [one.split(">"), other.split(">")];
  const parts = a.findIndex((step, at) => step !== b[at]);
  return parts < 0 ? a.length : parts;
}

/** Returns the value of a column for each line. */
function columnsOf(facts: readonly Fact[]): (column: PlaceColumn) => number[] {
  const { outline, nodeOf } = createOutline();
  const nodes = Int32Array.from(facts, ({ path }) => nodeOf(path));
  const sums = sumLines({
    outline,
    nodes,
    lengths: Float32Array.from(facts, ({ length }) => length),
    links: Float32Array.from(facts, ({ link }) => link),
    isSentence: Uint8Array.from(facts, ({ isSentence }) => Number(isSentence)),
    points: Float32Array.from(facts, ({ points = 0 }) => points),
    shared: Int32Array.from(facts, ({ path }, at) =>
      at === 0 ? 0 : sharedSteps(path, facts[at - 1]?.path ?? ""),
    ),
  });
  const elements = createElements(outline, sums);
  return (column) =>
    [...nodes].map((node) => {
      const row = new Float32Array(ELEMENT_COUNT);
      elements.fill(node, row, 0);
      return row[PLACE_AT[column]] ?? Number.NaN;
    });
}

const fact = fc.record({
  path: fc
    .array(fc.constantFrom("div", "div.a", "p", "ul", "li"), { minLength: 0, maxLength: 7 })
    .map((steps) => ["body", ...steps].join(">")),
  length: fc.nat(200),
  link: fc.constantFrom(0, 0.5, 1),
  isSentence: fc.boolean(),
  points: fc.nat(9),
});
const page = fc.array(fact, { minLength: 1, maxLength: 25 });

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}>`);
const up = (path: string, steps: number): string =>
  path
    .split(">")
    .slice(0, Math.max(0, path.split(">").length - steps))
    .join(">");
const sum = (facts: readonly Fact[], of: (one: Fact) => number): number =>
  facts.reduce((all, one) => all + of(one), 0);

describe("the facts of an element", () => {
  it.each([
    ["parent", 1],
    ["second", 2],
    ["third", 3],
    ["fifth", 5],
  ] as const)("%s: describe the lines below the element %i up", (group, steps) => {
    fc.assert(
      fc.property(page, (facts) => {
        const column = columnsOf(facts);
        const all = 1 + sum(facts, ({ length }) => length);
        for (const [at, { path }] of facts.entries()) {
          const above = up(path, steps);
          const below = above === "" ? facts : facts.filter((one) => isBelow(one.path, above));
          const characters = sum(below, ({ length }) => length);
          const wanted = {
            lines: Math.log1p(below.length),
            characters: characters / all,
            "mean-length": Math.log1p(characters / below.length),
            "link-share": sum(below, ({ length, link }) => length * link) / Math.max(1, characters),
            "sentence-share": below.filter(({ isSentence }) => isSentence).length / below.length,
            points:
              sum(below, ({ points = 0 }) => points) /
              Math.max(
                1,
                sum(facts, ({ points = 0 }) => points),
              ),
            // It counts how often the lines enter the element from outside; they are never outside the page itself.
            runs: Math.log1p(
              above === ""
                ? 0
                : facts.filter(
                    ({ path: one }, place) =>
                      isBelow(one, above) && !isBelow(facts[place - 1]?.path ?? "", above),
                  ).length,
            ),
          };
          for (const [name, value] of Object.entries(wanted))
            // The groups have the same facts, so each of these is a column.
            expect(column(`${group}-${name}` as PlaceColumn)[at]).toBeCloseTo(value, 4);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("own: describe the lines with exactly that path", () => {
    fc.assert(
      fc.property(page, (facts) => {
        const lines = columnsOf(facts)("own-lines");
        for (const [at, { path }] of facts.entries())
          expect(lines[at]).toBeCloseTo(Math.log1p(facts.filter((one) => one.path === path).length), 5);
      }),
    );
  });

  it("outermost: describe the body's child around the line, or the line itself if it is higher", () => {
    fc.assert(
      fc.property(page, (facts) => {
        const lines = columnsOf(facts)("outermost-lines");
        for (const [at, { path }] of facts.entries()) {
          const outermost = path.split(">").slice(0, 2).join(">");
          const below = facts.filter((one) => isBelow(one.path, outermost));
          expect(lines[at]).toBeCloseTo(Math.log1p(below.length), 5);
        }
      }),
    );
  });

  it("count lines of the same tags whose paths differ only in names", () => {
    const line = { length: 10, link: 0, isSentence: false };
    const facts = ["body>div.a>p", "body>div.b>p", "body>ul>li"].map((path) => ({ ...line, path }));
    expect(columnsOf(facts)("same-tags-lines")).toEqual(
      [2, 2, 1].map((lines) => Math.fround(Math.log1p(lines))),
    );
  });
});

describe("the core of a page", () => {
  it("is the innermost element with three fifths of the sentences, weighted by length", () => {
    fc.assert(
      fc.property(page, (facts) => {
        const sentences = facts.filter(({ isSentence }) => isSentence);
        const all = sum(sentences, ({ length }) => length);
        const elements = new Set(facts.flatMap(({ path }) => path.split(">").map((_, at) => up(path, at))));
        const holds = (element: string): boolean =>
          sum(
            sentences.filter(({ path }) => isBelow(path, element)),
            ({ length }) => length,
          ) >=
          0.6 * all;
        const cores = all === 0 ? [] : [...elements].filter(holds).sort((a, b) => b.length - a.length);
        const [core] = cores;
        expect(columnsOf(facts)("in-core")).toEqual(
          facts.map(({ path }) => (core !== undefined && isBelow(path, core) ? 1 : 0)),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("sharedDepth", () => {
  it("counts the steps that two paths share at the start", () => {
    fc.assert(
      fc.property(fact, fact, ({ path: one }, { path: other }) => {
        const { outline, nodeOf } = createOutline();
        const [a, b] = [nodeOf(one), nodeOf(other)];
        expect(sharedDepth(outline, a, b)).toBe(sharedSteps(one, other));
        expect(sharedDepth(outline, b, a)).toBe(sharedDepth(outline, a, b));
        expect(sharedDepth(outline, a, 0)).toBe(0);
      }),
    );
  });
});
