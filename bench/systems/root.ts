/** Finds the root folder of the package, also when this file runs compiled somewhere else: the programs of the systems are not compiled. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "bench", "systems", "serve.js"))) return at;
    if (dirname(at) === at) throw new Error(`no bench/systems/serve.js above ${folder}`);
  }
}
