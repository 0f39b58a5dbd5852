/** Loads modules of the built program, and reads and writes files of JSON lines, for the scripts that need the program's results. */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { createGunzip, createGzip } from "node:zlib";

const ROOT =
  process.env.DIST === undefined
    ? new URL("../../../dist/", import.meta.url)
    : pathToFileURL(`${process.env.DIST}/`);

/** Loads a module by its path in `dist/`, or in another build of the program that DIST names. */
export const built = (path) => import(new URL(path, ROOT).href);

/** Reads the records of a file with one JSON object per line; unpacks it if the name ends in .gz. */
export async function* readRows(path) {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}

/** Writes records, one JSON object per line, as they come; packs the file if its name ends in .gz. */
export async function writeRows(path, records) {
  async function* lines() {
    for await (const record of records) yield `${JSON.stringify(record)}\n`;
  }
  const packing = path.endsWith(".gz") ? [createGzip({ level: 1 })] : [];
  await pipeline(lines, ...packing, createWriteStream(path));
}
