/** Loads functions of the compiled package that are not part of its public interface. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./root.js";

/** The names to import from each file of `dist/`, by its path without `.js`. */
export type Places<T> = Readonly<Record<string, readonly (keyof T & string)[]>>;

/** Imports all of the named functions into one object. Throws Error if a file no longer exports one of them. */
export async function loadFrom<T>(places: Places<T>): Promise<T> {
  const found: Record<string, unknown> = {};
  for (const [file, names] of Object.entries(places)) {
    const path = pathToFileURL(join(ROOT, "dist", `${file}.js`)).href;
    const module = (await import(path)) as Readonly<Record<string, unknown>>; // a module is an object
    for (const name of names) {
      if (module[name] === undefined) throw new Error(`${file} of the package no longer has ${name}`);
      found[name] = module[name];
    }
  }
  return found as T; // each name was found
}
