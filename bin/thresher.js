#!/usr/bin/env node
/** The command. In a clone it first installs and builds what is missing; the published package has no setup.js. */
import "./check-node.js";
import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";

// From Node.js 22.8 on, the next start finds what this one compiles: a sixth of its CPU time. It is kept where nobody else can
// put code, as they could where Node.js itself would keep it, in /tmp.
const home = process.env.HOME ?? process.env.USERPROFILE;
if (home !== undefined) module.enableCompileCache?.(join(home, ".cache", "thresher", "compiled"));
const setup = new URL("./setup.js", import.meta.url);
// A run of tests looks once, and not at each of a thousand starts.
if (process.env.THRESHER_IS_SET_UP === undefined && existsSync(setup)) {
  const { setUp } = await import(setup.href);
  setUp();
}
const { runProcess } = await import("../dist/command/process.js");
await runProcess();
