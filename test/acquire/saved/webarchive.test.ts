import { describe, expect, it } from "vitest";
import { toPage } from "../../../src/acquire/page-bytes.js";
import { readWebArchive } from "../../../src/acquire/saved/webarchive.js";
import { createThresher } from "../../../src/index.js";
import { utf8 } from "../gather.js";

const PAGE = `<html><head><title>Käse</title></head><body><main><h1>Käse</h1>
<p>A wheel ripens for 24 months, and the rind is brushed each week; that is why it tastes of nuts.</p></main></body></html>`;

type Value = string | Uint8Array | readonly (readonly [string, Value])[];

/** Makes a number of four bytes, as lengths, references and offsets need it. */
function long(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

function mark(kind: number, length: number): Buffer {
  if (length < 15) return Buffer.from([(kind << 4) | length]);
  return Buffer.concat([Buffer.from([(kind << 4) | 0xf, 0x12]), long(length)]);
}

/** Writes a binary property list in Apple's format, with references and offsets of four bytes. */
function writeList(root: Value): Buffer {
  const values: Buffer[] = [];
  const add = (value: Value): number => {
    const place = values.push(Buffer.alloc(0)) - 1;
    values[place] = encode(value, add);
    return place;
  };
  add(root);
  const offsets: number[] = [];
  let at = 8;
  for (const value of values) {
    offsets.push(at);
    at += value.length;
  }
  const trailer = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 0, 0, 4, 4]),
    ...[values.length, 0, at].flatMap((number) => [long(0), long(number)]),
  ]);
  return Buffer.concat([Buffer.from("bplist00"), ...values, ...offsets.map(long), trailer]);
}

function encode(value: Value, add: (value: Value) => number): Buffer {
  if (typeof value === "string") {
    if (/^[\0-\x7f]*$/.test(value)) return Buffer.concat([mark(5, value.length), Buffer.from(value)]);
    return Buffer.concat([mark(6, value.length), Buffer.from(value, "utf16le").swap16()]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([mark(4, value.length), value]);
  const names = value.map(([name]) => long(add(name)));
  const values = value.map(([, one]) => long(add(one)));
  return Buffer.concat([mark(0xd, value.length), ...names, ...values]);
}

interface Made {
  readonly page?: Uint8Array;
  readonly charset?: string;
  readonly type?: string;
  readonly url?: string;
}

function save({ page = utf8(PAGE), charset = "UTF-8", type = "text/html", url }: Made = {}): Buffer {
  return writeList([
    [
      "WebMainResource",
      [
        ["WebResourceData", page],
        ["WebResourceFrameName", ""],
        ["WebResourceMIMEType", type],
        ["WebResourceTextEncodingName", charset],
        ["WebResourceURL", url ?? "https://example.org/käse"],
      ],
    ],
    ["WebSubresources", [["WebResourceData", utf8("<p>Of another frame")]]],
  ]);
}

describe("a page saved as a web archive", () => {
  it("is extracted alone, with its type and URL", () => {
    const saved = readWebArchive(save());
    expect(Buffer.from(saved?.bytes ?? []).toString()).toBe(PAGE);
    expect(saved?.contentType).toBe('text/html; charset="UTF-8"');
    expect(saved?.url).toBe("https://example.org/käse");
  });

  it("is cleaned like the page itself, in its charset", async () => {
    const thresher = await createThresher({ labeller: "none" });
    const bytes = save({
      page: Buffer.from(PAGE, "latin1"),
      charset: "ISO-8859-1",
      url: "https://a.example/",
    });
    const outcome = await thresher.clean({ bytes });
    await thresher.close();
    expect(outcome).toMatchObject({ ok: true, value: { url: "https://a.example/", title: "Käse" } });
    expect(outcome.ok && outcome.value.text).toMatch(/^Käse\n\nA wheel ripens .* nuts\.$/);
  });

  it("has no URL if it was saved from a file", () => {
    expect(readWebArchive(save({ url: "file:///Users/a/b.html" }))?.url).toBeUndefined();
  });

  it("is reported as binary if the archive holds no page", () => {
    const bytes = save({ type: "application/pdf" });
    expect(readWebArchive(bytes)).toBeUndefined();
    expect(toPage({ id: "a", url: "", format: "html" }, bytes, 1e6)).toMatchObject({
      reason: "binary",
      detail: "binary property list",
    });
  });

  it("does not break the reader, however it is cut off or damaged", () => {
    const bytes = save();
    for (let length = 0; length < bytes.length; length += 1)
      expect(readWebArchive(bytes.subarray(0, length))?.bytes.length ?? 0).toBeLessThanOrEqual(length);
    for (let at = bytes.length - 32; at < bytes.length; at += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at] = 0xff;
      expect(readWebArchive(damaged)?.bytes.length ?? 0).toBeLessThanOrEqual(bytes.length);
    }
  });
});
