/** Writes the manual page in roff (man(7)), from the commands and options of the command line. */
import type { Command } from "commander";
import { VERSION } from "../../version.js";
import { describeCommands, type CommandFacts, type OptionFacts } from "./describe.js";

/** `explained` is the help text below the options, in sections whose first lines end with a colon. */
export function formatManual(program: Command, explained: string): string {
  const commands = describeCommands(program);
  const [clean, ...others] = commands;
  if (clean === undefined) throw new Error("the program has no command");
  return [
    `.TH THRESHER 1 "" "thresher ${VERSION}" "User Commands"`,
    `.SH NAME\nthresher \\- ${escape(clean.summary.replace(/ \(.*\)$/, ""))}`,
    `.SH SYNOPSIS\n.B thresher\n${escape(`[clean] ${clean.usage}`)}`,
    ...others
      .flatMap(withSteps)
      .map(({ name, usage }) => `.br\n.B thresher ${escape(name)}\n${escape(usage)}`),
    `.SH DESCRIPTION\n${wrap(program.description())}`,
    `.SH OPTIONS\n${formatOptions(clean.options)}`,
    `.TP\n.BR \\-V ", " \\-\\-version\nprint the version`,
    `.SH COMMANDS`,
    ...others.flatMap(withSteps).map(formatCommand),
    `.SH NOTES`,
    formatVerbatim(explained),
    `.SH SEE ALSO\nThe folder docs of the package.`,
  ]
    .join("\n")
    .concat("\n");
}

/** Lists a command and its steps; the options of the steps go into their own sections. */
function withSteps(command: CommandFacts): CommandFacts[] {
  const { name, steps, options } = command;
  const help = options.filter(({ names }) => names.includes("--help"));
  const own = steps.length === 0 ? command : { ...command, options: help };
  return [own, ...steps.map((step) => ({ ...step, name: `${name} ${step.name}` }))];
}

function formatCommand({ name, description, options }: CommandFacts): string {
  return `.SS thresher ${escape(name)}\n${wrap(description)}\n${formatOptions(options)}`;
}

function formatOptions(options: readonly OptionFacts[]): string {
  return options.map(formatOption).join("\n");
}

function formatOption({ flags, says, fallback, value }: OptionFacts): string {
  const told = [
    ...(value.kind === "choices" ? [`one of ${value.choices.join(", ")}`] : []),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return `.TP\n\\fB${escape(flags)}\\fR\n${wrap(told.length === 0 ? says : `${says} (${told.join("; ")})`)}`;
}

/** Formats lines that stay as they are. */
function formatVerbatim(text: string): string {
  return `.nf\n${text
    .trim()
    .split("\n")
    .map((line) => (line === "" ? ".sp" : escape(line)))
    .join("\n")}\n.fi`;
}

/** Wraps paragraphs at `COLUMNS` for readers of the source; the page is filled again in any case. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return escape(lines.join("\n"));
}

/** Leaves room for escaped minus signs, which take two columns. */
const COLUMNS = 66;

/** Escapes backslashes, minus signs, characters that begin a request at a line's start, and non-ASCII characters. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^[.']/gm, "\\&$&")
    .replace(
      /[^\n -~]/gu,
      (character) => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
