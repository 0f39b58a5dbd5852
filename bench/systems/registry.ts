/** Finds systems by name: our own, the rivals, and files of stored outputs. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { CreateOptions, System } from "./system.js";
import { UnknownSystem, type UnknownName } from "./errors.js";
import { createNpmSystem, NPM_SUBJECTS, NPM_SYSTEMS } from "./npm.js";
import { createOurSystem, OUR_PREFIX, OUR_SYSTEMS, parseCombination } from "./ours.js";
import { createPythonSystem, PYTHON_SUBJECTS, PYTHON_SYSTEMS } from "./python.js";
import { createPageSource, createRawSystem } from "./raw.js";
import { createStoredSystem, isStoredPath, nameStored } from "./stored.js";
import type { Subject } from "./subject.js";

export interface SystemEntry {
  readonly name: string;
  readonly group: "ours" | "rival" | "stored";
  /** The kinds of documents it takes, known before it starts. */
  readonly takes: System["takes"];
  /** Starts the system. Throws SystemUnavailable if it cannot run on this machine. */
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

/** Every system with its own name, in the order of the report; `all` means these. */
export const SYSTEMS: readonly SystemEntry[] = [raw, ...ours, ...python, ...npm];

/**
 * Returns the named systems for a subject. For structure and metadata these are the package with its defaults, rivals,
 * and for structure `raw`.
 */
function listSystems(subject: Subject): readonly SystemEntry[] {
  if (subject === "lines") return SYSTEMS;
  const rivals = [
    ...namesOf(PYTHON_SUBJECTS, subject).map((name) => [name, createPythonSystem] as const),
    ...namesOf(NPM_SUBJECTS, subject).map((name) => [name, createNpmSystem] as const),
  ];
  return [
    ...(subject === "structure"
      ? [{ name: "raw", group: "ours", takes: "pages", create: createPageSource } satisfies SystemEntry]
      : []),
    ourEntry("page", "pages", subject),
    ...rivals.map(([name, create]): SystemEntry => ({
      name,
      group: "rival",
      takes: "pages",
      create: (options) => create(name, { ...options, subject }),
    })),
  ];
}

function namesOf(subjects: Readonly<Record<string, readonly Subject[]>>, subject: Subject): string[] {
  return Object.keys(subjects).filter((name) => subjects[name]?.includes(subject) === true);
}

function ourEntry(name: string, takes: System["takes"], subject: Subject): SystemEntry {
  return { name, group: "ours", takes, create: (options) => createOurSystem(name, { ...options, subject }) };
}

/**
 * Returns the systems for a list of names, each once, in the order given. A name is `all`, a system name,
 * `ours:extractor=…,labeller=…`, a JSONL file of stored outputs, or a folder of such files (files with the same name,
 * in several folders, are one system). For structure and metadata there are fewer names, and no files. Throws
 * UnknownSystem for any other name, and for a file with the name of another system in the list, because a report could
 * not distinguish the two.
 */
export function findSystems(names: readonly string[], measured: Subject = "lines"): SystemEntry[] {
  // Torn units are measured on the text alone, which is what systems return for lines.
  const subject = measured === "units" ? "lines" : measured;
  const found = new Map<string, SystemEntry>();
  const stored = new Map<string, string[]>();
  const running = new Set<string>();
  for (const name of names) {
    const named = findNamed(name, subject);
    for (const entry of named) {
      running.add(entry.name);
      found.set(entry.name, entry);
    }
    const files = named.length > 0 || subject !== "lines" ? [] : listStored(name);
    if (named.length === 0 && files.length === 0) throw unknown(name, subject);
    for (const path of files) {
      const key = nameStored(path);
      const paths = stored.get(key) ?? [];
      stored.set(key, paths);
      if (!paths.includes(path)) paths.push(path);
      found.set(key, describeStored(key, paths));
    }
  }
  for (const [name, [path = name]] of stored) if (running.has(name)) throw namesake(name, path);
  return [...found.values()];
}

function namesake(name: string, path: string): UnknownSystem {
  return new UnknownSystem(
    `${path} would be called ${name}, but another system of this run has that name: give the file another name`,
  );
}

/** Returns the systems with this name; empty if the name may still be a file or folder. */
function findNamed(name: string, subject: Subject): readonly SystemEntry[] {
  const systems = listSystems(subject);
  if (name === "all") return systems;
  if (name.startsWith(OUR_PREFIX)) {
    parseCombination(name);
    return [ourEntry(name, "both", subject)];
  }
  return systems.filter((known) => known.name === name);
}

function unknown(name: string, subject: Subject): UnknownSystem {
  const known = listSystems(subject).map((system) => system.name);
  const names = known.join(", ");
  const cause: UnknownName = { unknown: name, known };
  if (subject !== "lines")
    return new UnknownSystem(
      `there is no system "${name}" whose ${subject} can be measured; there are all, ${names}, and ${OUR_PREFIX}…`,
      { cause },
    );
  return new UnknownSystem(
    `${isStoredPath(name) ? `there is no file ${name}` : `there is no system "${name}", and no file of stored outputs (.jsonl, .jsonl.gz) or folder of them`}; ` +
      `there are all, ${names}, and ${OUR_PREFIX}extractor=…,labeller=…,model=…,focus=…,threshold=…,condition=…,comments=…`,
    { cause },
  );
}

function describeStored(name: string, paths: readonly string[]): SystemEntry {
  return { name, group: "stored", takes: "both", create: () => createStoredSystem(name, paths) };
}

/**
 * Returns the files of stored outputs for a name: the file itself, or all files in the folder; empty if it is neither.
 */
function listStored(name: string): string[] {
  const found = statSync(name, { throwIfNoEntry: false });
  if (found !== undefined && isStoredPath(name) && !found.isDirectory()) return [name];
  if (found?.isDirectory() !== true) return [];
  return readdirSync(name, { recursive: true, encoding: "utf8" })
    .filter(isStoredPath)
    .sort()
    .map((file) => join(name, file));
}
