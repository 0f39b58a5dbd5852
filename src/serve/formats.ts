/** Lists the formats of answers, and chooses the one that a request wants. */
import { findWriter, type Form } from "../write/registry.js";
import { Problem } from "./problem.js";

interface Format {
  readonly to: Form["to"];
  /** The media type of an answer. */
  readonly type: string;
}

/** The first format is the default. */
export const FORMATS = {
  json: { to: "jsonl", type: "application/json; charset=utf-8" },
  jsonl: { to: "jsonl", type: "application/x-ndjson; charset=utf-8" },
  text: { to: "text", type: "text/plain; charset=utf-8" },
  markdown: { to: "markdown", type: "text/markdown; charset=utf-8" },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;
/** `Object.keys` of a literal returns exactly the names. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/**
 * `to` is the option; `accepts` chooses from media types by the `Accept` header, and returns false if it accepts no
 * type. Throws the problems `bad-option` and `not-acceptable`.
 */
export function chooseAnswer(
  to: string | undefined,
  accepts: (types: readonly string[]) => string | false,
): FormatName {
  if (to !== undefined) {
    const found = FORMAT_NAMES.find((name) => name === findWriter(to));
    if (found !== undefined) return found;
    throw new Problem("bad-option", `to must be one of ${FORMAT_NAMES.join(", ")}`);
  }
  const types = FORMAT_NAMES.map((name) => FORMATS[name].type.replace(/;.*/, ""));
  const type = accepts(types);
  const found = FORMAT_NAMES.find((_, at) => types[at] === type);
  if (found === undefined) throw new Problem("not-acceptable", types.join(", "));
  return found;
}
