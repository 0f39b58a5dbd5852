/** Loads parts of the compiled package that are no part of its public interface. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./root.js";

/** What to take of each file of `dist/`. */
export type Places<T> = Readonly<Record<string, readonly (keyof T & string)[]>>;

/** Throws Error where something is not where it was. */
export async function loadFrom<T>(places: Places<T>): Promise<T> {
  const found: Record<string, unknown> = {};
  for (const [file, names] of Object.entries(places)) {
    const path = pathToFileURL(join(ROOT, "dist", `${file}.js`)).href;
    const module = (await import(path)) as Readonly<Record<string, unknown>>; // a module is an object
    for (const name of names) {
      if (module[name] === undefined) throw new Error(`${file} of the package has no ${name} any more`);
      found[name] = module[name];
    }
  }
  return found as T; // each name was found
}
