import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Document, LabelledLine } from "../../../src/document.js";
import { openGzip } from "../../../src/write/files/gzip.js";
import { formatText } from "../../../src/write/text.js";
import { WET } from "../../../src/write/warc/wet.js";
import { anyDocument } from "../arbitrary.js";
import { document, line } from "../documents.js";
import { findPython, runPython } from "../python.js";
import { createMemorySink, OPTIONS } from "../files/sinks.js";
import { readRecords, type WrittenRecord } from "./written-records.js";

async function write(docs: readonly Document<LabelledLine>[]): Promise<Buffer> {
  const sink = createMemorySink();
  const writer = WET.create(sink, OPTIONS);
  for (const doc of docs) await writer.write(doc);
  await writer.close();
  return sink.bytes();
}

const read = (bytes: Buffer): WrittenRecord[] => readRecords(bytes, "WARC/1.0");

const DOC = document([line("Grön text"), line("線")], { id: "a", url: "https://example.org/" });
const dateOf = async (more: Partial<Document<LabelledLine>>): Promise<string | undefined> =>
  read(await write([document([line("x")], more)]))[1]?.fields["WARC-Date"];

describe("a WET file", () => {
  it("begins with a record that names program and fingerprint, and has a conversion record for each document", async () => {
    const [info, conversion, ...rest] = read(await write([DOC]));
    expect(rest).toEqual([]);
    expect(info?.fields).toMatchObject({
      "WARC-Type": "warcinfo",
      "Content-Type": "application/warc-fields",
    });
    expect(info?.block.toString()).toContain("software: Thresher/1.2.3\r\n");
    expect(info?.block.toString()).toContain("fingerprint: 0123456789abcdef\r\n");
    expect(conversion?.block.toString()).toBe("Grön text\n\n線\n");
    const { "WARC-Record-ID": id, "WARC-Block-Digest": digest, ...fields } = conversion?.fields ?? {};
    expect(id).toMatch(/^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/);
    expect(digest).toMatch(/^sha1:[A-Z2-7]{32}$/);
    expect(fields).toEqual({
      "WARC-Type": "conversion",
      "WARC-Target-URI": "https://example.org/",
      "WARC-Date": "1970-01-01T00:00:00Z",
      "WARC-Warcinfo-ID": info?.fields["WARC-Record-ID"],
      "Content-Type": "text/plain",
      "Content-Length": "16",
    });
  });

  it("is the same for the same input, and derives its ids from the content", async () => {
    const other = document([line("Grön text")], { id: "b" });
    const together = read(await write([DOC, other]));
    expect(await write([DOC, other])).toEqual(await write([DOC, other]));
    expect(together[2]).toEqual(read(await write([other]))[1]);
    const ids = together.map(({ fields }) => fields["WARC-Record-ID"]);
    expect(new Set(ids).size).toBe(3);
  });

  it("refers to the source record of a document", async () => {
    const uuid = "urn:uuid:8f1f2a3b-1111-4222-8333-444455556666";
    for (const id of [uuid, `<${uuid}>`])
      expect(read(await write([document([line("x")], { id })]))[1]?.fields["WARC-Refers-To"]).toBe(
        `<${uuid}>`,
      );
    expect(read(await write([DOC]))[1]?.fields).not.toHaveProperty("WARC-Refers-To");
  });

  it("uses the date of the fetch, then that of the page, then 1970", async () => {
    const meta = { date: "2024-05-02T10:00:00+02:00" };
    expect(await dateOf({ meta })).toBe("2024-05-02T08:00:00Z");
    expect(await dateOf({ meta, carried: `{"date":"2013-05-18T05:48:54Z"}` })).toBe("2013-05-18T05:48:54Z");
    expect(await dateOf({ meta, carried: `{"warc_headers":{"warc-date":"2022-11-26T03:11:49Z"}}` })).toBe(
      "2022-11-26T03:11:49Z",
    );
    for (const carried of [
      `{"ts":"2021-09-24T02:37:11Z"}`,
      `{"date_download":"2021-09-24T02:37:11Z"}`,
      `{"metadata":{"date":"2021-09-24T02:37:11Z"}}`,
      `{"meta":{"timestamp":"2021-09-24T02:37:11Z"}}`,
      `{"meta":{"warc_headers":{"warc-date":"2021-09-24T02:37:11Z"}}}`,
      String.raw`{"meta":"{\"timestamp\":\"2021-09-24T02:37:11Z\"}"}`,
      `{"meta":{"headers":{"warc-date":"2021-09-24T02:37:11Z"}}}`,
      `{"timestamp":"2021/09/24 02:37:11"}`,
    ])
      expect(await dateOf({ carried }), carried).toBe("2021-09-24T02:37:11Z");
    expect(await dateOf({ meta: { date: "2024-05-02" }, carried: `{"date":5,"warc_headers":null}` })).toBe(
      "2024-05-02T00:00:00Z",
    );
    expect(await dateOf({ meta: { date: "2024-05-02T10:15+02:00" } })).toBe("2024-05-02T08:15:00Z");
    expect(await dateOf({ meta: { date: "yesterday" } })).toBe("1970-01-01T00:00:00Z");
  });

  it("keeps date and languages of the original fetch through any number of passes", async () => {
    const header = { "WARC-Date": "2024-01-02T03:04:05Z", "WARC-Identified-Content-Language": "eng,deu" };
    const older = { ...header, "WARC-Date": "2013-05-18T05:48:54Z" };
    const cases = [
      [header, header],
      [{ words: 1, carried: header }, header],
      [{ words: 1, carried: JSON.stringify({ words: 2, carried: JSON.stringify(header) }) }, header],
      [{ ...header, carried: older }, header],
      [{ words: 1, carried: "none" }, { "WARC-Date": "1970-01-01T00:00:00Z" }],
      [
        { warc_headers: { "warc-identified-content-language": "fin" } },
        { "WARC-Identified-Content-Language": "fin" },
      ],
      [{ "WARC-Identified-Content-Language": "a\r\nb" }, { "WARC-Date": "1970-01-01T00:00:00Z" }],
    ] as const;
    for (const [carried, expected] of cases) {
      const doc = document([line("x")], { carried: JSON.stringify(carried) });
      const fields = read(await write([doc]))[1]?.fields;
      expect(fields).toMatchObject(expected);
      if (!("WARC-Identified-Content-Language" in expected))
        expect(fields).not.toHaveProperty("WARC-Identified-Content-Language");
    }
  });

  it("makes a URI for a document without a URL, and encodes line breaks in URIs", async () => {
    const uriOf = async (more: Partial<Document<LabelledLine>>): Promise<string | undefined> =>
      read(await write([document([line("x")], more)]))[1]?.fields["WARC-Target-URI"];
    expect(await uriOf({ id: "in.jsonl:1" })).toBe("urn:x-thresher:in.jsonl:1");
    expect(await uriOf({ url: "http://a/\r\nWARC-Type: response\r\n\r\nü" })).toBe(
      "http://a/%0D%0AWARC-Type:%20response%0D%0A%0D%0Aü",
    );
  });

  it("holds any document", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyDocument, { maxLength: 4 }), async (docs) => {
        const records = read(await write(docs));
        expect(records).toHaveLength(docs.length + 1);
        expect(records.slice(1).map(({ block }) => block)).toEqual(
          docs.map((doc) => Buffer.from(formatText(doc))),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("has one gzip member for each record", async () => {
    const sink = createMemorySink();
    const packed = openGzip(sink, { member: "record" });
    const writer = WET.create(packed, OPTIONS);
    for (const doc of [DOC, DOC]) await writer.write(doc);
    await writer.close();
    await packed.close();
    expect(sink.chunks).toHaveLength(3);
    expect(sink.chunks.flatMap((chunk) => read(gunzipSync(chunk)))).toHaveLength(3);
    expect(gunzipSync(sink.bytes())).toEqual(await write([DOC, DOC]));
  });
});

const python = findPython("warcio");
describe("a WET file in other programs", () => {
  it.skipIf(python === undefined)(
    "gives warcio every text, with correct digests (needs a Python with warcio)",
    async () => {
      const docs = [DOC, document([], { id: "empty" }), ...fc.sample(anyDocument, { numRuns: 100, seed: 5 })];
      const dir = mkdtempSync(join(tmpdir(), "thresher-wet-"));
      const sink = createMemorySink();
      const packed = openGzip(sink, { member: "record" });
      const writer = WET.create(packed, OPTIONS);
      for (const doc of docs) await writer.write(doc);
      await packed.close();
      writeFileSync(join(dir, "a.wet"), await write(docs));
      writeFileSync(join(dir, "a.wet.gz"), sink.bytes());
      const script = `
import base64, json, sys
from warcio.archiveiterator import ArchiveIterator
texts = []
with open(sys.argv[1], "rb") as stream:
    for record in ArchiveIterator(stream, check_digests="raise"):
        if record.rec_type == "conversion":
            texts.append(base64.b64encode(record.content_stream().read()).decode())
print(json.dumps(texts))`;
      for (const name of ["a.wet", "a.wet.gz"])
        expect(runPython(python ?? "", script, [join(dir, name)])).toEqual(
          docs.map((doc) => Buffer.from(formatText(doc)).toString("base64")),
        );
    },
  );
});
