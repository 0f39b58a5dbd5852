import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, pageHtml, recordBytes } from "../acquire/warc/warc-file.js";
import { measure, type Measured } from "./measure.js";
import { parseLines } from "./run.js";

/** Each of two workers may need 300 MB for one page at the caps of the parser; bombs need much less. */
const MOST_MB = 700;
/** `THRESHER_BIG=1000` streams this number of megabytes of one attribute. */
const BIG_MB = Number(process.env["THRESHER_BIG"] ?? 200);
const MB = 1_000_000;

let work = "";
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "thresher-poison-"));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

/** Makes a frame of blocks that each say "this byte 128 KB long" (RFC 8878, 3.1.1.2.2). */
function zstdBomb(blocks: number): Buffer {
  const parts = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];
  for (let block = 1; block <= blocks; block += 1) {
    const header = ((131_072 << 3) | (1 << 1) | (block === blocks ? 1 : 0)) >>> 0;
    parts.push(Buffer.from([header & 0xff, (header >> 8) & 0xff, (header >> 16) & 0xff, 0x61]));
  }
  return Buffer.concat(parts);
}

const html = (body: string | Uint8Array): Buffer => answer(body);
const coded = (coding: string, body: Uint8Array): Buffer =>
  answer(body, `Content-Type: text/html\r\nContent-Encoding: ${coding}\r\n`);

interface Poison {
  readonly block: string | Uint8Array;
  readonly length?: string;
  /** The reason of its reject, or a note of its document; "" for a document without a note. */
  readonly ends: string | RegExp;
}

const POISON: Readonly<Record<string, Poison>> = {
  nesting: { block: html(`${"<div>".repeat(50_000)}<p>So deep`), ends: "depth-capped" },
  "nested lists": { block: html(`${"<ul><li>".repeat(50_000)}So deep`), ends: "depth-capped" },
  formatting: { block: html(`${"<b><a href=x>".repeat(50_000)}So deep`), ends: "depth-capped" },
  "unclosed tables": { block: html(`${"<table><tr><td>".repeat(20_000)}So deep`), ends: "depth-capped" },
  elements: { block: html(`<p>${"<i>x</i> ".repeat(1_000_000)}`), ends: "elements-capped" },
  attributes: { block: html(`<p ${"a=b c ".repeat(500_000)}>x</p>`), ends: "" },
  "less-than": { block: html(`<p>${"<".repeat(5 * MB)}`), ends: "" },
  "broken UTF-8": {
    block: html(Buffer.from("<meta charset=utf-8><p>caf\xff\xfe\xc3 \x80 au lait", "latin1")),
    ends: "",
  },
  "gzip bomb": { block: coded("gzip", gzipSync(Buffer.alloc(300 * MB))), ends: "too-large" },
  "zstd bomb": { block: coded("zstd", zstdBomb(4_000)), ends: /^(?:too-large|no-decoder)$/ },
  "chunk that lies": {
    block: answer("ffffffff\r\n<p>x", "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n"),
    ends: "broken-warc",
  },
  "long length": { block: html("<p>Short"), length: "99999999999", ends: "broken-warc" },
  "short length": { block: html("<p>Short"), length: "50", ends: "broken-warc" },
  "big record": { block: html("a".repeat(40 * MB)), ends: "too-large" },
};
const NAMES = Object.keys(POISON);

/** Writes poison and good pages in turn, each record as its own gzip member or all of them plain. */
function writeArchive(file: string): void {
  const good = (at: number): Buffer =>
    recordBytes({
      id: `good ${at}`,
      block: html(`${pageHtml(at, 2_000)}<p>The end of page ${at}.`),
      hasDigest: true,
    });
  const records = NAMES.flatMap((name, at) => {
    const { block, length } = POISON[name]!;
    return [good(at), recordBytes({ id: name, block, ...(length === undefined ? {} : { length }) })];
  });
  records.push(good(NAMES.length));
  const isPacked = file.endsWith(".gz");
  writeFileSync(file, Buffer.concat(isPacked ? records.map((record) => gzipSync(record)) : records));
}

