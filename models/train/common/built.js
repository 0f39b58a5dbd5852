/** Loads modules of the built program, and reads files of JSON lines, for the scripts that need what the program computes. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createGunzip } from "node:zlib";

const ROOT =
  process.env.DIST === undefined
    ? new URL("../../../dist/", import.meta.url)
    : pathToFileURL(`${process.env.DIST}/`);

/** A module by its path in `dist/`, or in another build of the program that DIST names. */
export const built = (path) => import(new URL(path, ROOT).href);

/** The records of a file with one JSON object a line; a name that ends in .gz is unpacked. */
export async function* readRows(path) {
  const file = createReadStream(path);
  const input = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}
