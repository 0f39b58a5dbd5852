/** Tells whether Node.js runs a file as the program. */
import { pathToFileURL } from "node:url";

/** Returns whether the module with this URL (`import.meta.url`) is the program, and not imported by another file. */
export function isMain(url: string): boolean {
  return process.argv[1] !== undefined && url === pathToFileURL(process.argv[1]).href;
}
