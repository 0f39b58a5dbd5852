import { describe, expect, it } from "vitest";
import {
  DEFAULTS,
  OPTION_ROWS,
  OPTIONS,
  resolveCleanOptions,
  type CleanOptions,
  type PipelineOptions,
} from "../../src/options/options.js";
import { pickTravelling } from "../../src/options/page-options.js";
import { UsageError } from "../../src/outcome.js";
import { createPipeline } from "../../src/pipeline.js";

/** A value other than the default for each option: a missing one does not compile. */
const OTHERS: Required<PipelineOptions> = {
  extractor: "body",
  labeller: "text",
  modelDir: "models/page-6",
  focus: "recall",
  cut: 0.7,
  condition: "crawl",
  comments: "drop",
  rescore: true,
  keepBoilerplate: true,
  structure: "keep",
  metadata: "origins",
  registers: true,
  keep: ["main"],
  remove: ["nav"],
  wants: "text",
  preset: "gopher",
  languages: ["sv"],
  language: "identified",
  filters: { "min-words": 20 },
  dedup: "near",
  dedupLines: 5,
  dedupMemoryBytes: 1000,
  workers: DEFAULTS.workers + 1,
  maxBytes: 5000,
  timeoutMs: 2000,
  engine: "portable",
};

/** The options that are about more than a page, or that are applied before it is cleaned. */
const OF_PIPELINE: ReadonlySet<string> = new Set([
  ...["preset", "languages", "language", "filters", "dedup", "dedupLines", "dedupMemoryBytes", "workers"],
  "maxBytes",
]);

async function readFingerprint(options: CleanOptions): Promise<string> {
  const pipeline = await createPipeline(options);
  await pipeline.close();
  return pipeline.fingerprint;
}

describe("each option", () => {
  it.each(OPTION_ROWS)("%s changes the fingerprint if and only if it shapes the text", async (name, row) => {
    // The memory for duplicates has no effect without a filter of duplicates, so the filter is set for both.
    const base: CleanOptions = name === "dedupMemoryBytes" ? { dedup: "exact" } : {};
    const other = await readFingerprint({ ...base, [name]: OTHERS[name] });
    const shows = other !== (await readFingerprint(base));
    // The digest of the folder's model counts, and this is the shipped one.
    expect(shows).toBe(row.shapes !== "nothing");
  });

  it.each(OPTION_ROWS)("%s is sent to other processes if and only if it belongs to a page", (name) => {
    const told: object = pickTravelling(OTHERS);
    expect(Object.hasOwn(told, name)).toBe(!OF_PIPELINE.has(name));
    expect(structuredClone(told)).toEqual(told);
  });

  it.each(OPTION_ROWS)("%s is validated", (name, row) => {
    const wrong = { [name]: Symbol(name) } as CleanOptions; // what a program in JavaScript may pass
    expect(() => resolveCleanOptions(wrong)).toThrow(new UsageError(`${name} must be ${row.rule.wanted}`));
    expect(resolveCleanOptions({ [name]: OTHERS[name] })).toEqual({ ...DEFAULTS, [name]: OTHERS[name] });
  });
});

describe("options", () => {
  const wrong: readonly [unknown, string][] = [
    [{ preset: "oscar" }, "preset must be one of none, register-oscar"],
    [{ filters: { digit: 1 } }, "filters must be an object"],
    [{ filters: { digits: Number.NaN } }, "filters must be an object"],
    [{ filters: { digits: -1 } }, "filters must be an object"],
    [{ filters: { digits: "1" } }, "filters must be an object"],
    [{ dedup: "fuzzy" }, "dedup must be one of none, exact, near"],
    [{ dedupLines: 0 }, "dedupLines must be a whole number"],
    [{ dedupMemoryBytes: Number.NaN }, "dedupMemoryBytes must be a number"],
    [
      { filters: { reservations: 0 }, metadata: "brief" },
      "the filter reservations needs the metadata of pages",
    ],
    [{ language: "guessed" }, "language must be one of stated, identified"],
    [{ languages: ["sv", 1] }, "languages must be an array of language codes"],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs must be a number from 1 to 2147483647"],
    [{ constructor: 1 }, 'there is no option "constructor" of cleaning; there are comments, condition'],
  ];
  it.each(wrong)("are rejected: %j", (options, message) => {
    const resolve = (): unknown => resolveCleanOptions(options as CleanOptions); // as above
    expect(resolve).toThrow(message);
    expect(resolve).toThrow(UsageError);
  });

  it("are omitted if undefined", () => {
    expect(resolveCleanOptions({ focus: undefined } as unknown as CleanOptions)).toEqual(DEFAULTS);
  });

  it("have a default unless they may be absent", () => {
    const without = OPTION_ROWS.filter(([, row]) => !("default" in row)).map(([name]) => name);
    expect(without).toEqual(["labeller", "modelDir", "cut", "registers", "dedupLines", "engine"]);
    expect(Object.keys(OPTIONS)).toHaveLength(Object.keys(DEFAULTS).length + without.length);
  });
});
