/** Copies the program to its own folder, with links to all installed packages except the named ones. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Returns the new folder; the caller removes it. */
export function installWithout(packages: readonly string[]): string {
  const place = mkdtempSync(join(tmpdir(), "without-"));
  mkdirSync(join(place, "bin"));
  mkdirSync(join(place, "node_modules"));
  for (const path of ["dist", "package.json", "bin/check-node.js", "bin/thresher.js"])
    cpSync(path, join(place, path), { recursive: true });
  symlinkSync(resolve("models"), join(place, "models"));
  for (const name of readdirSync("node_modules"))
    if (!name.startsWith(".") && !packages.includes(name))
      symlinkSync(resolve("node_modules", name), join(place, "node_modules", name));
  return place;
}
