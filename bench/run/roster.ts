/** Starts the systems of a run by their names, and keeps what the results report about each. */
import type { Results, StoredProblems } from "../report/results.js";
import { SystemUnavailable } from "../systems/errors.js";
import type { StoredAudit, StoredSystem } from "../systems/stored.js";
import type { SystemEntry } from "../systems/registry.js";
import type { Corpus } from "../corpora/gold.js";
import type { System } from "../systems/system.js";

const MAX_LISTED = 20;

export interface RosterOptions {
  readonly timeoutMs?: number;
  readonly onUnavailable: (name: string, why: string) => void;
}

export class Roster {
  private readonly describes = new Map<string, string>();
  private readonly failures = new Map<string, string>();
  /** Stored outputs are read once for all corpora, because only then can unused outputs be found. */
  private readonly stored = new Map<string, System>();

  constructor(
    readonly entries: readonly SystemEntry[],
    private readonly options: RosterOptions,
  ) {}

  /** Returns the names of the systems that take documents of this kind. */
  namesFor(unit: Corpus["unit"]): string[] {
    return this.entries.filter(({ takes }) => takes === "both" || takes === unit).map(({ name }) => name);
  }

  /** Starts a system; undefined if it is unknown or not available, which is reported once. */
  async open(name: string): Promise<System | undefined> {
    const entry = this.entries.find((known) => known.name === name);
    if (entry === undefined || this.failures.has(name)) return undefined;
    const known = this.stored.get(name);
    if (known !== undefined) return known;
    try {
      const { timeoutMs } = this.options;
      const system = await entry.create(timeoutMs === undefined ? {} : { timeoutMs });
      this.describes.set(name, system.describe);
      if (isStored(system)) this.stored.set(name, system);
      return system;
    } catch (error) {
      if (!(error instanceof SystemUnavailable)) throw error;
      this.failures.set(name, error.message);
      this.options.onUnavailable(name, error.message);
      return undefined;
    }
  }

  /** Ends a system's process; stored outputs stay open for the next corpus. */
  async release(system: System): Promise<void> {
    if (!isStored(system)) await system.close();
  }

  /** Describes the systems that ran, with the problems of stored outputs. `ids` are all ids of the corpora. */
  describeSystems(ids: ReadonlySet<string>): Results["systems"] {
    return this.entries.flatMap(({ name, group }) => {
      const describe = this.describes.get(name);
      if (describe === undefined) return [];
      const system = this.stored.get(name);
      const audit = system !== undefined && isStored(system) ? cutAudit(system.audit(), ids) : undefined;
      return [{ name, group, describe, ...(audit === undefined ? {} : { audit }) }];
    });
  }

  unavailable(): Results["unavailable"] {
    return [...this.failures].map(([name, why]) => ({ name, why }));
  }
}

export function isStored(system: System): system is StoredSystem {
  return "audit" in system && "has" in system;
}

/** Shortens the lists of an audit. An output for a document outside the sample is not unknown. */
function cutAudit(audit: StoredAudit, ids: ReadonlySet<string>): StoredProblems {
  const unknown = audit.unknown.filter((id) => !ids.has(id));
  const all = { ...audit, unknown };
  const each = <T>(of: (list: readonly string[]) => T): Record<keyof StoredAudit, T> => ({
    missing: of(all.missing),
    unknown: of(all.unknown),
    repeated: of(all.repeated),
    malformed: of(all.malformed),
  });
  return { counts: each(({ length }) => length), first: each((list) => list.slice(0, MAX_LISTED)) };
}
