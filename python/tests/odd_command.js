/** Stands in for a command that misbehaves: says a right version, and then does what the environment variable ODD says. */
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) process.stdout.write("0.1.0\n");
else new Function("lines", "answer", process.env.ODD)(onLine, answer);

/** Calls `work` with each line of stdin. */
function onLine(work) {
  createInterface({ input: process.stdin }).on("line", work);
}

/** A right answer to the page of a line, or to another one. */
function answer(line, id = JSON.parse(line).id) {
  return JSON.stringify({ id, url: "", stage: "acquire", reason: "empty" });
}
