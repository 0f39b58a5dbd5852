/** Runs the rivals written in JavaScript, each in a Node process of its own. */
import { join } from "node:path";
import { createChildSystem } from "./child.js";
import { ROOT } from "./root.js";
import type { Subject } from "./subject.js";
import type { CreateOptions, System } from "./system.js";

/** In the order of the report. Their versions are pinned in package.json, their options in npm/. */
export const NPM_SYSTEMS = ["readability-js", "defuddle"] as const;

/** What each can be asked for. */
export const NPM_SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  "readability-js": ["lines", "structure", "metadata"],
  defuddle: ["lines", "structure", "metadata"],
  // Two of its packages are fetched from Git, so npm ci does not install it; bench/systems/README.md says what does.
  "mercury-parser": ["structure", "metadata"],
};

export function createNpmSystem(
  name: string,
  { timeoutMs, subject = "lines" }: Pick<CreateOptions, "timeoutMs" | "subject"> = {},
): Promise<System> {
  return createChildSystem({
    name,
    takes: "pages",
    command: process.execPath,
    args: [join(ROOT, "bench", "systems", "npm", "serve.js"), name, subject],
    advice:
      name === "mercury-parser" ? "bench/systems/README.md says how to install it" : "npm ci installs it",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}
