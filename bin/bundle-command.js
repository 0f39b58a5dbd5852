/**
 * Writes `dist/command/`: the command and the code of its processes and threads, each with the parts of `dist/` that it
 * needs in a few files. Node.js takes a millisecond to load a file, and the command has three hundred files. Most
 * libraries are not bundled.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const FOLDER = join(DIST, "command");

/** The modules that are started on their own, by their name in `dist/command/`. */
const ENTRIES = {
  process: "cli/process.js",
  "process-body": "work/process/process-body.js",
  "thread-body": "work/thread/thread-body.js",
  "json-thread-body": "serve/request/json-thread-body.js",
};

/**
 * Modules that are loaded together go into one file: first those that every process that cleans pages needs, including
 * those that it always loads later, then the rest of the command. Grouped by which entries share them, they would be
 * sixty files at half a millisecond each.
 */
const TOGETHER = {
  page: [
    "work/process/process-body.js",
    "extract/body.js",
    "parse/quick-tree.js",
    "label/page/page-folder.js",
  ],
  command: ["cli/process.js"],
};

/** Libraries that every start needs are bundled, so that their files need not be loaded one by one. */
const INSIDE =
  /^(?:@exodus\/bytes|@noble\/hashes|chardet|commander|entities|html-encoding-sniffer|lossless-json)(?:\/|$)/;
/** Word lists that are half of a paper's labeller. Few users load them, so they are not copied into the bundle. */
const DATA = "label/papers/justext/stop-words.js";
const OWN = /^(?:\.|\/|[A-Za-z]:[\\/])/;

/** Converts a path of the operating system to a URL path. */
const toUrlPath = (path) => path.split(sep).join("/");

/**
 * Replaces `import.meta.url` by the URL of the compiled module, because modules look for files (models, workers) beside
 * themselves.
 */
const keepPlaces = {
  name: "keep-places",
  transform(code, id) {
    // The bundler's own module has no file.
    if (id.startsWith("\0") || !code.includes("import.meta.url")) return null;
    const own = `new URL(${JSON.stringify(toUrlPath(relative(FOLDER, id)))}, import.meta.url).href`;
    return { code: code.replaceAll("import.meta.url", own), map: null };
  },
};

/** Leaves the tables of East Asian encodings in their library's folder, until a page needs them: they are large. */
const keepTables = {
  name: "keep-tables",
  transform(_code, id) {
    if (!/[\\/]multi-byte\.encodings\.cjs$/.test(id)) return null;
    const code = `const findLibrary = () => require.resolve("@exodus/bytes/encoding.js");
module.exports = () => require(findLibrary().replace(/encoding\\.js$/, "fallback/multi-byte.encodings.json"));`;
    return { code, map: null };
  },
};

/**
 * Returns all modules that these modules import statically, directly or not. Throws an Error when a module is missing.
 */
function findLoaded(files, context) {
  const found = new Set();
  const open = files.map((file) => join(DIST, file));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    const info = context.getModuleInfo(id);
    if (info === null) throw new Error(`${id} is no longer a part of the command`);
    if (info.isExternal) continue;
    found.add(id);
    open.push(...info.importedIds);
  }
  return found;
}

const started = new Set(Object.values(ENTRIES).map((path) => join(DIST, path)));

/**
 * Makes one group of modules for each file, without the modules that are started on their own. A module in the first
 * group is not in the second; the bundler decides about all others.
 */
const groups = Object.entries(TOGETHER).map(([file, modules], at, { length }) => {
  let loaded;
  return {
    debugName: file,
    priority: length - at,
    name(id, context) {
      loaded ??= findLoaded(modules, context);
      return loaded.has(id) && !started.has(id) ? file : null;
    },
  };
});

/** Returns the licences of the libraries that these modules belong to. Throws an Error when a library has none. */
function readLicences(modules) {
  const found = modules.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]);
  const folders = [...new Set(found)].filter((folder) => folder !== undefined).sort();
  const texts = folders.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (licence === undefined) throw new Error(`${name} has no licence file to include`);
    return `${name} ${version}\n\n${readFileSync(join(folder, licence), "utf8").trim()}\n`;
  });
  return `Libraries that are a part of these files:\n\n${texts.join("\n---\n\n")}`;
}

async function bundle({ rolldown }) {
  const input = Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(DIST, path)]));
  const made = await rolldown({
    input,
    platform: "node",
    external: (id) => id === join(DIST, DATA) || (!OWN.test(id) && !INSIDE.test(id)),
    plugins: [keepPlaces, keepTables],
    // A module that is imported dynamically in one place and statically in another is loaded at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await made.write({
    dir: FOLDER,
    format: "esm",
    chunkFileNames: "[name]-[hash].js",
    comments: false,
    // Makes the files smaller to install and to read. Names are kept, because error messages contain them.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: false,
      codegen: { removeWhitespace: true },
    },
    codeSplitting: { groups },
    paths: { [join(DIST, DATA)]: `../${DATA}` },
  });
  writeFileSync(
    join(FOLDER, "licences.txt"),
    readLicences(output.flatMap(({ moduleIds = [] }) => moduleIds)),
  );
  await made.close();
}

/** Writes entries that only re-export the compiled modules. */
function lead() {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(ENTRIES)) {
    const from = `from "../${path}";\n`;
    const code = `export * ${from}import * as all ${from}export default all.default;\n`;
    writeFileSync(join(FOLDER, `${name}.js`), code);
  }
}

/** The entries that are started as threads. */
const THREADS = ["thread-body", "json-thread-body"];

/**
 * Writes the files with which threads begin: CommonJS, because Piscina calls `require`, and Node.js 20 ends the whole
 * process if a thread is stopped while `require` loads an ES module.
 */
function writeThreads() {
  for (const name of THREADS)
    writeFileSync(
      join(FOLDER, `${name}.cjs`),
      `const body = import("./${name}.js");
body.catch(() => undefined); // the tasks get the error
module.exports = async (task) => (await body).default(task);
`,
    );
}

rmSync(FOLDER, { recursive: true, force: true });
// The bundler is native code, which an installation may leave out.
const bundler = await import("rolldown").catch(() => undefined);
if (bundler === undefined) lead();
else await bundle(bundler);
writeThreads();
