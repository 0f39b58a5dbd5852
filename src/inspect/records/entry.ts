/** Extracts from a record what the list of documents shows, searches and sorts by. */
import { createHash } from "node:crypto";
import { toFields, type Fields } from "../../json.js";
import { parseUrl } from "../../parse-url.js";
import { countWords } from "../../language/words.js";

/** The position of a record in its file, in bytes. */
export interface Place {
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

export interface Entry {
  readonly key: string;
  readonly id: string;
  readonly url: string;
  readonly host: string;
  readonly title: string;
  readonly lang: string;
  /** The type of a page, or the condition of a text. */
  readonly type: string;
  /** Number of lines with text, of kept lines among them, and of words in all of them. */
  readonly lines: number;
  readonly kept: number;
  readonly words: number;
  readonly doubt: number;
  readonly digest: string;
  readonly place: Place;
}

const MOST_TITLE = 160;

/** Returns undefined if the record has no lines with text and a score from 0 to 1: it could not be read again. */
export function toEntry(record: Fields, key: string, place: Place): Entry | undefined {
  const { id, url, title, lang, lines } = record;
  if (!Array.isArray(lines) || lines.length === 0) return undefined;
  const count = { lines: 0, kept: 0, words: 0, doubt: 0 };
  const hash = createHash("sha256");
  for (const given of lines as readonly unknown[]) {
    const { text, score, label } = toFields(given);
    if (typeof text !== "string" || typeof score !== "number" || score < 0 || score > 1) return undefined;
    hash.update(text).update("\n\0");
    if (text.trim() === "") continue;
    const words = countWords(text);
    count.lines += 1;
    count.words += words;
    count.doubt += words * Math.min(score, 1 - score);
    if (label === "content") count.kept += 1;
  }
  const address = typeof url === "string" ? url : "";
  return {
    ...{ key, id: typeof id === "string" ? id : key, url: address, host: hostOf(address) },
    title: typeof title === "string" ? title.slice(0, MOST_TITLE) : "",
    lang: typeof lang === "string" ? lang : "",
    type: nameOf(record["page"], "type") ?? nameOf(record["condition"], "name") ?? "",
    ...count,
    doubt: count.words === 0 ? 0 : count.doubt / count.words,
    digest: hash.digest("hex").slice(0, 16),
    place,
  };
}

function nameOf(part: unknown, field: string): string | undefined {
  const name = toFields(part)[field];
  return typeof name === "string" ? name : undefined;
}

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? "";
}
