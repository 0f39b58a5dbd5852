/** Formats the pieces of a section: tables, lists, and what is said where nothing was measured. */
import { NONE } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { keysAt, textsAt, type SourceName, type Sources } from "./sources.js";
import type { Paper } from "./published.js";

/** Paragraphs, tables and lists with a blank line between them; empty ones are left out. */
export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

export function section(title: string, ...parts: readonly string[]): string {
  return join(`## ${title}`, ...parts);
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? "" : layOut(heads, rows);
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

export function code(command: string): string {
  return `\`${command}\``;
}

/** A figure as its paper prints it, no digit more: .88 */
export function printed(value: number | undefined): string {
  return value === undefined ? NONE : String(value).replace(/^0\./, ".");
}

/** Title, and where in the paper the figures are. */
export function cite({ title, where }: Paper): string {
  return `${title}. Its figures: ${where}.`;
}

/** One clear line for each file of figures that is not there. */
export function tellMissing(sources: Sources, ...names: readonly SourceName[]): string {
  return names
    .filter((name) => sources.files[name] === undefined)
    .map((name) => `**${name}: not measured** (there is no \`bench/results/papers/${name}.json\`).`)
    .join("\n\n");
}

/** What differs in data, splits and recipe: what the file of figures says, and what is said here. */
export function differences(
  sources: Sources,
  name: SourceName | undefined,
  more: readonly string[] = [],
): string {
  const told = name === undefined ? [] : textsAt(sources, name, "differences").map(ended);
  const all = [...more, ...told];
  return all.length === 0 ? "" : join("What differs:", list(all));
}

/** The commands behind a file of figures. */
export function commands(sources: Sources, name: SourceName): string {
  const command = keysAt(sources, name).includes("commands")
    ? textsAt(sources, name, "commands")
    : commandAt(sources, name);
  return command.length === 0
    ? ""
    : join("Made by:", ["```", ...command.map(withoutFolders), "```"].join("\n"));
}

/** Where somebody has the gold is of no use to others. */
function withoutFolders(command: string): string {
  return command.replace(/--gold \S+/g, "--gold DIR");
}

function commandAt(sources: Sources, name: SourceName): string[] {
  const file = sources.files[name];
  if (typeof file !== "object" || file === null || !("command" in file)) return [];
  return typeof file.command === "string" ? [file.command] : [];
}

/** With a full stop, and with tags as code: in Markdown they would be HTML. */
function ended(text: string): string {
  const shown = text.replace(/<(\w+)>/g, "`<$1>`");
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}
