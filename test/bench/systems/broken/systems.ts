/** Creates the broken systems for the benchmark. */
import { fileURLToPath } from "node:url";
import { createChildSystem } from "../../../../bench/systems/child.js";
import type { GoldDocument } from "../../../../bench/corpora/gold.js";
import type { System } from "../../../../bench/systems/system.js";

/** Each one's way to handle a page. `refuses` and `falls` do not even start. */
export type Way =
  | "works"
  | "throws"
  | "hangs"
  | "waits"
  | "dies"
  | "leaves"
  | "twice"
  | "other"
  | "prints"
  | "refuses"
  | "falls";

/** By default, only a system that hangs reaches its time limit, however busy the machine is. */
export function createBrokenSystem(way: Way, timeoutMs = 60_000): Promise<System> {
  return createChildSystem({
    name: way,
    takes: "both",
    command: process.execPath,
    args: [fileURLToPath(new URL("serve.js", import.meta.url)), way],
    timeoutMs,
  });
}

export function page(id: string, html: string, rest: Partial<GoldDocument> = {}): GoldDocument {
  return { id, corpus: "test", lang: "en", split: "test", url: "", html, ...rest };
}
