/** Reads a metadata field from the first of its sources that has a usable value, and records which source that was. */
import { cutAfter } from "../../cut-after.js";
import { normaliseText } from "../lines/text/characters.js";
import type { LinkedData } from "./json-ld.js";
import { addressesIn, MAX_VALUE, META_NAMES, type Statements } from "./statements.js";

/** What the page states. Its JSON-LD is parsed only when it is needed. */
export interface Statement {
  readonly found: Statements;
  readonly linked: () => LinkedData;
  /** The texts of the JSON-LD scripts. */
  readonly scripts: () => readonly string[];
  readonly url: string;
}

/** A page with what its titles and the name of its site are chosen from. */
export interface Page extends Statement {
  readonly headings: readonly string[];
  readonly site: Told | undefined;
  readonly stated: Told | undefined;
}

/** A value, and the name of the source that it came from. */
export interface Told<Value = string> {
  readonly value: Value;
  readonly from: string;
}

/** Candidate values for a field from one source. Values that are expensive to read are given as a function. */
export interface Source {
  readonly from: string;
  readonly values: readonly (string | undefined)[] | (() => readonly (string | undefined)[]);
}

/** The values of the `<meta>` elements for a field, the most reliable name first. */
export function fromMetas({ metas }: Statements, field: keyof typeof META_NAMES): Source {
  const names = META_NAMES[field].filter((name) => metas.has(name));
  return { from: names[0] ?? "meta", values: names.flatMap((name) => metas.get(name) ?? []) };
}

/** The values of a field of JSON-LD, which is parsed only if no earlier source has a usable value. */
export function fromLinked({ linked }: Statement, field: keyof LinkedData): Source {
  return { from: "json-ld", values: () => linked()[field] };
}

/** Returns the values of a source, and computes them if they are given as a function. */
export function valuesOf({ values }: Source): readonly (string | undefined)[] {
  return typeof values === "function" ? values() : values;
}

/** The first value that `read` accepts, in the order of the sources; undefined if it accepts no value. */
export function firstTold(
  read: (value: string) => string | undefined,
  sources: readonly Source[],
): Told | undefined {
  for (const source of sources)
    for (const stated of valuesOf(source)) {
      const value = stated === undefined ? undefined : read(stated);
      if (value !== undefined) return { value, from: source.from };
    }
  return undefined;
}

/** The page's address, or the one that it states itself. */
export function addressOf({ found, url }: Statement): string {
  return url === "" ? (addressesIn(found)[0] ?? "") : url;
}

/** The text of a value on one line, cut after `most` characters; undefined if it is empty. */
export function toText(value: string, most = MAX_VALUE): string | undefined {
  const text = normaliseText(cutAfter(value, most));
  return text === "" ? undefined : text;
}
