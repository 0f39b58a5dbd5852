/** Defines the cleaning options as command-line flags, from the table of options, and reads them back. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { REGISTER_NAMES, type RegisterName } from "../../filter/registers.js";
import { FILTER_NAMES, measures, type FilterName, type Limits } from "../../filter/registry.js";
import type { Flag, Rule } from "../../options/option-rules.js";
import { DEFAULTS, OPTION_ROWS, type PipelineOptions } from "../../options/options.js";
import {
  parseBytes,
  parseCount,
  parseDecimal,
  parseDuration,
  parseProbability,
  parseWorkers,
  parseByRule,
} from "./parse-option.js";

/** What commander returns: the value of each flag that was given or has a default, by its name in camel case. */
type Flags = Readonly<Record<string, unknown>>;

/** Parses one value of a flag; `before` is what it returned for earlier values, undefined for the first. */
type Reader = (value: string, before: unknown) => unknown;

/** The parser of a flag's value, by what the rule of its option says. */
const READERS: Readonly<Record<Exclude<NonNullable<Rule["reads"]>, "switch">, Reader>> = {
  bytes: parseBytes,
  codes: collectLanguage,
  count: parseCount,
  duration: parseDuration,
  limits: collectFilter,
  probability: parseProbability,
  selectors: collectSelector,
  workers: parseWorkers,
};

/** Adds the flags of one group of the help. */
export function addOptionFlags(command: Command, group: Flag["group"]): Command {
  for (const [, { flag, rule, default: value }] of OPTION_ROWS)
    if (flag?.group === group) {
      command.addOption(describeFlag(flag, rule, value));
      if (flag.negated !== undefined) command.addOption(negate(flag));
    }
  return command;
}

/** Leaves options out of the help that a command still parses, to say why it refuses them. */
export function hideOptions(command: Command, names: RegExp): void {
  for (const option of command.options) if (names.test(option.long ?? "")) option.hideHelp();
}

function describeFlag(flag: Flag, rule: Rule, value: unknown): Option {
  const { reads, choices } = rule;
  const option = new Option(flag.name, flag.says);
  // The help shows no default for a switch or for an empty list.
  if (isSwitch(flag)) return option;
  if (choices !== undefined) option.choices(choices);
  else if (reads === undefined) option.argParser((word) => parseByRule(word, rule));
  if (reads !== undefined && reads !== "switch") option.argParser(READERS[reads]);
  if (value === undefined || typeof value === "object") return option;
  return flag.shown === undefined ? option.default(value) : option.default(value, flag.shown);
}

function negate({ name, negated }: Flag): Option {
  const [word = ""] = name.split(" ");
  return new Option(word.replace("--", "--no-"), `the same as ${word} ${negated ?? ""}`);
}

function isSwitch({ name }: Flag): boolean {
  return !name.includes("<");
}

/** Returns the options that the flags set, with the defaults of all others. */
export function readOptionFlags(flags: Flags): PipelineOptions {
  const options: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, { flag }] of OPTION_ROWS) {
    if (flag === undefined) continue;
    const value = flags[new Option(flag.name).attributeName()];
    if (value === false) options[name] = flag.negated ?? false;
    else if (value !== undefined) options[name] = value === true ? (flag.means ?? true) : value;
  }
  return options as unknown as PipelineOptions; // the reader or the choices of its option checked each value
}

/** Returns the help on filters, which follows the options. */
export function explainFilters(): string {
  const rows = FILTER_NAMES.map((name) => {
    const { says, side, limit } = measures[name];
    return `  ${name.padEnd(29)} ${says}: ${side} ${limit}\n`;
  });
  return `\nFilters for --filter, with their default limits:\n${rows.join("")}  ${"register=NA,IN".padEnd(29)} of one of these registers, for certain\n`;
}

/** Languages may be separated by commas, so users try that with filters, too. */
const NO_COMMAS = " Separate filters by spaces, not commas.";

/** These options take all words up to the next option, so an input after them would be taken as a value. */
const WHERE_INPUTS_GO = "Put inputs before this option, or after --.";

/** Parses "sv fi", "sv,fi", or the option given twice. */
function collectLanguage(value: string, before: unknown): readonly string[] {
  const codes = value.split(",");
  if (!codes.every((code) => /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(code)))
    throw new InvalidArgumentError(`It must be a language code such as sv or pt-BR. ${WHERE_INPUTS_GO}`);
  return [...((before ?? []) as readonly string[]), ...codes]; // its earlier result
}

function collectSelector(value: string, before: unknown): readonly string[] {
  if (value.trim() === "") throw new InvalidArgumentError("It must be a CSS selector.");
  return [...((before ?? []) as readonly string[]), value]; // its earlier result
}

function collectFilter(value: string, before: unknown): Limits {
  const limits = (before ?? {}) as Limits; // its earlier result
  const hint = value.includes(",") ? NO_COMMAS : "";
  const [, name = "", limit] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  if (name === "register")
    return { ...limits, register: [...(limits.register ?? []), ...parseRegisters(limit)] };
  if (!isFilterName(name))
    throw new InvalidArgumentError(`There is no such filter; --help lists them.${hint} ${WHERE_INPUTS_GO}`);
  if (limit === undefined) return { ...limits, [name]: true };
  const number = parseDecimal(limit);
  if (number === undefined)
    throw new InvalidArgumentError(`The limit must be a number of at least 0, such as 0.1.${hint}`);
  return { ...limits, [name]: number };
}

/** Parses names with commas between them, as in "NA,IN". */
function parseRegisters(value: string | undefined): readonly RegisterName[] {
  const names = (value ?? "").split(",");
  const known = REGISTER_NAMES.filter((name) => names.includes(name));
  if (known.length === 0 || known.length !== new Set(names).size)
    throw new InvalidArgumentError(
      `It must name some of the registers ${REGISTER_NAMES.join(", ")}, as in register=NA,IN. ${WHERE_INPUTS_GO}`,
    );
  return known;
}

function isFilterName(name: string): name is FilterName {
  return (FILTER_NAMES as readonly string[]).includes(name); // a wider type, so that any name can be looked up
}
