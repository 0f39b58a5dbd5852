/** Makes the virtual environment of the Python rivals and installs each one separately, so that one failure does not stop the others. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Required by Trafilatura 2.2.0. */
const MIN_PYTHON = [3, 10];
const CANDIDATES = ["python3", "python"];
/** A build from source takes some minutes on a slow machine. */
const INSTALL_TIMEOUT_MS = 15 * 60_000;

function say(text) {
  process.stderr.write(`bench: ${text}\n`);
}

function capture(command, args) {
  const { status, stdout } = spawnSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? stdout.trim() : undefined;
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > MIN_PYTHON[0] || (major === MIN_PYTHON[0] && minor >= MIN_PYTHON[1]);
}

/** Finds the first Python on the path that is new enough. If there is none, prints the versions that were found. */
function findPython() {
  const seen = [];
  for (const command of CANDIDATES) {
    const version = capture(command, ["-c", "import platform; print(platform.python_version())"]);
    if (version !== undefined && isNewEnough(version)) return command;
    if (version !== undefined) seen.push(`${command} is ${version}`);
  }
  say(
    `the Python rivals need Python ${MIN_PYTHON.join(".")} or later as ${CANDIDATES.join(" or ")} on the path; ` +
      `${seen.length === 0 ? "there is none" : seen.join(", ")}. All other systems run without it.`,
  );
  return undefined;
}

/** Reads the rivals from a requirements file: its pins above the line "# constraints". */
function readRivals(file) {
  const [rivals = ""] = readFileSync(file, "utf8").split("# constraints");
  return rivals
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((pin) => ({ pin, name: pin.split("==")[0].replace(/\[.*\]$/, ""), version: pin.split("==")[1] }));
}

/** Writes all pins as a constraints file for pip, without extras, which pip does not accept there. */
function writeConstraints(file, requirements) {
  writeFileSync(file, readFileSync(requirements, "utf8").replace(/\[.*\](?===)/gm, ""));
  return file;
}

function pythonOf(venv) {
  return process.platform === "win32" ? join(venv, "Scripts", "python.exe") : join(venv, "bin", "python");
}

function makeVenv(venv) {
  const python = pythonOf(venv);
  if (existsSync(python) && capture(python, ["-m", "pip", "--version"]) !== undefined) return python;
  const base = findPython();
  if (base === undefined) return undefined;
  say(`making ${venv} …`);
  const { status } = spawnSync(base, ["-m", "venv", "--clear", venv], { stdio: ["ignore", 2, 2] });
  if (status === 0) return python;
  say(`${base} -m venv failed; on Debian and Ubuntu it is in the package python3-venv.`);
  return undefined;
}

function installed(python, name) {
  const code = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))";
  return capture(python, ["-c", code, name]);
}

/** Installs a rival if it is missing. Returns its version, or why it could not be installed. */
function install(python, rival, constraints, pipArgs) {
  if (installed(python, rival.name) === rival.version) return { version: rival.version };
  say(`installing ${rival.pin} …`);
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...pipArgs];
  const { status, stderr, error } = spawnSync(python, [...args, "-c", constraints, rival.pin], {
    encoding: "utf8",
    stdio: ["ignore", 2, "pipe"],
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status === 0) return { version: rival.version };
  const lines = stderr.split("\n").filter((line) => line.startsWith("ERROR:"));
  const why =
    error?.message ?? (lines.join(" ").slice(0, 500) || `pip ended with ${status}: ${stderr.slice(-300)}`);
  say(`${rival.pin} could not be installed: ${why}`);
  return { error: why };
}

const { values, positionals } = parseArgs({
  options: {
    venv: { type: "string", default: join(ROOT, ".venv") },
    requirements: { type: "string", default: fileURLToPath(new URL("requirements.txt", import.meta.url)) },
  },
  // Words after "--" are passed to pip.
  allowPositionals: true,
});
const venv = resolve(values.venv);
const python = makeVenv(venv);
if (python === undefined) process.exitCode = 1;
else {
  const constraints = writeConstraints(join(venv, "constraints.txt"), values.requirements);
  const rivals = readRivals(values.requirements).map((rival) => ({
    name: rival.name,
    pinned: rival.version,
    ...install(python, rival, constraints, positionals),
  }));
  const record = { python: capture(python, ["--version"]), rivals };
  writeFileSync(join(venv, "rivals.json"), `${JSON.stringify(record, null, 2)}\n`);
  const there = rivals.filter(({ version }) => version !== undefined);
  say(
    `${there.length} of ${rivals.length} Python rivals are in ${venv} (${record.python}); see rivals.json there.`,
  );
  if (there.length === 0) process.exitCode = 1;
}
