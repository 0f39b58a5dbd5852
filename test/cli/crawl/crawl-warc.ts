/** Makes a WARC for the tests of whole runs: varied pages made from the fixtures, with copies, other records and damage. */
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { answer, recordBytes } from "../../acquire/warc/warc-file.js";

const FOLDER = "fixtures/pages";

/** Numbers that look random and are the same each time. */
export function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** A page that takes long, so that a run with it at the end can be stopped before it ends, on any machine. */
function makeLongPage(paragraphs: number): string {
  return `<article>${"<p>One more long day at the mill, and nobody had asked the miller what he thought of it.</p>\n".repeat(paragraphs)}</article>`;
}

/**
 * Writes one gzip member per record, as crawlers do. Of ten pages, about one is a copy, and one is not a page; the
 * last one takes longer than a hundred others.
 */
export function makeCrawl(pages: number): Buffer {
  const dice = createDice(7);
  const sources = readdirSync(FOLDER)
    .sort()
    .map((slug) => readFileSync(`${FOLDER}/${slug}/source.html`, "latin1"));
  const records: Buffer[] = [recordBytes({ type: "warcinfo", block: "software: test\r\n" })];
  for (let number = 0; number < pages - 1; number += 1) {
    const url = `https://example.org/${number}`;
    const id = `urn:uuid:${number}`;
    records.push(
      gzipSync(recordBytes({ type: "request", id: `${id}-r`, url, block: "GET / HTTP/1.1\r\n\r\n" })),
    );
    const kind = Math.floor(dice() * 10);
    const source = sources[Math.floor(dice() * sources.length)] ?? "";
    // A copy is unchanged; other pages get unique words, so that no two are equal.
    const words = Array.from({ length: 120 }, () => Math.floor(dice() * 1e9).toString(36)).join(" ");
    const html = kind === 0 ? source : source.replace(/<p\b[^>]*>/i, (tag) => `${tag}${number}: ${words}. `);
    const page = recordBytes({ id, url, block: answer(Buffer.from(html, "latin1")), hasDigest: true });
    if (kind === 1) records.push(gzipSync(recordBytes({ id, url, block: answer("x", "", "404 Not Found") })));
    else if (kind === 2 && number % 3 === 0) records.push(gzipSync(page).subarray(0, -30));
    else records.push(gzipSync(page));
  }
  const long = answer(makeLongPage(20_000));
  records.push(gzipSync(recordBytes({ id: "urn:uuid:long", url: "https://example.org/long", block: long })));
  return Buffer.concat(records.map((record, at) => (at === 0 ? gzipSync(record) : record)));
}