interface Run extends Measured {
  readonly documents: ReadonlyMap<string, Record<string, unknown>>;
  readonly rejects: ReadonlyMap<string, Record<string, unknown>>;
}

async function clean(...args: readonly string[]): Promise<Run> {
  const [out, rejects] = [join(work, "out.jsonl"), join(work, "rejects.jsonl")];
  const measured = await measure([...args, "-o", out, "--rejects", rejects]);
  const read = (file: string) =>
    new Map(parseLines(readFileSync(file, "utf8")).map((record) => [String(record["id"]), record]));
  return { ...measured, documents: read(out), rejects: read(rejects) };
}

function endOf({ documents, rejects }: Run, id: string): string {
  const document = documents.get(id);
  // Records of our own JSON Lines have these fields.
  if (document === undefined) return (rejects.get(id)?.["reason"] ?? "lost") as string;
  return (document["notes"] as string[]).find((note) => note.endsWith("-capped")) ?? "";
}

describe("an archive full of poisonous pages", { timeout: 300_000 }, () => {
  it.each([
    ["poison.warc.gz", "1"],
    ["poison.warc.gz", "2"],
    ["poison.warc", "2"],
  ])(
    "loses no neighbour of the poison: %s with %s workers, in no more memory than others",
    async (name, workers) => {
      const file = join(work, name);
      if (!existsSync(file)) writeArchive(file);
      const run = await clean(file, "-j", workers, "--labeller", "none", "--timeout", "200s");
      expect(run.code, run.stderr).toBe(0);
      for (let at = 0; at <= NAMES.length; at += 1)
        expect(run.documents.get(`good ${at}`)?.["text"], `good ${at}`).toMatch(
          new RegExp(`The end of page ${at}\\.$`),
        );
      for (const poison of NAMES) {
        const { ends } = POISON[poison]!;
        expect(endOf(run, poison), poison).toMatch(typeof ends === "string" ? new RegExp(`^${ends}$`) : ends);
      }
      expect(run.peakMb).toBeLessThan(MOST_MB);
    },
  );
});

describe("one page that exhausts its resources", { timeout: 300_000 }, () => {
  it("is stopped in time if its extractor is unbounded, and read by one that is bounded", async () => {
    const slow = join(work, "slow.jsonl");
    // Just below the caps of Readability, whose time grows with elements times depth: half a second at least.
    const deep = `${"<div><p>a</p>".repeat(95)}${"<p>word <b>bold</b>, and another one, and so on.</p>".repeat(4_500)}`;
    const pages = ["<p>Before.", deep, "<p>After."].map((page, at) =>
      JSON.stringify({ id: `${at}`, html: page }),
    );
    writeFileSync(slow, pages.join("\n"));
    const readability = [slow, "--extractor", "readability", "--labeller", "none", "-j", "2"];
    const run = await clean(...readability, "--timeout", "150ms");
    const [before, long, after] = ["0", "1", "2"].map((id) => run.documents.get(id) ?? run.rejects.get(id));
    // A busy machine may be too slow for the others as well; the long one is never in time.
    expect(long?.["notes"] ?? [long?.["reason"]]).toContain(
      long?.["text"] === undefined ? "timeout" : "readability-timeout",
    );
    expect(before).toMatchObject(
      before?.["text"] === undefined ? { reason: "timeout" } : { text: "Before." },
    );
    expect(after).toMatchObject(after?.["text"] === undefined ? { reason: "timeout" } : { text: "After." });
    expect(run.peakMb).toBeLessThan(MOST_MB);
  });

  it.each(["body", "readability"])("is cut at the maximum depth of the tree with %s", async (extractor) => {
    const deep = join(work, "deep.html");
    writeFileSync(deep, `<p>Before.${"<div>".repeat(50_000)}So deep${"</div>".repeat(50_000)}<p>After.`);
    const run = await clean(
      deep,
      "fixtures/pages/qa-en/source.html",
      "--extractor",
      extractor,
      "--labeller",
      "none",
    );
    expect(run.code, run.stderr).toBe(0);
    expect(run.documents.get(deep)).toMatchObject({ text: "Before.\n\nSo deep\n\nAfter." });
    expect(run.documents.get(deep)?.["notes"]).toContain("depth-capped");
    expect(run.documents.size).toBe(2);
  });
});

