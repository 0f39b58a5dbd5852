/** Reads one document again from the offset of its record. */
import { readScored } from "../../acquire/records/scored-record.js";
import type { Document, LabelledLine } from "../../document.js";
import { parseFields, toText } from "../../json.js";
import type { Entry } from "./entry.js";
import { readPlace } from "./index-records.js";
import { Refusal } from "../web/refusal.js";

/** The field with the decoded source of a page; spans are offsets into it. */
export const SOURCE_FIELD = "html";

export interface StoredDocument {
  readonly document: Document<LabelledLine>;
  /** The decoded page, if it is available. */
  readonly html?: string;
}

/** Throws Refusal if the input has changed since it was read. */
export async function readStored({ id, url, place }: Entry): Promise<StoredDocument> {
  const text = await readPlace(place.path, place.start, place.length).catch(() => undefined);
  const record = parseFields(text) ?? {};
  const scored = typeof record["id"] !== "string" || record["id"] === id ? readScored(record) : undefined;
  if (scored === undefined)
    throw new Refusal(409, `${place.path} has changed since it was read; restart the inspector`);
  const html = toText(record[SOURCE_FIELD]);
  return { document: { id, url, ...scored }, ...(html === undefined ? {} : { html }) };
}

/** Number of recent documents in memory, because the page, text and cuts of a document are requested one by one. */
const REMEMBERED = 3;

/** Returns a `readStored` that caches the last `REMEMBERED` documents. */
export function createStoredReader(): (entry: Entry) => Promise<StoredDocument> {
  const known = new Map<Entry, Promise<StoredDocument>>();
  return (entry) => {
    const before = known.get(entry);
    if (before !== undefined) return before;
    const reading = readStored(entry);
    known.set(entry, reading);
    reading.catch(() => known.delete(entry)); // the caller gets the error
    const [oldest] = known.keys();
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    return reading;
  };
}
