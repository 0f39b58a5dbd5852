/** Describes the problems of a file of stored outputs in one sentence. */
import { formatCount, toOneLine } from "./format.js";
import type { StoredProblems } from "./results.js";

const KINDS = [
  { kind: "missing", one: "document without an output", more: "documents without an output" },
  { kind: "unknown", one: "output for an unknown document", more: "outputs for unknown documents" },
  { kind: "repeated", one: "output given twice", more: "outputs given twice" },
  { kind: "malformed", one: "row that is not an output", more: "rows that are not outputs" },
] as const;
const SHOWN = 5;

/** Returns for example "3 documents without an output (a, b, c); …"; empty if there are no problems. */
export function describeAudit({ counts, first }: StoredProblems): string {
  return KINDS.filter(({ kind }) => counts[kind] > 0)
    .map(({ kind, one, more }) => {
      const says = counts[kind] === 1 ? one : more;
      const named = first[kind].slice(0, SHOWN).map(toOneLine);
      const others = counts[kind] > named.length ? ", …" : "";
      return `${formatCount(counts[kind])} ${says}${named.length > 0 ? ` (${named.join(", ")}${others})` : ""}`;
    })
    .join("; ");
}
