/** The program in a folder of its own, with links to what is installed but for some packages. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Returns the new folder, which is the caller's to remove. */
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
