/** Formats the parts of a section: tables, lists, and the message that a figure was not measured. */
import { NONE } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { keysAt, lookUp, textsAt, type SourceName, type Sources } from "./sources.js";
import type { Paper } from "./published.js";

/** Joins paragraphs, tables and lists with blank lines; leaves out empty ones. */
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

/** Formats a figure as its paper prints it, without further digits: .88 */
export function printed(value: number | undefined): string {
  return value === undefined ? NONE : String(value).replace(/^0\./, ".");
}

/** Names the paper, and where in it the figures are. */
export function cite({ title, where }: Paper): string {
  return `${title}. Its figures: ${where}.`;
}

/** Writes a line for each file of figures that is missing. */
export function tellMissing(sources: Sources, ...names: readonly SourceName[]): string {
  return names
    .filter((name) => sources.files[name] === undefined)
    .map((name) => `**${name}: not measured** (there is no \`bench/results/papers/${name}.json\`).`)
    .join("\n\n");
}

/** Lists what differs in data, splits and training: `more`, then the differences in the file of figures. */
export function differences(sources: Sources, name: SourceName, more: readonly string[] = []): string {
  const all = [...more, ...textsAt(sources, name, "differences").map(ended)];
  return all.length === 0 ? "" : join("What differs:", list(all));
}

/** Shows the commands that made a file of figures. */
export function commands(sources: Sources, name: SourceName): string {
  const command = keysAt(sources, name).includes("commands")
    ? textsAt(sources, name, "commands")
    : commandAt(sources, name);
  return command.length === 0
    ? ""
    : join("Made by:", ["```", ...command.map(withoutFolders), "```"].join("\n"));
}

/** The gold folder of one machine is of no use to other readers. */
function withoutFolders(command: string): string {
  return command.replace(/--gold \S+/g, "--gold DIR");
}

function commandAt(sources: Sources, name: SourceName): string[] {
  const command = lookUp(sources, name, ["command"]);
  return typeof command === "string" ? [command] : [];
}

/** Adds a full stop, and writes tags as code, because Markdown would treat them as HTML. */
function ended(text: string): string {
  const shown = text.replace(/<(\w+)>/g, "`<$1>`");
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}
