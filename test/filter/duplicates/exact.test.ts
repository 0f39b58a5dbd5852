import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/outcome.js";
import type { Document, LabelledLine } from "../../../src/document.js";
import { judgeAll, makeDocument, tell, type LineParts } from "../documents.js";

type Lines = readonly (string | LineParts)[];

async function dedup(
  texts: readonly Lines[],
  options: Parameters<typeof judgeAll>[1],
): Promise<Outcome<Document<LabelledLine>>[]> {
  return judgeAll(
    texts.map((lines, at) => makeDocument(lines, { id: `doc-${at}` })),
    options,
  );
}

describe("exact duplicates", () => {
  it("are recognised by the kept text alone, and name the document that was kept", async () => {
    const told = await dedup(
      [
        ["Good bread", "needs time"],
        ["Good bread needs time"],
        ["Good  bread ", { text: "Home | About", label: "boilerplate" }, "needs\u00a0time"],
        ["good bread", "needs time"],
        ["needs time", "Good bread"],
        ["Cafe\u0301"],
        ["Caf\u00e9"],
        ["Good bread", "needs time"],
      ],
      { dedup: "exact" },
    );
    expect(told.map(tell)).toEqual([
      "kept",
      "kept",
      "duplicate: of doc-0",
      "kept",
      "kept",
      "kept",
      "duplicate: of doc-5",
      "duplicate: of doc-0",
    ]);
  });

  it("are not assumed among documents without text", async () => {
    const told = await dedup([[], [], [{ text: "x", label: "boilerplate" }], [" "]], { dedup: "exact" });
    expect(told.map(tell)).toEqual(["kept", "kept", "kept", "kept"]);
  });

  it("are not compared with documents that a filter rejected", async () => {
    const told = await dedup([["a b"], ["a b"], ["a b c"], ["a b c"]], {
      dedup: "exact",
      filters: { "min-words": 3 },
    });
    expect(told.map(tell)).toEqual([
      "filtered: min-words: 2, wanted at least 3",
      "filtered: min-words: 2, wanted at least 3",
      "kept",
      "duplicate: of doc-2",
    ]);
  });
});

describe("lines that occur in many documents", () => {
  const labels = (outcome: Outcome<Document<LabelledLine>> | undefined): string =>
    outcome?.ok === true
      ? outcome.value.lines.map(({ label, why }) => why ?? label).join(" ")
      : tell(outcome);

  it("are content in the first documents, and boilerplate in all later ones", async () => {
    const shared = "Subscribe to our letter";
    const told = await dedup(
      [
        [shared, "a"],
        ["b", shared, shared],
        ["c", ` ${shared}`],
        [shared, "d"],
      ],
      { dedupLines: 2 },
    );
    expect(told.map(labels)).toEqual([
      "content content",
      "content content content",
      "content corpus-duplicate",
      "corpus-duplicate content",
    ]);
  });

  it("are not counted in rejected documents, in verbatim text or if they are blank", async () => {
    const brace: LineParts = { text: "}", block: "pre" };
    const told = await dedup([["x"], ["x y z", "s"], ["x y z", brace, ""], ["x y w", brace, "", "s"]], {
      dedupLines: 1,
      filters: { "min-words": 3 },
    });
    expect(told.map(labels)).toEqual([
      "filtered: min-words: 1, wanted at least 3",
      "content content",
      "filtered: min-words: 0, wanted at least 3",
      "content content content corpus-duplicate",
    ]);
  });

  it("cause a reject if the document has no other lines", async () => {
    const told = await dedup(
      [
        ["a", "b"],
        ["b", "a"],
      ],
      { dedupLines: 1 },
    );
    expect(told.map(labels)).toEqual([
      "content content",
      "duplicate: every line occurs in many earlier documents",
    ]);
  });

  it("count once in a document that has them with other spaces or accents", async () => {
    const told = await dedup(
      [
        ["Caf\u00e9 on the quay", "Cafe\u0301 on  the quay", "a"],
        ["Caf\u00e9 on the quay", "b"],
      ],
      { dedupLines: 2 },
    );
    expect(told.map(labels)).toEqual(["content content content", "content content"]);
  });
});
