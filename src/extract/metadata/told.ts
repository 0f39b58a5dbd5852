/** Reads a metadata field from the first of its sources that has a usable value, and records which source that was. */
import type { LinkedData } from "./json-ld.js";
import { META_NAMES, type Statements } from "./statements.js";

/** What the page states. Its JSON-LD is parsed only when it is needed. */
export interface Statement {
  readonly found: Statements;
  readonly linked: () => LinkedData;
  /** The texts of the JSON-LD scripts. */
  readonly scripts: () => readonly string[];
  readonly url: string;
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

export function fromMetas({ metas }: Statements, field: keyof typeof META_NAMES): Source {
  const names = META_NAMES[field].filter((name) => metas.has(name));
  return { from: names[0] ?? "meta", values: names.flatMap((name) => metas.get(name) ?? []) };
}

export function fromLinked({ linked }: Statement, field: keyof LinkedData): Source {
  return { from: "json-ld", values: () => linked()[field] };
}

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
