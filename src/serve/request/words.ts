/** Reads the options of a request from its query and its body, where each may be set once. */
import type { Word } from "../options.js";
import { Problem } from "../problem.js";
import { compareTexts } from "../../text-order.js";

/** Options about the page and the answer; all others are cleaning options. */
const OWN = ["id", "url", "from", "to"] as const;
type Own = (typeof OWN)[number];

export interface Wishes {
  readonly own: Readonly<Partial<Record<Own, string>>>;
  /** Sorted by name, so that the same options give the same words. */
  readonly words: readonly Word[];
}

/** Throws the problem `bad-option` if an option is given twice with different values. */
export function readWishes(query: string, body: readonly Word[], isList: (name: string) => boolean): Wishes {
  const inQuery = [...new URLSearchParams(query)].map(([name, value]): Word => [name, value]);
  const said = new Map<string, { readonly where: string; readonly values: (string | undefined)[] }>();
  for (const [where, words] of [
    ["query", inQuery],
    ["body", body],
  ] as const)
    for (const [name, value] of words) {
      const before = said.get(name);
      if (before === undefined) said.set(name, { where, values: [value] });
      else if (isList(name) && before.where === where) before.values.push(value);
      else if (before.values.length !== 1 || before.values[0] !== value)
        throw new Problem("bad-option", `${name} is given twice, with different values`);
    }
  // "no-metadata" is another way to set "metadata".
  for (const [name, { values }] of said)
    if (name.startsWith("no-") && values[0] !== "false" && said.has(name.slice(3)))
      throw new Problem("bad-option", `${name.slice(3)} and ${name} are both given`);
  const own: Partial<Record<Own, string>> = {};
  for (const name of OWN) {
    const [value] = said.get(name)?.values ?? [];
    if (value !== undefined && value !== "") own[name] = value;
    said.delete(name);
  }
  const words = [...said].flatMap(([name, { values }]) => values.map((value): Word => [name, value]));
  return { own, words: words.sort(([one], [other]) => compareTexts(one, other)) };
}
