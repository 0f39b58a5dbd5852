import { describe, expect, it } from "vitest";
import type { Document } from "../../src/document.js";
import type { Labeller } from "../../src/label/labeller.js";
import { createBoilernetLabeller } from "../../src/label/papers/boilernet/boilernet-labeller.js";
import { createPageLabeller } from "../../src/label/page/page-folder.js";
import { createTextLabeller } from "../../src/label/text/text-folder.js";
import { TookTooLong, type TimeLimit } from "../../src/time/time-limit.js";

const line = {
  text: "The river rose for three days, and on the fourth the bridge was closed.",
  block: "p",
  path: "body>p",
  linkChars: 0,
  breakBefore: "block",
} as const;
const page = (lines: number): Document => ({
  id: "long",
  url: "",
  source: "html",
  meta: {},
  notes: [],
  lines: Array.from({ length: lines }, () => line),
});

/** Makes a limit whose time is over at the second check. */
function createShortLimit(): TimeLimit {
  let looks = 0;
  return {
    run: (work) => work(),
    check: () => {
      looks += 1;
      if (looks === 2) throw new TookTooLong("no time");
    },
  };
}

describe("a labeller that reads a long document in windows", () => {
  it.each<[name: string, create: () => Promise<Labeller>]>([
    ["text", () => createTextLabeller({ focus: "balanced" })],
    ["page", () => createPageLabeller({ focus: "balanced" })],
    ["boilernet", () => createBoilernetLabeller({ focus: "balanced" })],
  ])(
    "checks the clock between windows, and labels the next document as before: %s",
    async (_name, create) => {
      const labeller = await create();
      const before = await labeller.label([page(3)]);
      await expect(labeller.label([page(12_000)], { limit: createShortLimit() })).rejects.toThrow(
        TookTooLong,
      );
      expect(await labeller.label([page(3)], { limit: createShortLimit() })).toEqual(before);
      await labeller.close();
    },
  );
});
