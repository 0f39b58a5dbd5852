/** Reads a JSONL file, gzip or plain, line by line with line numbers, and keeps at most one line in memory. */
import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";

/** The limit for one line, in characters; the longest real lines hold a page of some megabytes. */
const MAX_LINE_CHARS = 128 * 1024 * 1024;

export type JsonlEvent =
  | { readonly kind: "line"; readonly number: number; readonly text: string }
  /** The file ends before its gzip stream does, or a line is too long. All earlier lines have been yielded. */
  | { readonly kind: "broken"; readonly number: number; readonly detail: string };

/** Windows programs write this before the first line. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Yields the lines in order, numbered from 1; blank lines are counted but not yielded. Throws if the file cannot be
 * opened or read, but not if its gzip data is damaged.
 */
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

/** Yields the lines that are not blank. Throws like `readJsonlLines`, and an Error if the file is damaged. */
export async function* readWholeJsonl(file: string): AsyncGenerator<string> {
  for await (const event of readJsonlLines(file)) {
    if (event.kind === "broken") throw new Error(`${file}, line ${event.number}: ${event.detail}`);
    yield event.text;
  }
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

/** Whether the gzip data is damaged, as opposed to a file that cannot be read. */
function isDataError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
