/** Reads a JSONL file, gzip or plain, line by line with line numbers; never more than one line is in memory. */
import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";

/** Characters of one line; the largest real one holds a page of some megabytes. */
const MAX_LINE_CHARS = 128 * 1024 * 1024;

export type JsonlEvent =
  | { readonly kind: "line"; readonly number: number; readonly text: string }
  /** The file ends before its gzip stream does, or a line is too long to be one. What stood before was given. */
  | { readonly kind: "broken"; readonly number: number; readonly detail: string };

/** What programs of Windows put before the first line. */
const BYTE_ORDER_MARK = "\ufeff";

/** Lines in order; empty ones are counted and left out. Throws only if the file cannot be opened. */
export async function* readJsonlLines(file: string): AsyncGenerator<JsonlEvent> {
  const decoder = new StringDecoder("utf8");
  let number = 0;
  let rest: string[] = [];
  let held = 0;
  try {
    for await (const chunk of openBytes(file)) {
      const decoded = decoder.write(chunk);
      const isFirst = number === 0 && held === 0 && decoded.startsWith(BYTE_ORDER_MARK);
      const pieces = (isFirst ? decoded.slice(1) : decoded).split("\n");
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        number += 1;
        const text = rest.join("") + piece;
        [rest, held] = [[], 0];
        if (text.trim() !== "") yield { kind: "line", number, text };
      }
      rest.push(last);
      held += last.length;
      if (held > MAX_LINE_CHARS) {
        yield { kind: "broken", number: number + 1, detail: `line longer than ${MAX_LINE_CHARS} characters` };
        return;
      }
    }
  } catch (error) {
    if (!isDataError(error)) throw error;
    yield { kind: "broken", number: number + 1, detail: error.message };
    return;
  }
  const text = rest.join("") + decoder.end();
  if (text.trim() !== "") yield { kind: "line", number: number + 1, text };
}

async function* openBytes(file: string): AsyncGenerator<Buffer> {
  const raw = createReadStream(file);
  const stream = file.endsWith(".gz") ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => stream.destroy(error));
  try {
    for await (const chunk of stream) yield chunk as Buffer; // neither stream is in object mode or has an encoding
  } finally {
    raw.destroy();
  }
}

/** Damage inside the gzip stream, as against a file that cannot be read. */
function isDataError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
