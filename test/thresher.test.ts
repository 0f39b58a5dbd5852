import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import {
  createThresher,
  openInputs,
  UsageError,
  type CleanInput,
  type CleanOptions,
  type ThresherOptions,
} from "../src/index.js";
import type { Thresher } from "../src/index.js";

const HTML = `<title>Tides</title><nav><a href="/">Home</a></nav><article><h1>Tides</h1><p>${"The sea rose slowly over the old harbour wall, and nobody in the village was surprised. ".repeat(8)}</p></article>`;
const never = new AbortController().signal;

const opened: Thresher[] = [];
async function open(options: ThresherOptions = { workers: 1 }): Promise<Thresher> {
  // No page here takes long by itself; a busy machine must not cause a reject.
  const thresher = await createThresher({ timeoutMs: 60_000, ...options });
  opened.push(thresher);
  return thresher;
}

afterAll(async () => {
  await Promise.all(opened.map((thresher) => thresher.close()));
});

describe("the library", () => {
  it("cleans the README's examples with two instances at once", async () => {
    const [one, two] = await Promise.all([open(), open({ workers: 1, focus: "recall", extractor: "body" })]);
    const [a, b] = await Promise.all([one.clean({ html: HTML, url: "x:1" }), two.clean({ html: HTML })]);
    expect(a.ok && a.value.text).toContain("The sea rose");
    expect(b).toMatchObject({ ok: true });
    expect(b.ok && b.value.text).toContain("The sea rose");
    expect(one.fingerprint).not.toBe(two.fingerprint);
    const ids: string[] = [];
    const source = openInputs(["fixtures/text"]);
    for await (const each of one.cleanAll(source.pages(never), never))
      ids.push(each.ok ? each.value.id : each.id);
    expect(ids.length).toBeGreaterThan(5);
  });

  it("runs the example of docs/library.md", async () => {
    const [, example = ""] = /^```ts\n([^]*?)^```$/m.exec(readFileSync("docs/library.md", "utf8")) ?? [];
    const code = example.replace('"pages/"', '"fixtures/pages/qa-en/source.html", "nothing.html"');
    const args = ["--input-type=module", "--eval", code];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(/^Tides\n\nThe sea rose [^\n]*\nfixtures\/pages\/qa-en\/source\.html 412\n$/);
    expect(stderr).toBe("nothing.html not-found undefined\n");
  });

  it("changes the fingerprint with every option that shapes the text", async () => {
    const all = await Promise.all(
      [{}, { comments: "keep" }, { labeller: "text" }, { extractor: "body" }, { labeller: "rules" }].map(
        (options) => open({ workers: 1, ...options } as CleanOptions),
      ),
    );
    expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
    expect((await open({ workers: 3, keepBoilerplate: true })).fingerprint).toBe(all[0]?.fingerprint);
  });

  it("rejects a feed, and returns a page's lines with their kinds", async () => {
    const thresher = await open({ workers: 1, labeller: "none", comments: "drop" });
    const feed = await thresher.clean({ id: "f", html: "<?xml version='1.0'?><rss><channel/></rss>" });
    expect(feed).toMatchObject({ ok: false, id: "f", reason: "not-a-page", detail: "an RSS feed" });
    const page = await thresher.clean({ html: `${HTML}<div id=comments><p>So did mine.</div>` });
    expect(page.ok && page.value.lines?.at(-1)).toMatchObject({
      text: "So did mine.",
      kind: "comment",
      label: "boilerplate",
      why: "comment",
      linkChars: 0,
      breakBefore: "block",
    });
  });

  it("treats undefined as a missing option", async () => {
    // A caller without a compiler may pass this.
    const thresher = await open({ workers: 1, focus: undefined } as unknown as CleanOptions);
    const input = { html: undefined, text: "A sentence that stands alone, and is long enough." };
    expect((await thresher.clean(input as unknown as CleanInput)).ok).toBe(true);
  });

  it("writes Markdown and HTML into each record on request, as the core does", async () => {
    const page = `<title>Walls</title><article><h1>Walls</h1><p>${"The <a href=/sea>sea</a> rose <em>slowly</em> over the old harbour wall. ".repeat(9)}</p></article>`;
    const [plain, shown] = [
      await open({ workers: 2 }),
      await open({ workers: 2, markdown: { links: "keep", frontMatter: true }, html: {} }),
    ];
    const url = "https://example.org/";
    const [bare, full] = [await plain.clean({ html: page, url }), await shown.clean({ html: page, url })];
    if (!bare.ok || !full.ok) throw new Error("nothing came out");
    expect(bare.value).not.toHaveProperty("markdown");
    expect(full.value.markdown).toMatch(/^---\ntitle: "Walls"\n/);
    expect(full.value.markdown).toContain("The [sea](https://example.org/sea) rose *slowly* over");
    expect(full.value.html).toContain("<p>The sea rose <em>slowly</em> over");
    expect([full.value.text, full.value.fingerprint]).toEqual([bare.value.text, bare.value.fingerprint]);
    for (const wrong of [
      { markdown: { link: "keep" } },
      { markdown: true },
      { markdown: null },
      { html: null },
      { html: { links: true } },
    ])
      await expect(createThresher(wrong as unknown as CleanOptions)).rejects.toBeInstanceOf(UsageError);
  });

  it("keeps the structure that Markdown needs, whatever the option structure says", async () => {
    const html = `<article><p>${"The <b>ferry</b> crossed <a href=/bay>the bay</a> twice a day. ".repeat(9)}<img src=/x.png alt=X></p></article>`;
    const [url, markdown] = ["https://example.org/", { links: "keep", images: "keep" } as const];
    for (const structure of [undefined, "none", "words", "keep"] as const) {
      const options = { workers: 1, markdown, structure } as unknown as CleanOptions;
      const outcome = await (await open(options)).clean({ html, url });
      expect([structure, outcome]).toMatchObject([structure, { ok: true }]);
      const shown = outcome.ok ? outcome.value.markdown : "";
      expect(shown).toContain("The **ferry** crossed [the bay](https://example.org/bay)");
      expect(shown).toContain("![X](https://example.org/x.png)");
    }
    const wrong = { markdown, structure: "all" } as unknown as CleanOptions;
    await expect(createThresher(wrong)).rejects.toThrow("structure must be one of none, words, keep");
  });

  it("unpacks gzip once, and only up to its limit", async () => {
    const thresher = await open({ workers: 1, maxBytes: 100_000 });
    const packed = gzipSync(HTML);
    const plain = await thresher.clean({ bytes: Buffer.from(HTML) });
    expect(plain.ok && plain.value.text).toContain("The sea rose");
    expect(await thresher.clean({ bytes: packed })).toEqual(plain);
    expect(await thresher.clean({ bytes: Buffer.concat([packed, packed]) })).toMatchObject({ ok: true });
    expect(await thresher.clean({ bytes: Buffer.concat([packed, Buffer.from("x")]) })).toEqual(plain);
    const text = gzipSync("The sea rose slowly over the old harbour wall. ".repeat(20));
    expect(await thresher.clean({ bytes: text, contentType: "text/plain" })).toMatchObject({
      value: { source: "text" },
    });
    const reasons = [packed.subarray(0, 99), gzipSync(Buffer.alloc(1e8)), gzipSync(packed), gzipSync("")];
    expect(
      await Promise.all(
        reasons.map(async (bytes) => (await thresher.clean({ bytes })) as { reason?: string }),
      ),
    ).toMatchObject(["broken-gzip", "too-large", "binary", "empty"].map((reason) => ({ reason })));
  });

  it("throws for input that is not a page, and rejects bytes that are not text", async () => {
    const thresher = await open();
    const wrong = [
      undefined,
      null,
      HTML,
      5,
      [],
      {},
      { html: 5 },
      { bytes: "<p>x" },
      { bytes: new ArrayBuffer(3) },
      { ok: true },
      { ok: true, value: { html: HTML } },
      { ok: false, status: 404 },
      new Response(HTML),
    ];
    const named = [
      { html: HTML, id: 7 },
      { html: HTML, url: new URL("https://example.org/") },
    ];
    const contents = [
      { kind: "pdf" },
      { kind: "html" },
      { kind: "lines", lines: "a" },
      { kind: "scored", scored: 5 },
      { kind: "text", text: "A line." },
    ];
    const holes = { lines: ["a"] };
    holes.lines.length = 2;
    for (const input of [...wrong, ...named, ...contents.map((content) => ({ content })), holes])
      await expect(thresher.clean(input as unknown as CleanInput)).rejects.toBeInstanceOf(UsageError);
    // About one in twenty of these random buffers contains a tag by chance.
    for (const noise of [randomBytes(20_000), Buffer.concat([randomBytes(9000), Buffer.from("<p>")])])
      expect(await thresher.clean({ bytes: noise })).toMatchObject({ reason: "binary" });
    expect(await thresher.clean({ bytes: new Uint8Array() })).toMatchObject({ reason: "empty" });
  });

  it("names the option of the library when it is given the name of a command's flag", async () => {
    const wrong = { threshold: 0.5 } as unknown as CleanOptions;
    await expect(createThresher(wrong)).rejects.toThrow(
      'there is no option "threshold" of cleaning; it is called "cut" here',
    );
    const memory = { dedupMemory: 1 } as unknown as CleanOptions;
    await expect(createThresher(memory)).rejects.toThrow('"dedupMemoryBytes" here');
  });

  it("accepts a corpus record that has both text and a field named content", async () => {
    const thresher = await open();
    for (const content of ["raw", null, undefined, { kind: "post" }]) {
      const record = { id: "a", text: "A sentence that stands alone, and is long enough.", content };
      expect(await thresher.clean(record)).toMatchObject({ ok: true, value: { id: "a", words: 9 } });
    }
  });

  it.each([
    { workers: 0 },
    { workers: 1.5 },
    { timeoutMs: 0 },
    { timeoutMs: "10" },
    { cut: 7 },
    { cut: "0.5" },
    { focus: null },
    { focus: "most" },
    { fokus: "recall" },
    { comments: "some" },
    { keepBoilerplate: "no" },
    { wants: "all" },
    { maxBytes: "10M" },
    { modelDir: "nowhere" },
    { modelDir: 7 },
    { languages: "sv" },
    { languages: [7] },
    { filters: null },
    { filters: ["min-words"] },
    { dedupMemoryBytes: "1" },
    null,
    [],
    "recall",
  ])("refuses the options %j", async (options) => {
    await expect(createThresher(options as unknown as CleanOptions)).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ["pages/", {}],
    [[7], {}],
    [["-"], {}],
    [["pages/"], { from: "htm" }],
    [["pages/"], { maxBytes: "1M" }],
    [["pages/"], { maxBytes: 1.5 }],
    [["pages/"], { timeoutMs: 0 }],
    [["pages/"], { timeoutMs: 2 ** 31 }],
    [["pages/"], { depth: 2 }],
    [["pages/"], { column: 5 }],
    [["pages/"], { column: "" }],
    [["pages/"], { version: 5 }],
    [["pages/"], { version: "1\n2" }],
    [["-"], { stdin: "x" }],
    [["-"], { stdin: ["x"] }],
    [["-"], { stdin: null }],
  ])("refuses to open the inputs %j with %j", (...wrong) => {
    const [inputs, options] = wrong as unknown as Parameters<typeof openInputs>; // JavaScript may pass these
    expect(() => openInputs(inputs, options)).toThrow(UsageError);
  });

  it("uses the command's defaults if an option is undefined, and needs no signal", async () => {
    const source = openInputs(["fixtures/text"], { maxBytes: undefined } as unknown as object);
    const outcomes = [];
    for await (const page of source.pages()) outcomes.push(page.ok);
    expect(outcomes.length).toBeGreaterThan(5);
    expect(outcomes).not.toContain(false);
  });

  it("cleans the pages of an array, and refuses what is not a stream", async () => {
    const thresher = await open();
    const all = [];
    for await (const outcome of thresher.cleanAll([{ html: HTML }, { text: "" }])) all.push(outcome.ok);
    expect(all).toEqual([true, false]);
    for (const wrong of [undefined, HTML, { html: HTML }])
      await expect(thresher.cleanAll(wrong as unknown as CleanInput[]).next()).rejects.toBeInstanceOf(
        UsageError,
      );
  });

  it("passes on the error of a stream, and ends the stream when the reader stops", async () => {
    const thresher = await open();
    let ended = 0;
    async function* pages(): AsyncGenerator<CleanInput> {
      try {
        yield await Promise.resolve({ html: HTML });
        throw new Error("mine");
      } finally {
        ended += 1;
      }
    }
    const outcomes = thresher.cleanAll(pages());
    await outcomes.next();
    await expect(outcomes.next()).rejects.toThrow("mine");
    for await (const outcome of thresher.cleanAll(pages())) {
      expect(outcome.ok).toBe(true);
      break;
    }
    await expect.poll(() => ended).toBe(2);
  });

  it("lets many pages share a signal without a warning, and refuses what is not a signal", async () => {
    const thresher = await open();
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    try {
      const { signal } = new AbortController();
      await Promise.all(Array.from({ length: 30 }, () => thresher.clean({ html: HTML }, signal)));
      await new Promise(setImmediate);
    } finally {
      process.off("warning", onWarning);
    }
    expect(warnings).toEqual([]);
    const wrong = new AbortController() as unknown as AbortSignal;
    await expect(thresher.clean({ html: HTML }, wrong)).rejects.toBeInstanceOf(UsageError);
  });

  it("stops at an abort while it waits for its source", async () => {
    const thresher = await open();
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<CleanInput> {
      yield { html: HTML };
      await new Promise(() => undefined);
    }
    const results = thresher.cleanAll(endless(), stop.signal);
    expect((await results.next()).value).toMatchObject({ ok: true });
    setTimeout(() => {
      stop.abort(new Error("enough"));
    }, 50);
    await expect(results.next()).rejects.toThrow("enough");
    await expect(thresher.clean({ html: HTML }, AbortSignal.abort(new Error("mine")))).rejects.toThrow(
      "mine",
    );
  });

  it("stops running work when it is closed, even twice, and rejects no page for that", async () => {
    const thresher = await createThresher({ workers: 1 });
    await thresher.clean({ html: HTML });
    const running = Array.from({ length: 40 }, () => thresher.clean({ html: HTML.repeat(20) }));
    const outcomes = Promise.allSettled(running);
    await running[0];
    await thresher.close();
    await thresher.close();
    const ends = (await outcomes).map((end) =>
      end.status === "rejected" ? end.reason instanceof UsageError : end.value.ok,
    );
    expect(ends.every(Boolean)).toBe(true);
    expect((await outcomes).some((end) => end.status === "rejected")).toBe(true);
    await expect(thresher.clean({ html: HTML })).rejects.toBeInstanceOf(UsageError);
  });
});
