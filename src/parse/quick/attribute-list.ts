/** The attributes of one tag into a list that is asked by name: a map of a few entries is several times its size and cost. */
import type { Attributes } from "../../tree.js";

class AttributeList implements Attributes {
  readonly size: number;

  constructor(
    private readonly entries: readonly string[],
    private readonly from: number,
    private readonly to: number,
  ) {
    this.size = (to - from) >> 1;
  }

  get(name: string): string | undefined {
    const { entries, to } = this;
    for (let at = this.from; at < to; at += 2) if (entries[at] === name) return entries[at + 1];
    return undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *keys(): Generator<string, undefined> {
    for (let at = this.from; at < this.to; at += 2) yield this.entries[at] ?? "";
  }

  *[Symbol.iterator](): Generator<[string, string], undefined> {
    for (const name of this.keys()) yield [name, this.get(name) ?? ""];
  }
}

/** Names and values in turn, no name twice: those at [from, to) of a list that may hold others as well. */
export function listAttributes(
  entries: readonly string[],
  from: number = 0,
  to: number = entries.length,
): Attributes {
  return new AttributeList(entries, from, to);
}

/** Most elements have none, and share this one. */
export const NO_ATTRIBUTES: Attributes = listAttributes([]);

/** Those of the first, and of the second what the first does not have. */
export function joinAttributes(first: Attributes, second: Attributes): Attributes {
  const more = [...second].filter(([name]) => !first.has(name));
  return listAttributes([...first, ...more].flat());
}
