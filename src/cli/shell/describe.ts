/** Reads commands and options from the definition of the command line, for completion and the manual. */
import type { Argument, Command, Option } from "commander";
import { FILTER_NAMES } from "../../filter/registry.js";

/** The kind of value that follows an option or a command. */
export type Value =
  | { readonly kind: "none" }
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  | { readonly kind: "path" }
  /** A step of the command, then a path. */
  | { readonly kind: "steps"; readonly names: readonly string[] }
  | { readonly kind: "text" };

export interface OptionFacts {
  /** Names with dashes; the short one, if any, comes first. */
  readonly names: readonly string[];
  /** As the help shows them: "-o, --output <path>". */
  readonly flags: string;
  readonly says: string;
  /** The default value, as the help shows it. */
  readonly fallback: string | undefined;
  readonly value: Value;
}

export interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The usage line after the name. */
  readonly usage: string;
  readonly options: readonly OptionFacts[];
  readonly argument: Value;
  /** The steps of a command, if it has any; each has its own options. */
  readonly steps: readonly CommandFacts[];
}

/** Arguments and options whose values are files or folders, by their names in the help. */
const PATHS = new Set(["inputs", "gold", "path", "dir", "file", "corpus"]);

/** Values of options that only their own parser knows. */
const OTHER_CHOICES: Readonly<Record<string, readonly string[]>> = { "--filter": FILTER_NAMES };

/** Returns all commands, in the order of the help. */
export function describeCommands(program: Command): CommandFacts[] {
  return program.commands.map((command) => {
    const facts = describeCommand(command);
    const steps = command.commands.map(describeCommand);
    if (steps.length === 0) return facts;
    // The shell does not know which step is typed, so after the command's name it offers the options of all steps.
    const own = [facts, ...steps].flatMap(({ options }) => options);
    const options = [
      ...new Map(own.toReversed().map((option) => [option.names.at(-1), option])).values(),
    ].toReversed();
    const names = steps.map(({ name }) => name);
    return { ...facts, options, argument: { kind: "steps", names }, steps };
  });
}

function describeCommand(command: Command): CommandFacts {
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage: command.usage(),
    options: listOptions(command).map(describeOption),
    argument: describeArgument(command.registeredArguments[0]),
    steps: [],
  };
}

/** Returns the options that the help lists, including `--help`. */
function listOptions(command: Command): Option[] {
  return command.createHelp().visibleOptions(command);
}

function describeOption(option: Option): OptionFacts {
  const { flags, description } = option;
  const value: unknown = option.defaultValue; // commander types it as `any`
  const shown = typeof value === "string" || typeof value === "number" ? `${value}` : undefined;
  const fallback = option.defaultValueDescription ?? shown;
  return {
    names: [option.short, option.long].filter((name) => name !== undefined),
    flags,
    says: description,
    fallback,
    value: describeValue(option),
  };
}

function describeValue({ flags, long, argChoices }: Option): Value {
  const choices = argChoices ?? OTHER_CHOICES[long ?? ""];
  if (choices !== undefined) return { kind: "choices", choices };
  const word = /[<[]([\w-]+)/.exec(flags)?.[1];
  if (word === undefined) return { kind: "none" };
  return { kind: PATHS.has(word) ? "path" : "text" };
}

function describeArgument(argument: Argument | undefined): Value {
  if (argument === undefined) return { kind: "none" };
  if (argument.argChoices !== undefined) return { kind: "choices", choices: argument.argChoices };
  return { kind: PATHS.has(argument.name()) ? "path" : "text" };
}
