/** Tests the filters in the pipeline, with real pages, threads and the shipped labellers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Document, LabelledLine, Page } from "../../src/document.js";
import { accept, type Outcome } from "../../src/outcome.js";
import { DEFAULTS, type PipelineOptions } from "../../src/options/options.js";
import { createPipeline, type Account, type TaggedPage } from "../../src/pipeline.js";
import { createThresher } from "../../src/thresher.js";
import { countWords } from "../../src/language/words.js";
import type { Form } from "../../src/write/registry.js";
import { JSONL } from "../../src/write/jsonl.js";
import { formatText } from "../../src/write/text.js";
import { makeWords } from "./documents.js";

const PAGES = fileURLToPath(new URL("../../fixtures/pages/", import.meta.url));
const SLUGS = readdirSync(PAGES).sort();

const TEXTS = [makeWords(400), [...makeWords(200), "other", ...makeWords(199, 201)], makeWords(400, 4000)];
const COUNT = 2 * SLUGS.length + Math.ceil(SLUGS.length / 3) + TEXTS.length;

async function* pages(): AsyncGenerator<TaggedPage<undefined>> {
  for await (const page of outcomes()) yield { page, tag: undefined };
}

/** Yields each page twice and each third one three times; then texts of which the second is nearly a copy of the first. */
async function* outcomes(): AsyncGenerator<Outcome<Page>> {
  await Promise.resolve();
  for (const round of [1, 2, 3]) {
    for (const [number, slug] of SLUGS.entries()) {
      if (round === 3 && number % 3 > 0) continue;
      const bytes = readFileSync(join(PAGES, slug, "source.html"));
      const content = { kind: "bytes", bytes, format: "html" } as const;
      yield accept({ id: `${slug}#${round}`, url: "", content });
    }
  }
  for (const [number, words] of TEXTS.entries()) {
    const content = { kind: "text", text: words.join(" ") } as const;
    yield accept({ id: `text#${number}`, url: "", content });
  }
}

async function collect(
  { form, ...options }: Partial<PipelineOptions> & { readonly form?: Omit<Form, "fingerprint"> },
  tell: (account: Account) => void = () => undefined,
): Promise<Outcome<Document<LabelledLine>>[]> {
  const pipeline = await createPipeline({ ...DEFAULTS, labeller: "rules", ...options }, { form });
  const collected: Outcome<Document<LabelledLine>>[] = [];
  const never = new AbortController().signal;
  try {
    for await (const { outcome, account } of pipeline.run(pages(), never)) {
      tell(account);
      collected.push(outcome);
    }
  } finally {
    await pipeline.close();
  }
  return collected;
}

async function readFingerprint(options: Partial<PipelineOptions>): Promise<string> {
  const pipeline = await createPipeline({ ...DEFAULTS, labeller: "rules", ...options });
  await pipeline.close();
  return pipeline.fingerprint;
}

/** The outcomes of one process without formatting; the first test that needs them creates them. */
let unformed: ReturnType<typeof collect> | undefined;

const EVERYTHING = {
  preset: "register-oscar",
  filters: { "min-words": 120, "language-share": 0 },
  language: "identified",
  dedup: "near",
  dedupLines: 1,
} as const;

/** Allows for a busy machine. */
const SLOW = { timeout: 300_000 };

describe("the pipeline with filters", SLOW, () => {
  it("gives the same documents for any number of workers", async () => {
    const one = await collect({ ...EVERYTHING, workers: 1 });
    expect(one).toHaveLength(COUNT);
    const verdicts = new Set(one.map((outcome) => (outcome.ok ? "kept" : outcome.reason)));
    expect([...verdicts].sort()).toEqual(["duplicate", "filtered", "kept", "near-duplicate", "no-content"]);
    for (const workers of [2, 4]) {
      const many = await collect({ ...EVERYTHING, workers });
      expect(isDeepStrictEqual(many, one), `${workers} workers`).toBe(true);
    }
  });

  it("counts the words of what is kept, after duplicate lines are removed", async () => {
    const told: (number | undefined)[] = [];
    const outcomes = await collect({ dedupLines: 1, workers: 2 }, ({ labelled }) =>
      told.push(labelled?.words),
    );
    const kept = [...outcomes.entries()].flatMap(([at, outcome]) => (outcome.ok ? [{ at, outcome }] : []));
    expect(kept.length).toBeGreaterThan(SLUGS.length / 2);
    for (const { at, outcome } of kept) expect(told[at]).toBe(countWords(formatText(outcome.value)));
  });

  it.each([1, 2])(
    "formats documents in the workers if no filter needs their lines, with %i workers",
    async (workers) => {
      const form = { to: "jsonl", lines: "content", links: "drop", version: "0" } as const;
      const accounts: Account[] = [];
      const formed = await collect({ form, workers }, (account) => accounts.push(account));
      const fingerprint = await readFingerprint({});
      const plain = await (unformed ??= collect({ workers: 1 }));
      for (const [at, outcome] of plain.entries()) {
        expect(formed[at]).toEqual(outcome.ok ? accept({ ...outcome.value, lines: [] }) : outcome);
        const record = outcome.ok ? JSONL.format(outcome.value, { ...form, fingerprint }) : undefined;
        expect(accounts[at]?.formatted).toBe(record);
      }
      const filtered = await collect({ form, workers, filters: { "min-words": 1 } }, ({ formatted }) => {
        expect(formatted).toBe(undefined);
      });
      expect(filtered.filter(({ ok }) => ok)).toEqual(plain.filter(({ ok }) => ok));
    },
  );

  it("has a different fingerprint for each set of filters, and the old one without filters", async () => {
    const none = await readFingerprint({});
    expect(await readFingerprint({ preset: "none", filters: {} })).toBe(none);
    expect(await readFingerprint({ dedupMemoryBytes: 1 })).toBe(none);
    const others = [
      { preset: "c4" },
      { filters: { digits: 0.5 } },
      { dedup: "exact" },
      { dedupLines: 9 },
    ] as const;
    const prints = new Set([none]);
    for (const options of others) prints.add(await readFingerprint(options));
    expect(prints.size).toBe(others.length + 1);
  });

  it("rejects what a filter rejects even with keepBoilerplate", async () => {
    const outcomes = await collect({ filters: { "min-words": 100_000 }, keepBoilerplate: true });
    expect(outcomes).toHaveLength(COUNT);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, stage: "filter", reason: "filtered" });
  });
});

describe("the library with filters", () => {
  it("applies the options to a stream, and identifies the language of records", async () => {
    const thresher = await createThresher({ labeller: "none", dedup: "exact", language: "identified" });
    const swedish =
      "Vi plockade blåbär hela eftermiddagen och kokade sylt när vi kom hem till stugan vid sjön.";
    // oxlint-disable-next-line typescript/require-await -- an async iterable of three values
    async function* inputs(): AsyncGenerator<{ id: string; text: string }> {
      yield { id: "a", text: swedish };
      yield { id: "b", text: makeWords(40).join(" ") };
      yield { id: "c", text: swedish };
    }
    const outcomes = [];
    for await (const outcome of thresher.cleanAll(inputs())) outcomes.push(outcome);
    await thresher.close();
    expect(outcomes[0]).toMatchObject({ ok: true, value: { id: "a", lang: "sv" } });
    expect(outcomes[1]).toMatchObject({ ok: true, value: { id: "b" } });
    expect(outcomes[2]).toMatchObject({ ok: false, id: "c", reason: "duplicate", detail: "of a" });
  });
});
