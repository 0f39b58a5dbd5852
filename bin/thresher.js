#!/usr/bin/env node
/**
 * Starts the command. In a clone it first installs and builds what is missing; the published package has no setup.js.
 */
import "./check-node.js";
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";

// From Node.js 22.8 on, the next start reuses the compiled code of this one, which saves a sixth of its CPU time. The
// cache is in the home folder, because other users could write code to /tmp, where Node.js itself would keep it.
const home = process.env.HOME ?? process.env.USERPROFILE;
if (home !== undefined) module.enableCompileCache?.(join(home, ".cache", "thresher", "compiled"));
const setup = new URL("./setup.js", import.meta.url);
// A test run checks this once, not at each of a thousand starts.
if (process.env.THRESHER_IS_SET_UP === undefined && existsSync(setup)) {
  const { setUp } = await import(setup.href);
  setUp();
}
const { runProcess } = await import("../dist/command/process.js");
await runProcess();
