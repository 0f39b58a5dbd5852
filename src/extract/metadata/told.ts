/** Takes for a field of the metadata the first of its sources that can be read, and says which that was. */
import type { LinkedData } from "./json-ld.js";
import { META_NAMES, type Statements } from "./statements.js";

/** What the page states, and its JSON-LD, which is read when something else does not say enough. */
export interface Statement {
  readonly found: Statements;
  readonly linked: () => LinkedData;
  /** The texts of its JSON-LD. */
  readonly scripts: () => readonly string[];
  readonly url: string;
}

/** A value, and where it came from. */
export interface Told<Value = string> {
  readonly value: Value;
  readonly from: string;
}

/** Candidates for a field, with where they are from; those that cost something to read are read when they are asked for. */
export interface Source {
  readonly from: string;
  readonly values: readonly (string | undefined)[] | (() => readonly (string | undefined)[]);
}

export function fromMetas(found: Statements, field: keyof typeof META_NAMES): Source {
  const names = META_NAMES[field];
  const { metas } = found;
  return {
    from: names.find((name) => metas.has(name)) ?? "meta",
    values: names.flatMap((name) => metas.get(name) ?? []),
  };
}

export function fromLinked({ linked }: Statement, field: keyof LinkedData): Source {
  return { from: "json-ld", values: () => linked()[field] };
}

export function valuesOf({ values }: Source): readonly (string | undefined)[] {
  return typeof values === "function" ? values() : values;
}

/** The first value that can be read, of the first source that has one. */
export function firstTold(
  read: (value: string) => string | undefined,
  sources: readonly Source[],
): Told | undefined {
  for (const source of sources) {
    const value = firstDefined(valuesOf(source), read);
    if (value !== undefined) return { value, from: source.from };
  }
  return undefined;
}

function firstDefined(
  values: readonly (string | undefined)[],
  read: (value: string) => string | undefined,
): string | undefined {
  for (const value of values) {
    const result = value === undefined ? undefined : read(value);
    if (result !== undefined) return result;
  }
  return undefined;
}
