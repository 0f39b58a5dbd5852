/** Builds `dist/browser/`, and prints its files with their sizes. */
import { fileURLToPath } from "node:url";
import { setUp } from "./setup.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The most gzipped bytes that a page loads. The playground does not count: it has the same code and models again. */
const MOST_BYTES = 3_000_000;

setUp();
const { runnerImport } = await import("vite");
const { module } = await runnerImport(`${ROOT}browser/build/build.ts`, { configFile: false, root: ROOT });
const files = await module.buildBrowser(ROOT);
for (const { name, bytes, gzipped } of files)
  process.stdout.write(`${name}\t${bytes} bytes\t${gzipped} gzipped\n`);
const all = files
  .filter(({ name }) => name !== "playground.html")
  .reduce((sum, { gzipped }) => sum + gzipped, 0);
process.stdout.write(`all but the playground\t\t${all} gzipped\n`);
if (all > MOST_BYTES) {
  process.stderr.write(`thresher: dist/browser/ has more than ${MOST_BYTES} bytes, gzipped\n`);
  process.exitCode = 1;
}
