/** Makes gold of a notion of content that is not ours: headings are boilerplate, readers' comments are content. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GoldRecord } from "../../../src/acquire/records/gold.js";
import { createThresher } from "../../../src/index.js";
import { readGold } from "../../gold-lines.js";

const PAGES = "fixtures/pages";
export const isHeading = (line: { readonly block?: string }): boolean => /^h[1-6]$/.test(line.block ?? "");
const isComment = (line: { readonly path?: string }): boolean => /comment|reply/i.test(line.path ?? "");

/** Reads the fixtures, each with its own host. */
export async function makeNotion(): Promise<GoldRecord[]> {
  const thresher = await createThresher({ keepBoilerplate: true, workers: 1 });
  const records: GoldRecord[] = [];
  try {
    for (const slug of readdirSync(PAGES).sort()) {
      const known = new Map(readGold(join(PAGES, slug)).map(({ text, label }) => [text, label]));
      const outcome = await thresher.clean({
        bytes: readFileSync(join(PAGES, slug, "source.html")),
        id: slug,
      });
      if (!outcome.ok) continue;
      const lines = (outcome.value.lines ?? []).map(({ text, block, path, linkChars, breakBefore }) => {
        const line = { text, block, path, linkChars, breakBefore };
        const gold = known.get(text);
        const label = isHeading(line)
          ? 0
          : isComment(line)
            ? 1
            : gold === undefined
              ? null
              : gold === "content"
                ? 1
                : 0;
        return { ...line, label } as const;
      });
      records.push({
        id: slug,
        url: `https://${slug}.example/`,
        lang: slug.slice(-2),
        source: "made-up",
        lines,
      });
    }
  } finally {
    await thresher.close();
  }
  return records;
}

/** Shuffles the labels of each document at random among its lines. */
export function shuffleLabels(records: readonly GoldRecord[], random: () => number): GoldRecord[] {
  return records.map((record) => {
    const labels = record.lines.map(({ label }) => label);
    for (let last = labels.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [labels[last], labels[other]] = [labels[other] ?? null, labels[last] ?? null];
    }
    return { ...record, lines: record.lines.map((line, at) => ({ ...line, label: labels[at] ?? null })) };
  });
}

/** Returns the same documents as plain text. */
export function withoutPlaces(records: readonly GoldRecord[]): GoldRecord[] {
  return records.map((record) => ({
    ...record,
    lines: record.lines.map(({ text, label }) => ({ text, label })),
  }));
}

const work = mkdtempSync(join(tmpdir(), "thresher-train-"));

export function place(name: string): string {
  return join(work, name);
}

export function writeGold(name: string, records: readonly unknown[]): string {
  writeFileSync(
    place(name),
    records.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"),
  );
  return place(name);
}
