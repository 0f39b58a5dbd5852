import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8 } from "../gather.js";
import {
  answer,
  outline,
  packBlocks,
  packEach,
  packWhole,
  pageHtml,
  pageRecord,
  readAll,
  recordBytes,
} from "./warc-file.js";

const three = [0, 1, 2].map((number) => pageRecord(number));
const FORMS = {
  plain: Buffer.concat(three),
  "a member a record": packEach(three),
  "one member": packWhole(three),
  "members that end anywhere": packBlocks(three, 100),
};
const forms = Object.entries(FORMS);

const packings = {
  plain: (records: readonly Uint8Array[]) => Buffer.concat(records),
  each: packEach,
};

describe("readWarc", () => {
  it.each(forms)("gives the same outcomes however the bytes are split: %s", async (_name, bytes) => {
    const outcomes = await readAll(bytes);
    expect(outline(outcomes)).toEqual([0, 1, 2]);
    for (const size of [1, 7, 100]) expect(await readAll(bytes, { size })).toEqual(outcomes);
  });

  it("names a page by its record id, or by input and offset, and keeps type, URL and bytes", async () => {
    const block = answer("<p>A</p>", "Content-Type: text/html; charset=iso-8859-2\r\n");
    const bytes = packEach([recordBytes({ block, id: "urn:uuid:a" }), recordBytes({ block, id: "" })]);
    const second = gzipSync(recordBytes({ block, id: "urn:uuid:a" })).length;
    const content = {
      kind: "bytes",
      format: "html",
      contentType: "text/html; charset=iso-8859-2",
      bytes: new Uint8Array(utf8("<p>A</p>")),
    };
    const carried = `{"WARC-Date":"2024-05-02T10:00:00Z"}`;
    expect(await readAll(bytes)).toEqual([
      { ok: true, value: { id: "urn:uuid:a", url: "http://example.org/", content, carried } },
      { ok: true, value: { id: `x.warc@${second}`, url: "http://example.org/", content, carried } },
    ]);
  });

  it("carries the mark of a crawler that truncated the page", async () => {
    const records = ["WARC-Truncated: length\r\n", "warc-truncated: time\r\n", ""].map((more) =>
      recordBytes({ block: answer("<p>A"), more }),
    );
    const outcomes = await readAll(packEach(records));
    const date = `"WARC-Date":"2024-05-02T10:00:00Z"`;
    expect(outcomes).toMatchObject([
      { ok: true, value: { carried: `{${date},"WARC-Truncated":"length"}` } },
      { ok: true, value: { carried: `{${date},"WARC-Truncated":"time"}` } },
      { ok: true, value: { carried: `{${date}}` } },
    ]);
  });

  it("carries the id of the record from which a text was extracted", async () => {
    const id = "<urn:uuid:00000000-0000-4000-8000-000000000001>";
    const text = { type: "conversion", contentType: "text/plain", block: "A text." };
    const bytes = packEach([recordBytes({ ...text, more: `WARC-Refers-To: ${id}\r\n` })]);
    expect(await readAll(bytes)).toMatchObject([
      { ok: true, value: { carried: `{"WARC-Date":"2024-05-02T10:00:00Z","WARC-Refers-To":"${id}"}` } },
    ]);
  });

  it("does not change returned bytes while it reads on", async () => {
    const records = Array.from({ length: 50 }, (_, number) => pageRecord(number, 20_000));
    for (const pack of Object.values(packings))
      expect(outline(await readAll(pack(records), { size: 5000 }))).toEqual([...records.keys()]);
  });

  it("reads gzip members too long to hold in memory, and one member with all records", async () => {
    const long = pageRecord(7, 1_500_000);
    const noise = Array.from({ length: 40 }, (_, number) => pageRecord(number, 60_000));
    const maxBytes = 2_000_000;
    expect(outline(await readAll(packEach([pageRecord(1), long, pageRecord(2)]), { maxBytes }))).toEqual([
      1, 7, 2,
    ]);
    const whole = packWhole(noise);
    expect(whole.length).toBeGreaterThan(1 << 19);
    expect(outline(await readAll(whole, { size: 65_536 }))).toEqual([...noise.keys()]);
    const cut = outline(await readAll(whole.subarray(0, -5000)));
    expect(cut.at(-1)).toBe("broken-warc");
    expect(cut.slice(0, -1)).toEqual([...noise.keys()].slice(0, cut.length - 1));
    expect(cut.length).toBeGreaterThan(38);
    whole.fill(0, 1_000_000, 1_000_200);
    const torn = outline(await readAll(whole));
    const first = torn.indexOf("broken-warc");
    expect(first).toBeGreaterThan(30);
    expect(torn.slice(0, first)).toEqual([...noise.keys()].slice(0, first));
    expect(new Set(torn.slice(first))).toEqual(new Set(["broken-warc"]));
  });

  it("finds the records after a damaged gzip member that is too long to hold in memory", async () => {
    const long = pageRecord(7, 1_500_000);
    const packed = gzipSync(long);
    for (const at of [packed.length - 6, 650_000, 600_000]) {
      const broken = Buffer.from(packed);
      broken.fill(0, at, at + 4);
      const bytes = Buffer.concat([packEach([pageRecord(1)]), broken, packEach([pageRecord(2)])]);
      const outcomes = await readAll(bytes, { maxBytes: 2_000_000 });
      expect(outline(outcomes)).toEqual([1, "broken-warc", 2]);
      expect(outcomes[1]).toMatchObject({
        id: "urn:uuid:7",
        detail: expect.stringContaining(`${packed.length} bytes skipped`) as unknown,
      });
    }
  });

  it("reads archives that break the format slightly", async () => {
    const bare = pageRecord(0).toString().replace(/\r\n/g, "\n");
    const length = answer(pageHtml(0)).toString().replace(/\r\n/g, "\n").length;
    const lines = bare
      .replace(/Content-Length: \d+/, `content-length:   ${length}`)
      .replace("WARC-Type: response", "X-Folded: one\n two\nwarc-type:\tRESPONSE\nnonsense\n: nameless")
      .replace(/WARC-Block-Digest.*\n/, "")
      .replace("WARC/1.0", "WARC/1.1");
    const noEnd = pageRecord(1, 200, { end: "" });
    const oneEnd = pageRecord(2, 200, { end: "\r\n" });
    const brackets = pageRecord(3, 200, { url: "<http://example.org/3>", end: "\r\n\r\n\r\n\n" });
    const records = [Buffer.from(lines), noEnd, oneEnd, brackets, pageRecord(4, 200, { end: "" })];
    for (const pack of Object.values(packings))
      expect(outline(await readAll(pack(records)))).toEqual([0, 1, 2, 3, 4]);
  });

  it("ignores digests of unknown algorithms", async () => {
    const named = pageRecord(0, 200, { hasDigest: true }).toString("latin1");
    const bytes = Buffer.from(
      named.replace("WARC-Block-Digest: sha1:", "WARC-Block-Digest: constructor:"),
      "latin1",
    );
    expect(outline(await readAll(bytes))).toEqual([0]);
  });

  it("reports an archive that holds no bytes, only line breaks, or no pages", async () => {
    expect(await readAll(Buffer.alloc(0))).toMatchObject([{ reason: "empty", detail: "no records" }]);
    expect(await readAll(Buffer.from("\r\n\r\n"))).toMatchObject([{ reason: "empty" }]);
    const seen: string[] = [];
    const info = recordBytes({ type: "warcinfo", contentType: "application/warc-fields", block: "a: b\r\n" });
    const request = recordBytes({ type: "request", block: "GET / HTTP/1.1\r\n\r\n" });
    const dns = recordBytes({ url: "dns:example.org", contentType: "text/dns", block: "1.2.3.4" });
    const outcomes = await readAll(packEach([info, request, dns, request]), {
      onPassedOver: (type) => seen.push(type),
    });
    expect(outcomes).toMatchObject([
      {
        reason: "empty",
        detail: "no pages, only other records: warcinfo 1, request 2, response of dns 1",
      },
    ]);
    expect(seen).toEqual(["warcinfo", "request", "response of dns", "request"]);
  });

  it.each([
    ["resource of metadata", "resource", "<metadata://gnu.org/software/wget/warc/wget.log>", "text/plain"],
    [
      "resource of metadata",
      "resource",
      "metadata://netarkivet.dk/crawl/logs/crawl.log?jobid=2",
      "text/plain",
    ],
    ["resource of dns", "resource", "dns:example.org", "text/dns"],
    ["response of whois", "response", "whois://whois.iana.org/example.org", "text/plain"],
    ["resource of urn:x-wpull", "resource", "urn:X-wpull:log", "text/plain"],
    ["response of provenance-summary", "response", "file:///provenance-summary.html", "text/html"],
    ["resource of urn:pageinfo", "resource", "urn:pageinfo:https://example.org/", "application/json"],
  ])("only counts what a crawler notes about its crawl: %s", async (what, type, url, contentType) => {
    const seen: string[] = [];
    const notes = recordBytes({ type, url, contentType, block: "Connecting to example.org" });
    const outcomes = await readAll(packEach([notes, pageRecord(1)]), {
      onPassedOver: (one) => seen.push(one),
    });
    expect(outline(outcomes)).toEqual([1]);
    expect(seen).toEqual([what]);
  });

  it("does not report records without a page if there are pages", async () => {
    const others = ["warcinfo", "request", "metadata", "revisit", "continuation", "of-tomorrow"].map((type) =>
      recordBytes({ type, block: "whatever" }),
    );
    expect(outline(await readAll(packEach([...others, pageRecord(1)])))).toEqual([1]);
  });

  it("reads resources, and text that other programs extracted from pages", async () => {
    const wet = (block: string | Uint8Array, more = ""): Buffer =>
      recordBytes({ type: "conversion", contentType: "text/plain", block, more });
    const bytes = packEach([
      recordBytes({ type: "resource", contentType: "text/html", block: "<p>A</p>" }),
      recordBytes({ type: "resource", contentType: "image/png", block: "x" }),
      recordBytes({ type: "response", contentType: "text/html", block: "<p>B</p>" }),
      recordBytes({ type: "response", contentType: "application/rtsp", block: "<p>C</p>" }),
      wet("Grüße\nan alle\n", "WARC-Identified-Content-Language: deu,eng\r\n"),
      wet(Buffer.from("Gr\xfc\xdfe", "latin1")),
      wet(""),
      wet("x".repeat(100_001)),
      recordBytes({ type: "conversion", contentType: "application/pdf", block: "x" }),
    ]);
    const outcomes = await readAll(bytes);
    expect(outcomes.map((outcome) => (outcome.ok ? outcome.value.content : outcome.reason))).toMatchObject([
      { kind: "bytes", format: "html", contentType: "text/html" },
      "unsupported-type",
      { kind: "bytes", format: "html" },
      "unsupported-type",
      { kind: "text", text: "Grüße\nan alle\n" },
      { kind: "bytes", format: "text" },
      "empty",
      "too-large",
      "unsupported-type",
    ]);
    expect(outcomes[4]).toMatchObject({
      value: {
        lang: "de",
        carried: `{"WARC-Date":"2024-05-02T10:00:00Z","WARC-Identified-Content-Language":"deu,eng"}`,
      },
    });
  });

  it("does not take text that other programs extracted for a file of another kind", async () => {
    const of = (type: string) => (block: string | Uint8Array) =>
      recordBytes({ type, contentType: "text/plain", block });
    const texts = ["%PDF-1 is how a PDF begins.", "PAR1\tthe first part"];
    expect(await readAll(packEach(texts.map(of("conversion"))))).toMatchObject(
      texts.map((text) => ({ value: { content: { kind: "text", text } } })),
    );
    const binary = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj", "latin1");
    const refused = [of("conversion")(binary), of("conversion")("\x01\x02ab"), ...texts.map(of("resource"))];
    expect((await readAll(packEach(refused))).map((outcome) => !outcome.ok && outcome.reason)).toEqual(
      Array(4).fill("binary"),
    );
  });

  it("rejects by status, by type, and for a record that was split into segments", async () => {
    const records = [
      answer("<p>Gone</p>", "Content-Type: text/html\r\n", "404 Not Found"),
      answer("", "Location: /there\r\n", "301 Moved"),
      answer("<p>Later</p>", "", "503 Busy"),
      answer("{}", "Content-Type: application/json\r\n"),
      answer("<a/>", "Content-Type: application/xml\r\n"),
      answer("", "Content-Type: text/html\r\n"),
      answer("%PDF-1.4", ""),
      Buffer.from("<p>No header</p>"),
      Buffer.alloc(0),
    ].map((block) => recordBytes({ block }));
    const segment = recordBytes({ block: answer("<p>A</p>"), more: "WARC-Segment-Number: 1\r\n" });
    const outcomes = await readAll(packEach([...records, segment]));
    expect(
      outcomes.map((outcome) => (outcome.ok ? "" : `${outcome.reason}: ${outcome.detail ?? ""}`)),
    ).toEqual([
      "http-status: archived HTTP 404",
      "http-status: archived HTTP 301",
      "http-status: archived HTTP 503",
      "unsupported-type: application/json",
      "unsupported-type: application/xml that is not XHTML",
      "empty: no bytes",
      "binary: PDF",
      "bad-record: no HTTP header in an archived answer",
      "empty: no bytes",
      "bad-record: one segment of a record that was split",
    ]);
  });

  it("reads any records, packed and split in any way", async () => {
    const record = fc.tuple(
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 0, max: 3000 }),
      fc.boolean(),
    );
    const shape = fc.record({
      records: fc.array(record, { minLength: 1, maxLength: 8 }),
      packing: fc.constantFrom(0, 1, 2, 50, 700),
      size: fc.integer({ min: 1, max: 5000 }),
    });
    await fc.assert(
      fc.asyncProperty(shape, async ({ records, packing, size }) => {
        const all = records.map(([number, length, hasDigest]) => pageRecord(number, length, { hasDigest }));
        const packs = [packings.plain, packWhole, packEach];
        const bytes = packs[packing]?.(all) ?? packBlocks(all, packing);
        expect(outline(await readAll(bytes, { size }))).toEqual(records.map(([number]) => number));
      }),
      { numRuns: 60 },
    );
  });
});
