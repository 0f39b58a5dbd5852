/** Writes the manual page beside the program, as a step of the build. */
import { writeFileSync } from "node:fs";
import { createMessages } from "./io.js";
import { createProgram } from "./main.js";
import { explainClean } from "./clean.js";
import { formatManual } from "./shell/manual.js";

const { stdin, stdout } = process;
const io = { stdin, stdout, stderr: createMessages(process.stderr), signal: new AbortController().signal };
const manual = formatManual(
  createProgram(io, { finish: () => undefined, stop: () => undefined }),
  explainClean(),
);
writeFileSync(new URL("../thresher.1", import.meta.url), manual);
