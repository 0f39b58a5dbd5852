/**
 * Writes `dist/command/`: the command and the bodies of its processes and threads, each with what it needs of `dist/` in a few
 * files. Node takes a millisecond for every file that it loads, and the command has three hundred. Libraries stay outside.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const FOLDER = join(DIST, "command");

/** What is started by itself, by its name in `dist/command/`. */
const ENTRIES = {
  process: "cli/process.js",
  "process-body": "work/process-body.js",
  "thread-body": "work/thread-body.js",
  "json-thread-body": "serve/json-thread-body.js",
};

/** Paths of the system as URLs have them. */
const toUrlPath = (path) => path.split(sep).join("/");

/** Files that a module names beside itself (models, workers) are looked for from where it was compiled. */
const keepPlaces = {
  name: "keep-places",
  transform(code, id) {
    if (!code.includes("import.meta.url")) return null;
    const own = `new URL(${JSON.stringify(toUrlPath(relative(FOLDER, id)))}, import.meta.url).href`;
    return { code: code.replaceAll("import.meta.url", own), map: null };
  },
};

async function bundle({ rolldown }) {
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(DIST, path)]));
  const made = await rolldown({
    input,
    platform: "node",
    external: (id) => !/^(?:\.|\/|[A-Za-z]:[\\/])/.test(id),
    plugins: [keepPlaces],
    // What one module loads late and another one at once is loaded at once.
    checks: { ineffectiveDynamicImport: false },
  });
  await made.write({ dir: FOLDER, format: "esm", chunkFileNames: "[name]-[hash].js", comments: false });
  await made.close();
}

/** Writes entries that only lead to what was compiled. */
function lead() {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(ENTRIES)) {
    const from = `from "../${path}";\n`;
    const code = `export * ${from}import * as all ${from}export default all.default;\n`;
    writeFileSync(join(FOLDER, `${name}.js`), code);
  }
}

rmSync(FOLDER, { recursive: true, force: true });
// The bundler is native code, which an installation may leave out.
const bundler = await import("rolldown").catch(() => undefined);
if (bundler === undefined) lead();
else await bundle(bundler);
