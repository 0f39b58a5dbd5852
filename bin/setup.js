/**
 * Installs and builds what a clone lacks, then runs the tool that the arguments name. Its own output goes to stderr.
 */
import "./check-node.js";
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runAlone } from "./setup-lock.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(ROOT, "dist", ".built");
const LOCK = join(ROOT, ".setup.lock");

/** Returns the modification time in milliseconds, or 0 when the file is missing. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Returns the arguments for `spawnSync` that run a program. On Windows, npm and the tools are shell scripts, and the
 * shell splits unquoted words at spaces, as in `C:\Program Files`.
 */
export function toSpawned(command, args, platform = process.platform) {
  const isScript = platform === "win32" && !command.endsWith(".exe");
  if (!isScript) return { file: command, args, shell: false };
  return { file: [command, ...args].map((word) => `"${word}"`).join(" "), args: [], shell: true };
}

/** Runs a program in the clone and waits until it ends. */
function runTool(command, words, options) {
  const { file, args, shell } = toSpawned(command, words);
  return spawnSync(file, args, { cwd: ROOT, shell, ...options });
}

/** Runs a command with its stdout sent to stderr, so that our stdout stays clean; exits when the command fails. */
function run(what, command, args) {
  process.stderr.write(`thresher: ${what} …\n`);
  const result = runTool(command, args, {
    stdio: ["ignore", 2, 2],
    // onnxruntime-node would download Linux CUDA libraries, which are not used here.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: "skip" },
  });
  if (result.status !== 0) {
    process.stderr.write(`thresher: ${what} failed (${command} ${args.join(" ")})\n`);
    process.exit(1);
  }
}

function isInstalled() {
  // A link leads to a folder that is not the clone's own, and an installation would empty it.
  if (lstatSync(join(ROOT, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const installed = modified(join(ROOT, "node_modules", ".package-lock.json"));
  return installed >= modified(join(ROOT, "package-lock.json"));
}

function install() {
  run("installing packages", "npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/** Lists the benchmark's own sources; the Python environment of its rivals and its results do not count. */
function benchSources() {
  return filesBelow(join(ROOT, "bench")).filter((file) => file.endsWith(".ts"));
}

/** Checks that no source is newer than the last build. */
function isBuilt() {
  const settings = ["tsconfig.json", "tsconfig.build.json", "tsconfig.bench.json", "package.json"].map(
    (name) => join(ROOT, name),
  );
  const sources = [...filesBelow(join(ROOT, "src")), ...benchSources(), ...settings];
  const built = modified(STAMP);
  return built > 0 && sources.every((file) => modified(file) <= built);
}

/**
 * Compiles, and deletes output whose source no longer exists. `npm run typecheck` checks types, because checking them
 * here would take as long again.
 */
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
    // The browser files have their own build and other sources, and the bundle is written anew each time.
    if (/^(?:browser|command)[\\/]/.test(relative(join(ROOT, "dist"), file))) continue;
    const path = relative(join(ROOT, "dist"), file).replace(/\.(d\.ts|js|js\.map)$/, ".ts");
    const source = path.startsWith(`bench${sep}`) ? join(ROOT, path) : join(ROOT, "src", path);
    if (source.endsWith(".ts") && !existsSync(source)) rmSync(file);
  }
  writeFileSync(STAMP, startedAt.toISOString());
}

/** Makes a clone ready to run; takes about 20 ms when nothing is missing. */
export function setUp() {
  if (isInstalled() && isBuilt()) return;
  // Another process may have installed and built while this one waited.
  runAlone(LOCK, () => {
    if (!isInstalled()) install();
    if (!isBuilt()) build();
  });
}

/** Checks whether this file was started as a program, perhaps through a symbolic link. */
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
