/** A path into a folder that is there, with all folders above it. */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Throws the system's error. Node's own `recursive` never comes back from a place such as `/proc` that takes no folders. */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await isThere(at)); at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder);
    } catch (error) {
      // Somebody else may have made it in the meantime.
      if (!(await isThere(folder))) throw error;
    }
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    // A file or a loop of links stands in the way: making the folder says so.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return dirname(path) === path;
    throw error;
  }
}
