/** Helps the tests of this room: cuts bytes into chunks and reads sources to their end. */
import type { Source } from "../../src/acquire/source.js";
import type { Page } from "../../src/document.js";
import type { Outcome } from "../../src/outcome.js";
import { collectAll } from "../collect-all.js";

export async function gather(
  source: Source,
  signal = new AbortController().signal,
): Promise<Outcome<Page>[]> {
  return collectAll(source.pages(signal));
}

/** Returns "page" or the reject's reason for each outcome. */
export function summarise(outcomes: readonly Outcome<Page>[]): string[] {
  return outcomes.map((outcome) => (outcome.ok ? "page" : outcome.reason));
}

/** Reads the table of a README that lists the outcomes of each file: "page", reasons, and "page × n". */
export function readOutcomeTable(readme: string): { readonly file: string; readonly outcome: string[] }[] {
  return [...readme.matchAll(/^\| `([^`]+)` \| .* \| ([^|]+) \|$/gm)].map(([, file = "", outcome = ""]) => ({
    file,
    outcome: outcome.split(", ").flatMap((part) => {
      const [what = "", times = "1"] = part.split(" × ");
      return Array<string>(Number(times)).fill(what);
    }),
  }));
}

/** Yields the bytes in chunks of the given size. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) {
    yield bytes.slice(from, from + size);
    if (from % 4096 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
