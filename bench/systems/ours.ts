/**
 * Starts this project's own systems: any combination of extractor, labeller, model and cut, by its short or full name.
 */
import { join } from "node:path";
import { createChildSystem } from "./child.js";
import { UnknownSystem } from "./errors.js";
import { ROOT } from "./root.js";
import type { CreateOptions, System } from "./system.js";

/**
 * The settings of a combination, as written in its name. The package itself checks their values, except the threshold.
 */
const SETTINGS = ["extractor", "labeller", "model", "focus", "threshold", "condition", "comments"] as const;
export type Setting = (typeof SETTINGS)[number];
export type Settings = Readonly<Partial<Record<Setting, string>>>;

interface Condition {
  readonly takes: System["takes"];
  readonly settings: Settings;
}

/**
 * The conditions that have a short name, in the order of the report. Each names its labeller, so that none changes when
 * the package's default changes; at present the default is `page`. A labeller without an extractor works on lines of
 * text.
 */
export const OUR_SYSTEMS = {
  body: { takes: "pages", settings: { extractor: "body", labeller: "none" } },
  readability: { takes: "pages", settings: { extractor: "readability", labeller: "none" } },
  page: { takes: "pages", settings: { extractor: "page", labeller: "page" } },
  "body+rules": { takes: "pages", settings: { extractor: "body", labeller: "rules" } },
  "readability+rules": { takes: "pages", settings: { extractor: "readability", labeller: "rules" } },
  "body+text": { takes: "pages", settings: { extractor: "body", labeller: "text" } },
  "readability+text": { takes: "pages", settings: { extractor: "readability", labeller: "text" } },
  "readability+page": { takes: "pages", settings: { extractor: "readability", labeller: "page" } },
  // Systems from papers, applied to our lines: they take pages as well as texts.
  "justext-ours": { takes: "both", settings: { extractor: "page", labeller: "justext" } },
  fasttext: { takes: "both", settings: { extractor: "page", labeller: "fasttext" } },
  texrex: { takes: "both", settings: { extractor: "page", labeller: "texrex" } },
  // The repository has no weights for these; models/train/train_transformer.sh makes both folders.
  transformer: {
    takes: "both",
    settings: { extractor: "page", labeller: "transformer", model: "models/transformer" },
  },
  "transformer-bag": {
    takes: "both",
    settings: { extractor: "page", labeller: "transformer", model: "models/transformer-bag" },
  },
  // These two read the tags around lines, so they take only pages.
  boilernet: {
    takes: "pages",
    settings: { extractor: "page", labeller: "boilernet", model: "models/boilernet-1" },
  },
  multiboilernet: {
    takes: "pages",
    settings: { extractor: "page", labeller: "boilernet", model: "models/multiboilernet-1" },
  },
  none: { takes: "lines", settings: { labeller: "none" } },
  rules: { takes: "lines", settings: { labeller: "rules" } },
  text: { takes: "lines", settings: { labeller: "text" } },
  // With the condition stated, because each gold set has a single condition.
  "text-raw": { takes: "lines", settings: { labeller: "text", condition: "raw" } },
  "text-crawl": { takes: "lines", settings: { labeller: "text", condition: "crawl" } },
} as const satisfies Record<string, Condition>;

export const OUR_PREFIX = "ours:";

/**
 * Parses `ours:extractor=…,labeller=…,model=…,focus=…,threshold=…,condition=…,comments=…`. Any subset is allowed; the
 * other settings take their defaults. Throws UnknownSystem for anything else.
 */
export function parseCombination(name: string): Settings {
  const settings: Partial<Record<Setting, string>> = {};
  for (const part of name.slice(OUR_PREFIX.length).split(",")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const key = SETTINGS.find((setting) => setting === part.slice(0, equals));
    const value = part.slice(equals + 1);
    if (equals < 0 || key === undefined || value === "") {
      throw new UnknownSystem(`${name}: "${part}" is not one of ${SETTINGS.map((s) => `${s}=…`).join(", ")}`);
    }
    if (settings[key] !== undefined) throw new UnknownSystem(`${name}: ${key} is given twice`);
    settings[key] = value;
  }
  if (settings.threshold !== undefined && !isShare(settings.threshold)) {
    throw new UnknownSystem(`${name}: threshold must be a number from 0 to 1`);
  }
  return settings;
}

/**
 * Starts a combination. Throws UnknownSystem for an unknown name, and SystemUnavailable if the package rejects the
 * settings, for example an unknown labeller or a model that does not fit.
 */
export function createOurSystem(
  name: string,
  { textOnly = false, subject = "lines", ...options }: CreateOptions = {},
): Promise<System> {
  const { takes, settings } = findCondition(name);
  const serve = join(ROOT, "bench", "systems", "ours", "serve.js");
  return createChildSystem({
    name,
    takes,
    command: process.execPath,
    args: [serve, JSON.stringify(settings), subject === "lines" && textOnly ? "text" : subject],
    ...options,
  });
}

function isShare(text: string): boolean {
  const value = Number(text);
  return value >= 0 && value <= 1;
}

/** Returns the settings of one of our own systems; undefined for the name of another system. */
export function findSettings(name: string): Settings | undefined {
  const isOurs = name.startsWith(OUR_PREFIX) || Object.keys(OUR_SYSTEMS).includes(name);
  return isOurs ? findCondition(name).settings : undefined;
}

function findCondition(name: string): Condition {
  if (name.startsWith(OUR_PREFIX)) return { takes: "both", settings: parseCombination(name) };
  const found = Object.entries(OUR_SYSTEMS).find(([known]) => known === name);
  if (found === undefined) throw new UnknownSystem(`no system of ours is called "${name}"`);
  return found[1];
}
