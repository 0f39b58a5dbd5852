/** Finds systems by name: ours, the rivals, and files of stored outputs. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CreateOptions, System } from "./system.js";
import { UnknownSystem } from "./errors.js";
import { createNpmSystem, NPM_SYSTEMS } from "./npm.js";
import { createOurSystem, OUR_PREFIX, OUR_SYSTEMS, parseCombination } from "./ours.js";
import { createPythonSystem, PYTHON_SYSTEMS } from "./python.js";
import { createRawSystem } from "./raw.js";
import { createStoredSystem, isStoredPath, nameStored } from "./stored.js";

export interface SystemEntry {
  readonly name: string;
  readonly group: "ours" | "rival" | "stored";
  /** What it can be given, known before it is started. */
  readonly takes: System["takes"];
  /** Starts it. Throws SystemUnavailable when it cannot be had here. */
  create(options?: CreateOptions): Promise<System>;
}

const ours: readonly SystemEntry[] = Object.entries(OUR_SYSTEMS).map(([name, { takes }]) => ({
  name,
  group: "ours",
  takes,
  create: (options) => createOurSystem(name, options),
}));

const python = PYTHON_SYSTEMS.map((name): SystemEntry => ({
  name,
  group: "rival",
  takes: "pages",
  create: (options) => createPythonSystem(name, options),
}));

const npm = NPM_SYSTEMS.map((name): SystemEntry => ({
  name,
  group: "rival",
  takes: "pages",
  create: (options) => createNpmSystem(name, options),
}));

const raw: SystemEntry = { name: "raw", group: "ours", takes: "both", create: createRawSystem };

/** Every system with a name of its own, in the order of the report: what `all` means. */
export const SYSTEMS: readonly SystemEntry[] = [raw, ...ours, ...python, ...npm];

/**
 * The systems that a list of names says, each once, in the order given: `all`, a name, `ours:extractor=…,labeller=…`,
 * a JSONL file of stored outputs, or a folder of such files (files of one name, in several folders, are one system).
 * Throws UnknownSystem for anything else.
 */
export function findSystems(names: readonly string[]): SystemEntry[] {
  const found = new Map<string, SystemEntry>();
  const stored = new Map<string, string[]>();
  for (const name of names) {
    const named = findNamed(name);
    for (const entry of named) found.set(entry.name, entry);
    const files = named.length > 0 ? [] : listStored(name);
    if (named.length === 0 && files.length === 0) throw unknown(name);
    for (const path of files) {
      const key = nameStored(path);
      const paths = stored.get(key) ?? [];
      stored.set(key, paths);
      if (!paths.includes(path)) paths.push(path);
      found.set(key, describeStored(key, paths));
    }
  }
  return [...found.values()];
}

/** None where the name may still be a file's. */
function findNamed(name: string): readonly SystemEntry[] {
  if (name === "all") return SYSTEMS;
  if (name.startsWith(OUR_PREFIX)) {
    parseCombination(name);
    return [{ name, group: "ours", takes: "both", create: (options) => createOurSystem(name, options) }];
  }
  return SYSTEMS.filter((known) => known.name === name);
}

function unknown(name: string): UnknownSystem {
  const names = SYSTEMS.map((known) => known.name).join(", ");
  return new UnknownSystem(
    `${isStoredPath(name) ? `there is no file ${name}` : `there is no system "${name}", and no file of stored outputs (.jsonl, .jsonl.gz) or folder with such`}; ` +
      `there are all, ${names}, and ${OUR_PREFIX}extractor=…,labeller=…,model=…,focus=…,threshold=…,condition=…,comments=…`,
  );
}

function describeStored(name: string, paths: readonly string[]): SystemEntry {
  return { name, group: "stored", takes: "both", create: () => createStoredSystem(name, paths) };
}

/** The files of stored outputs that a name says: itself, or all in a folder; none where it says neither. */
function listStored(name: string): string[] {
  const found = statSync(name, { throwIfNoEntry: false });
  if (found !== undefined && isStoredPath(name) && !found.isDirectory()) return [name];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(name, { recursive: true, encoding: "utf8" })
    .filter(isStoredPath)
    .sort()
    .map((file) => join(name, file));
}
