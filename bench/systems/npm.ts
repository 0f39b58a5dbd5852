/** Runs the rivals written in JavaScript, each in a Node process of its own. */
import { join } from "node:path";
import { createChildSystem } from "./child.js";
import { ROOT } from "./root.js";
import type { System } from "./system.js";

/** In the order of the report. Their versions are pinned in package.json, their options in npm/. */
export const NPM_SYSTEMS = ["readability-js", "defuddle"] as const;

export function createNpmSystem(
  name: string,
  options: { readonly timeoutMs?: number } = {},
): Promise<System> {
  return createChildSystem({
    name,
    takes: "pages",
    command: process.execPath,
    args: [join(ROOT, "bench", "systems", "npm", "serve.js"), name],
    advice: "npm ci installs it",
    ...options,
  });
}
