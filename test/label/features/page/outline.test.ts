import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createOutline,
  MAX_STEPS,
  type GrowingOutline,
  type Outline,
} from "../../../../src/label/features/page/outline.js";
import { expectLinear } from "../../../growth.js";

/** Returns the chain of nodes from the outermost to this one. */
function chainOf(outline: Outline, node: number): number[] {
  const chain: number[] = [];
  for (let at = node; at > 0; at = outline.parent[at] ?? 0) chain.unshift(at);
  return chain;
}

const step = fc.constantFrom("body", "div", "div.a", "div.ab", "p", "", "div#x", "[", "\ud800");
const path = fc.array(step, { maxLength: 6 }).map((steps) => steps.join(">"));

describe("createOutline", () => {
  it("gives two paths one node only if they are equal, and one node to each shared prefix", () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 30 }), (paths) => {
        const { outline, nodeOf } = createOutline();
        const nodeOfSteps = new Map<string, number>();
        for (const one of paths) {
          const chain = chainOf(outline, nodeOf(one));
          const steps = one === "" ? [] : one.split(">");
          expect(chain).toHaveLength(steps.length);
          for (const [at, node] of chain.entries()) {
            const key = JSON.stringify(steps.slice(0, at + 1));
            expect(nodeOfSteps.get(key) ?? node).toBe(node);
            nodeOfSteps.set(key, node);
            expect(outline.depth[node]).toBe(at + 1);
          }
        }
        expect(new Set(nodeOfSteps.values()).size).toBe(nodeOfSteps.size);
        expect(outline.size()).toBe(nodeOfSteps.size + 1);
      }),
      { numRuns: 500 },
    );
  });

  it("gives plain text the root, whatever came before", () => {
    const { outline, nodeOf } = createOutline();
    expect(nodeOf(">p")).toBeGreaterThan(0);
    expect(nodeOf("")).toBe(0);
    expect(outline.size()).toBe(3);
  });

  it("numbers children after their parents", () => {
    fc.assert(
      fc.property(fc.array(path), (paths) => {
        const { outline, nodeOf } = createOutline();
        for (const one of paths) nodeOf(one);
        for (let node = 1; node < outline.size(); node++) expect(outline.parent[node]).toBeLessThan(node);
      }),
    );
  });

  it("gives paths with the same tags one number, whatever their names", () => {
    const { outline, nodeOf } = createOutline();
    const tagsOf = (one: string): number => outline.tags[nodeOf(one)] ?? -1;
    const tags = tagsOf("body#top>div.post>p");
    expect(tagsOf("body>div.comment[role=main]>p.x")).toBe(tags);
    expect(tagsOf("BODY>div>p")).toBe(tags);
    expect(tagsOf("body>p>div")).not.toBe(tags);
    expect(tagsOf("body>div")).not.toBe(tags);
    for (const number of outline.tags) expect(number).toBeLessThan(outline.size());
  });

  it("stops at its maximum depth, also for two paths that differ after it", () => {
    const { outline, nodeOf } = createOutline();
    const deep = "div>".repeat(10_000);
    const node = nodeOf(`${deep}p`);
    expect(outline.depth[node]).toBe(MAX_STEPS);
    expect(nodeOf(`${deep}ul>li`)).toBe(node);
    expect(nodeOf("div>".repeat(MAX_STEPS - 1) + "div")).toBe(node);
    expect(outline.size()).toBe(MAX_STEPS + 1);
    expect(nodeOf(`p>${deep}`)).not.toBe(node);
  });

  it("reads junk and 100,000 paths in linear time", async () => {
    for (const junk of [">", "[", "[]", "[a=", "a>", "."])
      await expectLinear(
        1e6,
        (size) => junk.repeat(size),
        (path) => createOutline().nodeOf(path),
      );
    const write = (length: number): string[] =>
      Array.from({ length }, (_, at) => `body>div#d${at}>div.a.b>p`);
    await expectLinear(100_000, write, (paths) => {
      const { nodeOf } = createOutline();
      for (const path of paths) nodeOf(path);
    });
  });

  it("gives a page the same nodes before and after its memory of steps overflows", () => {
    const paths = ["body>div.a>p", "body>div.b>p", "body>div.a>p.lead"];
    const nodesIn = ({ nodeOf }: GrowingOutline): number[] => paths.map((path) => nodeOf(path));
    const early = createOutline();
    early.nodeOf("body>div.a>p");
    const flood = createOutline();
    for (let number = 0; number < 5_000; number += 1) flood.nodeOf(`body>div.n${number}`);
    expect(flood.outline.size()).toBe(5_002);
    const late = createOutline();
    expect(nodesIn(late)).toEqual([3, 5, 6]);
    expect(nodesIn(early)).toEqual([3, 5, 6]);
    expect(late.outline.step[2]).toMatchObject({
      tag: early.outline.step[2]?.tag,
      words: early.outline.step[2]?.words,
    });
  });
});
