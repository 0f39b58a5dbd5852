/** Loads modules of the built program, and reads files of JSON lines, for the scripts that need the program's results. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createGunzip } from "node:zlib";

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
