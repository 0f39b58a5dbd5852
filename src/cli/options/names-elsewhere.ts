/** Maps options of other tools (trafilatura, wget, pandoc) to ours, for users who type them out of habit. */
import { findWriter } from "../../write/registry.js";

const CHOICE_OF_FORMAT = "--to FORMAT";

const NAMES_HERE: ReadonlyMap<string, string> = new Map([
  ...["-f", "--format", "--output-format", "-t"].map((flag) => [flag, CHOICE_OF_FORMAT] as const),
  ["--xmltei", "--to tei"],
  ["--precision", "--focus precision"],
  ["--recall", "--focus recall"],
  ["--no-comments", "--comments drop"],
  ["--no-tables", "--remove table"],
  ...["--language", "--languages", "--target-language"].map((flag) => [flag, "--lang CODE"] as const),
  ["--with-metadata", "--to jsonl, whose records have it"],
  ["--output-dir", "-o DIRECTORY"],
  ["-O", "-o PATH"],
  ["-u", "the address alone, without an option"],
  ...["-i", "--input", "--input-file", "--input-dir"].map(
    (flag) => [flag, "the path alone, without an option"] as const,
  ),
]);

/** Returns commander's message, or our option if it complains about an option of another tool. */
export function nameOption(message: string): string {
  const flag = /^error: unknown option '([^'=]+)/.exec(message)?.[1];
  const here = flag === undefined ? undefined : (NAMES_HERE.get(flag) ?? nameFormat(flag));
  if (here === undefined) return message;
  return `error: unknown option '${flag}': use ${here}\n`;
}

/** Handles options that are the name of a format or its file suffix: `--markdown`, `--md`. */
function nameFormat(flag: string): string | undefined {
  const format = flag.startsWith("--") ? findWriter(flag.slice(2)) : undefined;
  return format && `--to ${format}`;
}
