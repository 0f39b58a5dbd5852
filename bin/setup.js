/** Installs and builds what a clone still lacks, then runs the tool named by the arguments. All its output goes to stderr. */
import "./check-node.js";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAlone } from "./setup-lock.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(ROOT, "dist", ".built");
const LOCK = join(ROOT, ".setup.lock");

/** Modification time in milliseconds, 0 for what is not there. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * What `spawnSync` is given to run a program. npm and the tools are scripts for the shell of Windows, which parts words at
 * spaces, as in `C:\Program Files`, unless they are quoted.
 */
export function toSpawned(command, args, platform = process.platform) {
  const isScript = platform === "win32" && !command.endsWith(".exe");
  if (!isScript) return { file: command, args, shell: false };
  return { file: [command, ...args].map((word) => `"${word}"`).join(" "), args: [], shell: true };
}

/** Runs a program in the clone, and waits for its end. */
function runTool(command, words, options) {
  const { file, args, shell } = toSpawned(command, words);
  return spawnSync(file, args, { cwd: ROOT, shell, ...options });
}

/** Runs a command with its stdout sent to stderr, so that ours stays clean; stops the process when it fails. */
function run(what, command, args) {
  process.stderr.write(`thresher: ${what} …\n`);
  const result = runTool(command, args, {
    stdio: ["ignore", 2, 2],
    // The Linux CUDA libraries that onnxruntime-node would fetch are of no use here.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" },
  });
  if (result.status !== 0) {
    process.stderr.write(`thresher: ${what} failed (${command} ${args.join(" ")})\n`);
    process.exit(1);
  }
}

function isInstalled() {
  // A link is somebody else's folder, which an installation would empty.
  if (lstatSync(join(ROOT, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const installed = modified(join(ROOT, "node_modules", ".package-lock.json"));
  return installed >= modified(join(ROOT, "package-lock.json"));
}

function install() {
  run("installing packages", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** The benchmark's own code; the environment of its rivals and its results are none. */
function benchSources() {
  return filesBelow(join(ROOT, "bench")).filter((file) => file.endsWith(".ts"));
}

/** Whether no source is newer than the last build. */
function isBuilt() {
  const settings = ["tsconfig.json", "tsconfig.build.json", "tsconfig.bench.json", "package.json"].map(
    (name) => join(ROOT, name),
  );
  const sources = [...filesBelow(join(ROOT, "src")), ...benchSources(), ...settings];
  const built = modified(STAMP);
  return built > 0 && sources.every((file) => modified(file) <= built);
}

/** Compiles, and drops what has no source any more. Types are checked by `npm run typecheck`: to check them here takes as long again. */
function build() {
  const startedAt = new Date();
  const compile = (what, project) => {
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    run(what, process.execPath, [tsc, "--noCheck", "--project", project]);
  };
  compile("building", "tsconfig.build.json");
  compile("building the inspector's page", "src/inspect/app");
  compile("building the benchmark", "tsconfig.bench.json");
  run("bundling the command", process.execPath, [join(ROOT, "bin", "bundle-command.js")]);
  run("writing the manual page", process.execPath, [join(ROOT, "dist", "cli", "write-manual.js")]);
  for (const file of filesBelow(join(ROOT, "dist"))) {
    // What browsers load is built by itself, of sources elsewhere; the bundle is new each time.
    if (/^(?:browser|command)[\\/]/.test(relative(join(ROOT, "dist"), file))) continue;
    const path = relative(join(ROOT, "dist"), file).replace(/\.(d\.ts|js|js\.map)$/, ".ts");
    const source = path.startsWith(`bench${sep}`) ? join(ROOT, path) : join(ROOT, "src", path);
    if (source.endsWith(".ts") && !existsSync(source)) rmSync(file);
  }
  writeFileSync(STAMP, startedAt.toISOString());
}

/** Makes a clone ready to run. About 20 ms when nothing is missing. */
export function setUp() {
  if (isInstalled() && isBuilt()) return;
  // Another process may have done it while this one waited.
  runAlone(LOCK, () => {
    if (!isInstalled()) install();
    if (!isBuilt()) build();
  });
}

/** Whether this file was started; the way to it may lead over a link. */
function isStarted() {
  const [, started] = process.argv;
  return (
    started !== undefined &&
    existsSync(started) &&
    import.meta.url === pathToFileURL(realpathSync(started)).href
  );
}

if (isStarted()) {
  setUp();
  const [tool, ...args] = process.argv.slice(2);
  if (tool !== undefined) {
    const program = join(ROOT, "node_modules", ".bin", process.platform === "win32" ? `${tool}.cmd` : tool);
    process.exitCode = runTool(program, args, { stdio: "inherit" }).status ?? 1;
  }
}
