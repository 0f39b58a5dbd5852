/** Writes labelled documents in each format, and lists what is wrong with the output. */
import type { Piece } from "../../src/acquire/packed/packing.js";
import { readWarcRecords } from "../../src/acquire/warc/warc-records.js";
import type { Document, LabelledLine } from "../../src/document.js";
import { formatText } from "../../src/write/text.js";
import { writers } from "../../src/write/registry.js";
import type { WriterOptions } from "../../src/write/writer.js";
import { createMemorySink, OPTIONS } from "../write/files/sinks.js";
import { checkTei } from "../write/tei-check.js";

type Format = "text" | "markdown" | "jsonl" | "tei" | "wet";
type Doc = Document<LabelledLine>;

async function write(format: Format, docs: readonly Doc[], options: Partial<WriterOptions> = {}) {
  const sink = createMemorySink();
  const writer = writers[format].create(sink, { ...OPTIONS, ...options });
  for (const doc of docs) await writer.write(doc);
  await writer.close();
  return sink;
}

/**
 * Returns what Markdown neither escapes nor adds: letters, in any order, since a title moves to the top. It adds the numbers of ordered
 * lists.
 */
const lettersOf = (text: string): string => Array.from(text.replace(/\P{L}/gu, "")).sort().join("");

/**
 * Returns complaints about a document between two others in each format; there are none if nothing throws,
 * both neighbours are written as without it, and the output can be read.
 */
export async function checkFormats(doc: Doc, [before, after]: readonly [Doc, Doc]): Promise<string[]> {
  const errors: string[] = [];
  const expected = formatText(doc);
  const all = [before, doc, after];
  if (/\p{Surrogate}/u.test(expected)) errors.push("text: half a surrogate pair");

  const text = (await write("text", all)).bytes().toString();
  const parts = all.map(formatText).filter((part) => part !== "");
  if (text !== parts.join("\n")) errors.push("text: not the texts with a blank line between them");

  for (const lines of ["none", "content", "all"] as const) {
    const { chunks } = await write("jsonl", all, { lines });
    const rows = Buffer.concat(chunks).toString().split("\n");
    if (rows.length !== 4 || rows[3] !== "") errors.push(`jsonl: ${rows.length - 1} lines`);
    // JSON escapes only invalid Unicode in this way.
    if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(rows[1] ?? "")) errors.push("jsonl: half a surrogate pair");
    const record = JSON.parse(rows[1] ?? "") as { text: string; lines?: object[] }; // it throws if this is not JSON
    if (record.text !== expected.trimEnd()) errors.push("jsonl: another text");
    if (lines === "all" && record.lines?.length !== doc.lines.length) errors.push("jsonl: lines are missing");
    const alone = (await write("jsonl", [before, after], { lines })).bytes().toString();
    if (`${rows[0] ?? ""}\n${rows[2] ?? ""}\n` !== alone) errors.push("jsonl: a neighbour is another");
    const tei = (await write("tei", all, { lines })).bytes().toString();
    errors.push(...checkTei(tei).map((error) => `tei, lines ${lines}: ${error}`));
  }

  for (const links of ["drop", "keep"] as const) {
    const markdown = (await write("markdown", [doc], { links })).bytes().toString();
    if (/\p{Surrogate}/u.test(markdown)) errors.push("markdown: half a surrogate pair");
    // The title is added to a page that does not begin with it.
    const titled = [expected, `${doc.meta.title ?? ""}${expected}`];
    if (links === "drop" && !titled.map(lettersOf).includes(lettersOf(markdown)))
      errors.push("markdown: another text");
  }
  const annotated = (await write("markdown", [doc], { lines: "all" })).bytes().toString();
  if (annotated.split("<!-- ").length < doc.lines.length) errors.push("markdown: lines without a score");

  const wet = (await write("wet", all)).bytes();
  const blocks: string[] = [];
  for await (const record of readWarcRecords(wholePieces(wet), { maxBlockBytes: 1e7, hasChecksums: false }))
    blocks.push(record.kind === "record" ? String(Buffer.from(record.block ?? [])) : record.detail);
  if (JSON.stringify(blocks.slice(1)) !== JSON.stringify(all.map(formatText)))
    errors.push("wet: its records hold other texts");
  return errors;
}

async function* wholePieces(bytes: Uint8Array): AsyncGenerator<Piece> {
  yield await Promise.resolve({ kind: "bytes" as const, bytes, isWhole: false });
}
