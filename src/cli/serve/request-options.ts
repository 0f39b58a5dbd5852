/** Parses the options of requests like command-line flags, on top of the flags that the server was started with. */
import { Command, CommanderError, type Option } from "commander";
import { UsageError } from "../../outcome.js";
import type { OptionShape, OrderReader, Word } from "../../serve/options.js";
import { addTextFlags, toForm, toPipelineOptions, type CleanFlags } from "../options/clean-flags.js";
import { addOptionFlags } from "../options/option-flags.js";

/**
 * Options that a request may not set: folders of the server, its workers, and comparisons, because one document has no
 * others to be compared with.
 */
const FOR_THE_SERVER: ReadonlySet<string> = new Set([
  "model",
  "dedup",
  "dedup-lines",
  "dedup-memory",
  "jobs",
]);

export function createOrderReader(serverFlags: CleanFlags): OrderReader {
  const offered = createParser().options.filter((option) => !FOR_THE_SERVER.has(nameOf(option)));
  const byName = new Map(offered.map((option) => [nameOf(option), option]));
  return {
    shapes: offered.map(toShape),
    read(words, to) {
      const given = parse(words.flatMap((word) => toArgument(word, byName)));
      const defaults = switchOff(serverFlags, words, byName);
      const flags = { ...defaults, ...given, to } as CleanFlags; // its reader checked each value
      const form = toForm(flags);
      if (form === undefined) throw new Error(`the format ${to} is not made by cleaners`);
      return { options: toPipelineOptions(flags), form };
    },
  };
}

function createParser(): Command {
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  return addOptionFlags(addTextFlags(new Command("request")), "run")
    .exitOverride()
    .configureOutput(silent);
}

function nameOf({ long }: Option): string {
  return (long ?? "").replace(/^--/, "");
}

function toShape(option: Option): OptionShape {
  const { description, argChoices } = option;
  return {
    name: nameOf(option),
    says: description,
    kind: isSwitch(option) ? "switch" : isList(option) ? "list" : "text",
    ...(argChoices === undefined ? {} : { choices: argChoices }),
  };
}

function isSwitch({ required, optional }: Option): boolean {
  return !required && !optional;
}

/** Checks whether an option may be repeated: variadic options, and selectors. */
function isList(option: Option): boolean {
  return option.variadic || ["keep", "remove"].includes(nameOf(option));
}

/** Removes the switches of the server that a request sets to false. */
function switchOff(
  serverFlags: CleanFlags,
  words: readonly Word[],
  byName: ReadonlyMap<string, Option>,
): Partial<CleanFlags> {
  const off = words.flatMap(([name, value]) => (value === "false" ? (byName.get(name) ?? []) : []));
  const isOff = ([name, value]: readonly [string, unknown]): boolean =>
    off.some((option) => option.attributeName() === name && value === !option.negate);
  return Object.fromEntries(Object.entries(serverFlags).filter((flag) => !isOff(flag)));
}

/** Makes one argument for each option, so that no value is parsed as an option. */
function toArgument([name, value]: Word, byName: ReadonlyMap<string, Option>): readonly string[] {
  const option = byName.get(name);
  if (option === undefined)
    throw new UsageError(`there is no option "${name}"; there are ${[...byName.keys()].sort().join(", ")}`);
  if (!isSwitch(option)) return [`--${name}=${value ?? ""}`];
  if (value === "false") return [];
  if (value === undefined || value === "" || value === "true") return [`--${name}`];
  throw new UsageError(`${name} must be true or false`);
}

/** Returns the values that were given, by the names of the flags, without the defaults of others. */
function parse(args: readonly string[]): Readonly<Record<string, unknown>> {
  const parser = createParser();
  try {
    parser.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(error.message.replace(/^error: /, ""));
  }
  const values: Readonly<Record<string, unknown>> = parser.opts();
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => parser.getOptionValueSource(name) === "cli"),
  );
}
