import { describe, expect, it } from "vitest";
import type { Decision, Wishes } from "../../../src/shard/duplicates/decision.js";
import { formatSignature, parseSignature } from "../../../src/shard/duplicates/signature.js";
import { openSolver } from "../../../src/shard/duplicates/solve.js";
import { refuseCopy } from "../../../src/filter/duplicates/document-memory.js";
import { formatText } from "../../../src/write/text.js";
import { judgeAll, makeDocument, tell } from "../../filter/documents.js";
import { cutShards, makeCorpus, type Shard } from "./corpora.js";

function solve(shards: readonly Shard[], wishes: Wishes, memoryBytes = 1e9): (Decision | undefined)[] {
  const solver = openSolver({ wishes, memoryBytes });
  try {
    return shards.flatMap(({ shard, signatures }) =>
      signatures.map((signature) => solver.decide(shard, parseSignature(formatSignature(signature)))),
    );
  } finally {
    solver.close();
  }
}

const corpus = makeCorpus(600, 5);

describe("the duplicates of a corpus, by its signatures", () => {
  it.each(["exact", "near"] as const)("are those that --dedup %s finds", async (dedup) => {
    const expected = (await judgeAll(corpus, { dedup })).map(tell);
    for (const count of [1, 7]) {
      const found = solve(cutShards(corpus, count), { documents: dedup }).map((decision) => {
        if (decision === undefined) return "kept";
        if (!("copy" in decision)) throw new Error("no lines were looked for");
        const { reason, detail } = refuseCopy(decision.copy);
        return `${reason}: ${detail}`;
      });
      expect(found).toEqual(expected);
    }
    expect(expected.filter((told) => told.startsWith("duplicate")).length).toBeGreaterThan(50);
    if (dedup === "near")
      expect(expected.filter((told) => told.startsWith("near")).length).toBeGreaterThan(60);
  });

  it("include the lines that --dedup-lines finds", async () => {
    const outcomes = await judgeAll(corpus, { dedup: "exact", dedupLines: 3 });
    const decisions = solve(cutShards(corpus, 4), { documents: "exact", lines: 3 });
    let stripped = 0;
    for (const [at, outcome] of outcomes.entries()) {
      const decision = decisions[at];
      if (decision !== undefined && "copy" in decision) {
        expect(outcome.ok).toBe(false);
        continue;
      }
      const gone = new Set(decision?.dropped.map(([, row]) => row));
      const rows = formatText(corpus[at]!).split("\n");
      const left = rows.filter((row, number) => !gone.has(number) && row !== "");
      if (decision !== undefined) stripped += 1;
      if (outcome.ok)
        expect(left).toEqual(
          formatText(outcome.value)
            .split("\n")
            .filter((row) => row !== ""),
        );
      else expect(left).toEqual([]);
    }
    expect(stripped).toBeGreaterThan(50);
  });

  it("are the same with any memory limit, and name the kept document by its position", () => {
    const shards = cutShards(corpus.slice(0, 150), 5);
    const wishes = { documents: "near", lines: 2 } as const;
    expect(solve(shards, wishes, 0)).toEqual(solve(shards, wishes));
    const places = new Map<string, string>(
      shards.flatMap(({ shard, documents }) =>
        documents.map(({ id }, number) => [`${shard}:${number}`, id] as const),
      ),
    );
    for (const decision of solve(shards, wishes))
      if (decision !== undefined && "copy" in decision)
        expect(places.get(decision.place)).toBe(decision.copy.of);
  });
});

describe("a signature", () => {
  it("states the line of the text for each of its lines", () => {
    const document = makeDocument([
      { text: "Title", block: "h1" },
      { text: "a\n\nb\n", block: "pre" },
      { text: "hidden", label: "boilerplate" },
      { text: "item", block: "li" },
      { text: "next", breakBefore: "line" },
    ]);
    const rows = formatText(document).split("\n");
    const signature = signDocumentOf(document);
    expect(signature.rows.map((row) => rows[row])).toEqual(["Title", "- item", "next"]);
  });

  it.each([
    ['{"number":0,"id":"a","lines":"","rows":[]', /JSON/],
    ['{"id":"a","lines":"","rows":[]}', /no number/],
    ['{"number":0,"id":"a","lines":"","rows":[1]}', /rows do not match/],
    ['{"number":0,"id":"a","exact":"AAAA","lines":"","rows":[]}', /exact are not digests/],
    ['{"number":0,"id":"a","bits":"AAAA","lines":"","rows":[]}', /half of a MinHash/],
    ["null", /no number/],
  ])("is rejected if it is %s", (json, message) => {
    expect(() => parseSignature(json)).toThrow(message);
  });
});

function signDocumentOf(document: Shard["documents"][number]): Shard["signatures"][number] {
  return cutShards([document], 1)[0]!.signatures[0]!;
}
