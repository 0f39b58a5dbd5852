/**
 * Compares three ways to parse a page: how long each takes on whole pages, and how many lines of broken pages come out
 * as they do from the standard's tree.
 * `node dist/bench/lab/speed/parsers.js [--gold DIR]`.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_GOLD_DIR, isCorpusPresent, openCorpus } from "../../corpora/registry.js";
import { countEach, sharedCount } from "../../metrics/words.js";
import type { ParsedPage } from "../../../dist/document/tree.js";
import { loadInternals } from "./parser-internals.js";
import { loadSax } from "./sax-tree.js";
import { formatMs, formatPercent, NONE } from "../../report/format.js";
import { layOut } from "../../report/markdown-table.js";
import { isMain } from "../is-main.js";

export interface NamedParser {
  readonly name: string;
  readonly parse: (html: string) => ParsedPage;
}

/** Lists the parsers; the first one builds the standard's tree, with which the others are compared. */
export async function listParsers(): Promise<readonly NamedParser[]> {
  const { parseHtml, parseQuickly } = await loadInternals();
  const sax = loadSax();
  return [
    { name: "standard tree (parse5)", parse: (html) => parseHtml({ id: "", url: "", html }) },
    { name: "quick tree", parse: (html) => parseQuickly({ id: "", url: "", html }) },
    { name: "htmlparser2, as its events come", parse: sax },
  ];
}

/** Every third end tag is removed, so that the same page is always damaged in the same way. */
const LOST_END_TAG = 3;
const END_TAG = /<\/(?!(?:script|style|title|textarea|noscript|iframe)\b)[a-z][^<>]{0,100}>/gi;

/** Damages a page like careless authors do, by removing a third of its end tags. */
export function damage(html: string): string {
  let count = 0;
  return html.replace(END_TAG, (tag) => {
    count += 1;
    return count % LOST_END_TAG === 0 ? "" : tag;
  });
}

/**
 * Returns the share of lines that two lists have in common, with copies counted: 2 × common ÷ all; 1 when both are
 * empty.
 */
export function agree(pages: readonly (readonly [readonly string[], readonly string[]])[]): number {
  let [common, all] = [0, 0];
  for (const [one, other] of pages) {
    common += 2 * sharedCount(countEach(one), countEach(other));
    all += one.length + other.length;
  }
  return all === 0 ? 1 : common / all;
}

/** Passes over all pages before timing starts, and timed passes. */
const WARM_UP = 3;
const PASSES = 3;

/** Returns the mean CPU milliseconds per page of each parser; the parsers take turns on each page. */
export function timeParsers(parsers: readonly NamedParser[], pages: readonly string[]): number[] {
  const totals = parsers.map(() => 0);
  for (let pass = 0; pass < WARM_UP + PASSES; pass += 1) {
    for (const html of pages) {
      for (const [index, { parse }] of parsers.entries()) {
        const before = process.cpuUsage();
        parse(html);
        const { user, system } = process.cpuUsage(before);
        if (pass >= WARM_UP) totals[index]! += (user + system) / 1000;
      }
    }
  }
  return totals.map((total) => total / (PASSES * pages.length));
}

async function readPages(name: string, goldDir: string): Promise<string[]> {
  if (!(await isCorpusPresent(name, { goldDir }))) return [];
  const pages: string[] = [];
  for await (const { html } of openCorpus(name, { goldDir }).documents())
    if (html !== undefined) pages.push(html);
  return pages;
}

/** Formats a Markdown table. */
export async function compareParsers(goldDir: string): Promise<string> {
  const [fixtures, whole] = [await readPages("fixtures", goldDir), await readPages("speed", goldDir)];
  const parsers = await listParsers();
  const { walkLines } = await loadInternals();
  const times = whole.length === 0 ? undefined : timeParsers(parsers, whole);
  const linesOf = ({ parse }: NamedParser, html: string): string[] =>
    walkLines(parse(html)).map(({ text }) => text);
  const sets = [fixtures, fixtures.map(damage), whole];
  const rows = parsers.map((parser, index) => [
    parser.name,
    formatMs(times?.[index]),
    ...sets.map((pages) => {
      if (pages.length === 0) return NONE;
      const pairs = pages.map((html) => [linesOf(parsers[0]!, html), linesOf(parser, html)] as const);
      return formatPercent(agree(pairs));
    }),
  ]);
  const heads = ["parser", "CPU ms/page", "fixtures", "a third of end tags lost", "whole pages"];
  return `${layOut(heads, rows)}\n`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { gold: { type: "string" } } });
  process.stdout.write(await compareParsers(resolve(values.gold ?? DEFAULT_GOLD_DIR)));
}

if (isMain(import.meta.url)) await main();
