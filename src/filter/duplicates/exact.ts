/** Text into digests by which the same text is found again, as a whole and by its lines. */
import { createHash } from "node:crypto";
import { KEY_BYTES } from "./table.js";

/** White space that is more than one space. Most lines have none, and one line may have millions of spaces. */
const ODD_SPACE = /[^\S ]\s*| \s+/g;

/** One Unicode form, one space where there is white space, none around it: what a reader does not see makes no difference. */
function normalise(line: string): string {
  return line.normalize("NFC").replace(ODD_SPACE, " ").trim();
}

/** The digest of a text; undefined where there is none. Case, marks and the order of the lines count. */
export function digestText(lines: readonly string[]): Uint8Array | undefined {
  const text = lines
    .map(normalise)
    .filter((line) => line !== "")
    .join("\n");
  return text === "" ? undefined : digest(text);
}

export function digestLine(line: string): Uint8Array {
  return digest(normalise(line));
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest().subarray(0, KEY_BYTES);
}
