/** What options of other tools (trafilatura, wget, pandoc) are called here, for who writes one out of habit. */

const CHOICE_OF_FORMAT = "--to FORMAT";

const NAMES_HERE: ReadonlyMap<string, string> = new Map([
  ...["-f", "--format", "--output-format", "-t"].map((flag) => [flag, CHOICE_OF_FORMAT] as const),
  ...["text", "markdown", "jsonl", "json", "html", "tei", "xml", "csv", "wet", "parquet"].map(
    (format) => [`--${format}`, `--to ${format}`] as const,
  ),
  ["--txt", "--to text"],
  ["--md", "--to markdown"],
  ["--xmltei", "--to tei"],
  ["--precision", "--focus precision"],
  ["--recall", "--focus recall"],
  ["--no-comments", "--comments drop"],
  ["--no-tables", "--remove table"],
  ["--target-language", "--lang CODE"],
  ["--with-metadata", "--to jsonl, whose records have it"],
  ["--output-dir", "-o DIRECTORY"],
  ["-O", "-o PATH"],
  ["-u", "the address alone, without an option"],
  ...["-i", "--input", "--input-file", "--input-dir"].map(
    (flag) => [flag, "the path alone, without an option"] as const,
  ),
]);

/** The message of the parser of arguments, with the name here where it met an option of another tool. */
export function nameOption(message: string): string {
  const flag = /^error: unknown option '([^'=]+)/.exec(message)?.[1];
  const here = flag === undefined ? undefined : NAMES_HERE.get(flag);
  if (here === undefined) return message;
  return `error: unknown option '${flag}': here it is ${here}\n`;
}
