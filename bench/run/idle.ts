/** Finds the systems that the user named but that have no score on any corpus, and says why. */
import type { GoldDocument } from "../corpora/gold.js";
import type { CorpusScores, Results } from "../report/results.js";
import { findSystems, type SystemEntry } from "../systems/registry.js";

interface RunFacts {
  readonly scores: readonly CorpusScores[];
  readonly systems: Results["systems"];
  readonly unavailable: Results["unavailable"];
  /** The ids of the corpora's documents. */
  readonly ids: ReadonlySet<GoldDocument["id"]>;
  /** For each system that was not measured because its model trained on a corpus, by name, the reason. */
  readonly seen: ReadonlyMap<string, string>;
}

/**
 * Returns one sentence for each such name. Leaves out systems that were not available, which are reported elsewhere.
 */
export function findIdle(names: readonly string[], facts: RunFacts): string[] {
  const scored = new Set(facts.scores.flatMap(({ systems }) => systems.map(({ system }) => system)));
  const missing = new Set(facts.unavailable.map(({ name }) => name));
  if (facts.scores.length === 0) return [];
  return names.flatMap((name) => {
    const entries = findSystems([name]);
    if (entries.some((entry) => scored.has(entry.name) || missing.has(entry.name))) return [];
    const [first] = entries;
    return first === undefined ? [] : [explain(first, facts)];
  });
}

function explain({ name, group, takes }: SystemEntry, { scores, systems, ids, seen }: RunFacts): string {
  const why = seen.get(name);
  if (why !== undefined) return `${name}: ${why}`;
  const corpora = scores.map(({ corpus }) => corpus).join(", ");
  if (group !== "stored") {
    const units = [...new Set(scores.map(({ unit }) => unit))].join(" and ");
    return `${name}: takes ${takes}, but ${corpora} holds ${units}`;
  }
  const own = systems.find((system) => system.name === name)?.audit?.first.unknown ?? [];
  return `${name}: no output for any document of ${corpora}; ids of the outputs: ${list(own)}; ids of the gold: ${list(ids)}`;
}

/** How many ids of each side are shown. */
const SHOWN = 3;

function list(ids: Iterable<string>): string {
  const shown = [...ids].slice(0, SHOWN).map((id) => JSON.stringify(id));
  return shown.length === 0 ? "none" : shown.join(", ");
}
