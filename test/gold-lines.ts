/** Reads the hand-labelled lines of a fixture. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Label } from "../src/document.js";

export interface GoldLine {
  readonly text: string;
  readonly block: string;
  readonly label: Label;
}

export function readGold(folder: string): GoldLine[] {
  return readFileSync(join(folder, "lines.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as GoldLine);
}
