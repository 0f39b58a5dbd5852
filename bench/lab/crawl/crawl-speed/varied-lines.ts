/** Makes a crawl of plain text from gold lines, as JSON Lines or WET, and times the labeller alone on these lines. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { gzipSync } from "node:zlib";
import { timeStages } from "../../../run/profile/cpu-time.js";
import { loadInternals } from "../../speed/text-internals.js";
import { DOCUMENT_LINES, toDocument } from "../../speed/text-speed.js";
import { createDice } from "./dice.js";

/** Records in each gzip member of a JSON Lines file. */
const BLOCK = 50;

/** Yields documents in the order of their sources. Each gets words of its own, as in the next dump of the same site. */
export function* varyLines(
  documents: readonly (readonly string[])[],
  lines: number,
  seed: number,
): Generator<string[]> {
  const count = Math.ceil(lines / DOCUMENT_LINES);
  for (let number = 0; number < count; number += 1) {
    const roll = createDice(seed + number * 31);
    const source = documents[number % documents.length] ?? [];
    yield source.map((line) => (roll(2) === 0 ? line : `${line} ${roll(1_000_000).toString(36)}`));
  }
}

/** Writes a gzipped file, as WET when its name contains ".wet", else as JSON Lines; returns the number of lines. */
export async function writeTexts(file: string, documents: Iterable<readonly string[]>): Promise<number> {
  const out = createWriteStream(file);
  const format = file.includes(".wet") ? toConversion : toJson;
  let lines = 0;
  let number = 0;
  let held: Buffer[] = [];
  const flush = async (): Promise<void> => {
    if (!out.write(gzipSync(Buffer.concat(held)))) await once(out, "drain");
    held = [];
  };
  for (const document of documents) {
    held.push(format(document, number));
    lines += document.length;
    number += 1;
    // Each record of a WET file is a gzip member.
    if (format === toConversion || held.length === BLOCK) await flush();
  }
  if (held.length > 0) await flush();
  out.end();
  await once(out, "close");
  return lines;
}

function toJson(lines: readonly string[], number: number): Buffer {
  return Buffer.from(`${JSON.stringify({ id: String(number), text: lines.join("\n") })}\n`);
}

function toConversion(lines: readonly string[], number: number): Buffer {
  const block = Buffer.from(`${lines.join("\n")}\n`);
  const head = `WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:x:${number}>\r\nWARC-Target-URI: https://site.example/${number}\r\nContent-Type: text/plain\r\nContent-Length: ${block.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), block, Buffer.from("\r\n\r\n")]);
}

/** Passes before timing starts, and timed passes. */
const WARM_UP = 2;
const PASSES = 3;

/** Returns the median CPU microseconds per line for documents that are already split, without writing the labels. */
export async function timeLabeller(documents: readonly (readonly string[])[]): Promise<number> {
  const internals = await loadInternals();
  const labeller = await internals.createTextLabeller({ focus: "balanced" });
  const built = documents.map(toDocument);
  const stages = {
    label: async () => {
      for (const document of built) await labeller.label([document]);
    },
  };
  const { label } = await timeStages(stages, { warmUp: WARM_UP, rounds: PASSES });
  await labeller.close();
  return (label * 1000) / documents.flat().length;
}
