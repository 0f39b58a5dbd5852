/** Checks that the uses that a page or its server reserves get from the archive into the record and to the filter. */
import { describe, expect, it } from "vitest";
import { readWarc } from "../src/acquire/warc/warc.js";
import { readRecords } from "../src/acquire/records/jsonl.js";
import type { Page } from "../src/document.js";
import { DEFAULTS, type PipelineOptions } from "../src/options/options.js";
import type { Outcome } from "../src/outcome.js";
import { createPipeline } from "../src/pipeline.js";
import { JSONL } from "../src/write/jsonl.js";
import { inChunks, utf8 } from "./acquire/gather.js";
import { answer, recordBytes } from "./acquire/warc/warc-file.js";
import { collectAll } from "./collect-all.js";

const TEXT =
  "We picked blueberries all afternoon and made jam when we came home to the cottage by the lake, while the children swam.";
const OPTIONS = { input: "in", maxBytes: 100_000 };

async function readPage({ head = "", http = "", warc = "" } = {}): Promise<Outcome<Page>[]> {
  const block = answer(`<title>Jam</title>${head}<p>${TEXT}</p>`, `Content-Type: text/html\r\n${http}`);
  return collectAll(readWarc(inChunks(recordBytes({ block, more: warc }), 1000), OPTIONS));
}

async function clean(pages: readonly Outcome<Page>[], options: Partial<PipelineOptions> = {}) {
  const pipeline = await createPipeline({ ...DEFAULTS, labeller: "rules", workers: 1, ...options });
  try {
    const tagged = (async function* () {
      await Promise.resolve();
      for (const page of pages) yield { page, tag: undefined };
    })();
    const [done] = await collectAll(pipeline.run(tagged, new AbortController().signal));
    return done?.outcome;
  } finally {
    await pipeline.close();
  }
}

const reservedIn = (outcome: Awaited<ReturnType<typeof clean>>): unknown =>
  outcome?.ok === true ? outcome.value.meta.reservations : outcome;

describe("reserved uses", () => {
  it("are read from the page, its HTTP fields and the field that a crawl writes", async () => {
    const pages = await readPage({
      head: "<meta name=robots content=noai>",
      http: "TDM-Reservation: 1\r\nX-Robots-Tag: noai\r\n",
      warc: "Thresher-Reservations: ai-train\r\n",
    });
    expect(reservedIn(await clean(pages))).toEqual(["noai", "tdm", "ai-train"]);
    expect(reservedIn(await clean(pages, { metadata: "skip" }))).toEqual(["tdm", "noai", "ai-train"]);
  });

  it("have an origin", async () => {
    const origin = async (parts: Parameters<typeof readPage>[0]) => {
      const outcome = await clean(await readPage(parts), { metadata: "origins" });
      return outcome?.ok === true && outcome.value.meta.from?.["reservations"];
    };
    expect(await origin({ http: "TDM-Reservation: 1\r\n" })).toBe("http");
    expect(await origin({ head: "<meta name=robots content=noai>", http: "TDM-Reservation: 1\r\n" })).toBe(
      "meta",
    );
    expect(await origin({})).toBeUndefined();
  });

  it("are missing if there are none", async () => {
    const outcome = await clean(
      await readPage({ http: "TDM-Reservation: 0\r\nContent-Usage: train-ai=y\r\n" }),
    );
    expect(outcome).toMatchObject({ ok: true });
    expect(reservedIn(outcome)).toBeUndefined();
  });

  it("can be filtered, in a second pass as well", async () => {
    const filters = { reservations: true } as const;
    const rejected = { ok: false, reason: "filtered", detail: "reservations: 1, wanted at most 0" };
    const pages = await readPage({ http: "Content-Usage: train-ai=n\r\n" });
    expect(await clean(pages, { filters })).toMatchObject(rejected);
    expect(await clean(await readPage(), { filters })).toMatchObject({ ok: true });
    const kept = await clean(pages);
    if (kept?.ok !== true) throw new Error("the page was rejected");
    const json = JSONL.format(kept.value, {
      version: "1.2.3",
      fingerprint: "0123456789abcdef",
      links: "drop",
      lines: "none",
    });
    const again = await collectAll(readRecords(inChunks(utf8(json), 1000), OPTIONS));
    expect(reservedIn(await clean(again))).toEqual(["train-ai"]);
    expect(await clean(again, { filters })).toMatchObject(rejected);
  });
});
