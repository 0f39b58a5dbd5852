/**
 * Finds the package's root folder, even if this file runs compiled from elsewhere, because the systems' programs are
 * not compiled.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));
/** The command's program, to run it with this Node.js. */
export const THRESHER = join(ROOT, "bin", "thresher.js");

function findRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "bench", "systems", "serve.js"))) return at;
    if (dirname(at) === at) throw new Error(`no bench/systems/serve.js above ${folder}`);
  }
}