describe("endless input", { timeout: 600_000 }, () => {
  const good = "fixtures/text/*/source.txt";

  it("is rejected in a compressed file, in bounded memory", async () => {
    const pack = (name: string, bytes: Uint8Array): string => {
      const file = join(work, name);
      writeFileSync(file, bytes);
      return file;
    };
    // It has 300 MB in one member, and as much again in a second one.
    const bomb = gzipSync(Buffer.alloc(300 * MB, "a"));
    const files = [
      pack("bomb.html.gz", Buffer.concat([bomb, bomb])),
      pack("bomb.txt.gz", bomb),
      pack("bomb.jsonl.gz", bomb),
      pack("bomb.warc.gz", bomb),
      pack("bomb.html.zst", zstdBomb(8_000)),
      pack("bomb.jsonl.zst", zstdBomb(8_000)),
    ];
    const run = await clean(...files, good, "--labeller", "none");
    expect(run.code, run.stderr).toBe(0);
    expect(files.filter((file) => [...run.rejects.keys()].some((id) => id.startsWith(file)))).toEqual(files);
    expect(run.documents.size).toBeGreaterThan(3);
    expect(run.peakMb).toBeLessThan(MOST_MB);
  });

  it("is rejected if it is one long line of text, or read if such lines are allowed", async () => {
    const file = join(work, "line.txt");
    const out = createWriteStream(file);
    for (let mb = 0; mb < 100; mb += 1) if (!out.write("word and ".repeat(111_112))) await once(out, "drain");
    out.end();
    await once(out, "close");
    const turned = await clean(file, good, "--labeller", "none");
    expect(turned.code).toBe(0);
    expect(turned.rejects.get(file)).toMatchObject({ reason: "too-large" });
    expect(turned.peakMb).toBeLessThan(MOST_MB);
    const read = await clean(file, "--max-bytes", "200M", "--labeller", "none", "--timeout", "60");
    expect(read.code, read.stderr).toBe(0);
    expect(String(read.documents.get(file)?.["text"]).length).toBeGreaterThan(99 * MB);
  });

  it("is not buffered if it is one attribute on stdin", async () => {
    const run = await measure(["-", "--labeller", "none"], attribute(BIG_MB));
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("too-large");
    expect(run.peakMb).toBeLessThan(MOST_MB);
  });

  it("is skipped if it is one attribute in an archive, and the next page is read", async () => {
    const [before, after] = [
      recordBytes({ id: "before", block: html("<p>Before.") }),
      recordBytes({ id: "after", block: html("<p>After.") }),
    ];
    const head = Buffer.from(
      `WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <big>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${BIG_MB * MB}\r\n\r\n`,
    );
    async function* archive(): AsyncGenerator<Uint8Array> {
      yield before;
      yield head;
      yield* attribute(BIG_MB);
      yield Buffer.from("\r\n\r\n");
      yield after;
    }
    const rejects = join(work, "big.jsonl");
    const run = await measure(["-", "--from", "warc", "--labeller", "none", "--rejects", rejects], archive());
    expect(run.code, run.stderr).toBe(0);
    expect(parseLines(run.stdout).map(({ id, text }) => [id, text])).toEqual([
      ["before", "Before."],
      ["after", "After."],
    ]);
    expect(parseLines(readFileSync(rejects, "utf8"))).toMatchObject([{ id: "big", reason: "too-large" }]);
    expect(run.peakMb).toBeLessThan(MOST_MB);
  });
});

/** Yields exactly this number of megabytes. */
async function* attribute(megabytes: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(MB, "a");
  const first = Buffer.from(piece);
  first.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p class="');
  for (let mb = 0; mb < megabytes; mb += 1) yield await Promise.resolve(mb === 0 ? first : piece);
}
