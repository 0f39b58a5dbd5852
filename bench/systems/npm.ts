/** Runs the rivals written in JavaScript, each in its own Node process. */
import { join } from "node:path";
import { createChildSystem } from "./child.js";
import { ROOT } from "./root.js";
import type { Subject } from "./subject.js";
import type { CreateOptions, System } from "./system.js";

/** The systems in the order of the report. Their versions are pinned in package.json, their options are in npm/. */
export const NPM_SYSTEMS = ["readability-js", "defuddle"] as const;

/** The subjects that each system can be measured on. */
export const NPM_SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  "readability-js": ["lines", "structure", "metadata"],
  defuddle: ["lines", "structure", "metadata"],
  // Two of its packages come from Git, so npm ci does not install it; bench/systems/README.md says how to.
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
      name === "mercury-parser"
        ? "bench/systems/README.md says how to install it"
        : "npm ci in a clone, npm install defuddle elsewhere",
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}
