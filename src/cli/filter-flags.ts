/** The options of `clean` that choose whole documents: as the command line offers them, and as the pipeline takes them. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { DEDUP_OPTIONS, FILTER_DEFAULTS, type FilterOptions } from "../filter/options.js";
import { FILTER_NAMES, measures, PRESET_NAMES, type FilterName, type Limits } from "../filter/registry.js";
import { parseBytes, parseCount } from "./parse-option.js";

/** The options as commander hands them over. */
export interface FilterFlags {
  readonly preset: FilterOptions["preset"];
  readonly minWords?: number;
  readonly lang?: readonly string[];
  readonly identifyLang?: boolean;
  readonly filter?: Limits;
  readonly dedup: FilterOptions["dedup"];
  readonly dedupLines?: number;
  readonly dedupMemory: number;
}

export function addFilterFlags(command: Command): Command {
  return command
    .addOption(
      new Option("--preset <name>", "document filters that were published together")
        .choices(PRESET_NAMES)
        .default(FILTER_DEFAULTS.preset),
    )
    .option("--min-words <n>", "words that a document must have", parseCount)
    .option("--lang <codes...>", "languages that a document may be in, told by its text", collectLanguage)
    .option("--identify-lang", "tell the language of a document by its text, in the record too")
    .option("--filter <names...>", "more filters: NAME, or NAME=LIMIT (see below)", collectFilter)
    .addOption(
      new Option("--dedup <which>", "drop copies of documents that came before")
        .choices(DEDUP_OPTIONS)
        .default(FILTER_DEFAULTS.dedup),
    )
    .option("--dedup-lines <n>", "drop lines that stand in n documents before", parseCount)
    .addOption(
      new Option("--dedup-memory <size>", "memory for the index of duplicates; the rest goes to disk")
        .argParser(parseBytes)
        .default(FILTER_DEFAULTS.dedupMemoryBytes, "128M"),
    );
}

export function toFilterOptions(flags: FilterFlags): FilterOptions {
  return {
    preset: flags.preset,
    filters: {
      ...(flags.minWords === undefined ? {} : { "min-words": flags.minWords }),
      ...flags.filter,
    },
    languages: flags.lang ?? [],
    language: flags.identifyLang === true ? "identified" : FILTER_DEFAULTS.language,
    dedup: flags.dedup,
    dedupMemoryBytes: flags.dedupMemory,
    ...(flags.dedupLines === undefined ? {} : { dedupLines: flags.dedupLines }),
  };
}

/** What the help says below the options. */
export function explainFilters(): string {
  const rows = FILTER_NAMES.map((name) => {
    const { says, side, limit } = measures[name];
    return `  ${name.padEnd(29)} ${says}: ${side} ${limit}\n`;
  });
  return `\nFilters for --filter, with the limits that they have by themselves:\n${rows.join("")}`;
}

/** These options take all words up to the next option, so an input behind them would be taken for one of theirs. */
const WHERE_INPUTS_GO = "Inputs go before this option, or behind --.";

/** "sv fi", "sv,fi", or the option twice. */
function collectLanguage(value: string, before: readonly string[] = []): readonly string[] {
  const codes = value.split(",");
  if (!codes.every((code) => /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i.test(code)))
    throw new InvalidArgumentError(`It must be a language code such as sv or pt-BR. ${WHERE_INPUTS_GO}`);
  return [...before, ...codes];
}

function collectFilter(value: string, before: Limits = {}): Limits {
  const [, name = "", limit] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? [];
  if (!isFilterName(name))
    throw new InvalidArgumentError(`There is no such filter; --help lists them. ${WHERE_INPUTS_GO}`);
  if (limit === undefined) return { ...before, [name]: true };
  if (limit.trim() === "" || !(Number(limit) >= 0))
    throw new InvalidArgumentError("The limit must be a number from 0 on, such as 0.1.");
  return { ...before, [name]: Number(limit) };
}

function isFilterName(name: string): name is FilterName {
  return (FILTER_NAMES as readonly string[]).includes(name); // a wider list, so that any name can be looked for
}
