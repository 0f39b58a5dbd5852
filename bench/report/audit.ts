/** Says in one sentence what of a file of stored outputs does not fit. */
import { formatCount, toOneLine } from "./format.js";
import type { StoredProblems } from "./results.js";

const KINDS = [
  { kind: "missing", says: "documents without an output" },
  { kind: "unknown", says: "outputs for unknown documents" },
  { kind: "repeated", says: "outputs given twice" },
  { kind: "malformed", says: "rows that are no outputs" },
] as const;
const SHOWN = 5;

/** "3 documents without an output (a, b, c); …"; empty where everything fits. */
export function describeAudit({ counts, first }: StoredProblems): string {
  return KINDS.filter(({ kind }) => counts[kind] > 0)
    .map(({ kind, says }) => {
      const named = first[kind].slice(0, SHOWN).map(toOneLine);
      const more = counts[kind] > named.length ? ", …" : "";
      return `${formatCount(counts[kind])} ${says}${named.length > 0 ? ` (${named.join(", ")}${more})` : ""}`;
    })
    .join("; ");
}
