/** Finds the installed version of a package in its package.json, even if the package does not export this file. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** @param {string} name */
export function versionOf(name) {
  let folder = dirname(require.resolve(name));
  while (dirname(folder) !== folder) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (manifest.name === name) return manifest.version;
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
    folder = dirname(folder);
  }
  throw new Error(`no package.json of ${name}`);
}
