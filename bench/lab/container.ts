/**
 * Runs the steps of the Dockerfile in plain folders, for machines without Docker, then starts the result as an
 * unprivileged user and prints its size.
 * `node dist/bench/lab/container.js [FOLDER]`; installing takes a minute and needs the network.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { isMain } from "./is-main.js";

/** The size of the unpacked base image in MB, as its publisher states it (debian:bookworm-slim, amd64). */
const BASE_MB = 75;

interface Step {
  readonly word: string;
  readonly rest: string;
}

/** Splits a Dockerfile into steps, joining continued lines as Docker does and dropping comments. */
export function readSteps(dockerfile: string): Step[] {
  const joined = dockerfile.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "");
  return joined
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => ({ word: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));
}

/**
 * Returns the names at the top of the context that go into it. The file must exclude everything and then list names;
 * throws an Error for any other line.
 */
export function readContext(dockerignore: string): string[] {
  const [all, ...names] = dockerignore.split("\n").filter((line) => line !== "");
  if (all !== "*" || names.some((name) => !/^![\w.-]+$/.test(name)))
    throw new Error("only lines that name one thing to include are understood");
  return names.map((name) => name.slice(1));
}

interface Built {
  /** The root folder of the last stage. */
  readonly root: string;
  readonly workdir: string;
  readonly user: number;
  readonly command: readonly string[];
  readonly health: readonly string[];
}

/**
 * Runs the steps with a folder for each stage; a path in the image is a path below that folder. Throws an Error for an
 * unknown step.
 */
export function runSteps(steps: readonly Step[], context: string, folder: string): Built {
  const stages = new Map<string, string>();
  const last = {
    root: "",
    workdir: "/",
    user: 0,
    entry: [] as string[],
    command: [] as string[],
    health: [] as string[],
  };
  const inside = (path: string): string =>
    join(last.root, path.startsWith("/") ? path : join(last.workdir, path));
  const actions: Readonly<Record<string, (rest: string) => void>> = {
    FROM(rest) {
      const [image = "", , name = image] = rest.split(/ (AS) /);
      last.root = join(folder, `stage-${stages.size}`);
      last.workdir = "/";
      mkdirSync(last.root, { recursive: true });
      stages.set(name, last.root);
      // The Node.js image brings the node binary; here it is the one that runs this script.
      if (image.startsWith("node:"))
        cpSync(process.execPath, mkdirFor(join(last.root, "usr/local/bin/node")));
    },
    WORKDIR(rest) {
      last.workdir = resolve(last.workdir, rest);
      mkdirSync(inside("."), { recursive: true });
    },
    COPY(rest) {
      const [, stage, from = "", to = ""] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
      if (stage !== undefined)
        cpSync(join(stages.get(stage) ?? "", from), mkdirFor(inside(to)), { recursive: true });
      else
        for (const name of readContext(readFileSync(join(context, ".dockerignore"), "utf8")))
          copyTracked(context, name, inside(to));
    },
    RUN(rest) {
      execFileSync("sh", ["-ec", rest], {
        cwd: inside("."),
        stdio: ["ignore", 2, 2],
        env: { ...process.env, CI: "" },
      });
    },
    USER(rest) {
      last.user = Number(rest.split(":")[0]);
    },
    HEALTHCHECK(rest) {
      last.health = JSON.parse(rest.slice(rest.indexOf("["))) as string[];
    },
    ENTRYPOINT(rest) {
      last.entry = JSON.parse(rest) as string[];
    },
    CMD(rest) {
      last.command = JSON.parse(rest) as string[];
    },
    ENV: () => undefined,
    EXPOSE: () => undefined,
  };
  for (const { word, rest } of steps) {
    const action = actions[word];
    if (action === undefined) throw new Error(`the step ${word} is not understood`);
    process.stderr.write(`${word} ${rest.slice(0, 100)}\n`);
    action(rest);
  }
  const { root, workdir, user, entry, command, health } = last;
  return { root, workdir, user, command: [...entry, ...command], health };
}

function mkdirFor(path: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  return path;
}

/** Copies only the files that git tracks, so that nothing else of this machine is included. */
function copyTracked(context: string, name: string, to: string): void {
  const files = execFileSync("git", ["ls-files", "-z", "--", name], { cwd: context, encoding: "utf8" }).split(
    "\0",
  );
  for (const file of files.filter((one) => one !== "")) cpSync(join(context, file), mkdirFor(join(to, file)));
}

function megabytes(path: string): number {
  const [kb = ""] = execFileSync("du", ["-sk", "--apparent-size", path], { encoding: "utf8" }).split("\t");
  return Number(kb) / 1024;
}

/** Starts the server, requests a page and the health check, then stops it; returns the exit code. */
async function tryOut({ root, workdir, user, command, health }: Built): Promise<number | null> {
  const node = join(root, "usr/local/bin/node");
  const options = {
    cwd: join(root, workdir),
    uid: user,
    gid: user,
    env: { NODE_ENV: "production", PATH: join(root, "usr/local/bin") },
  };
  const child = spawn(node, command.slice(1), { ...options, stdio: ["ignore", "inherit", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  try {
    const end = performance.now() + 60_000;
    while (!said.includes("listening") && child.exitCode === null && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 100));
    process.stderr.write(said);
    const body = readFileSync("fixtures/pages/qa-en/source.html");
    const answer = await fetch("http://127.0.0.1:8080/clean?to=text", {
      method: "POST",
      body,
      headers: { "content-type": "text/html" },
    });
    process.stdout.write(`POST /clean: ${answer.status}, ${(await answer.text()).split("\n")[0] ?? ""}\n`);
    execFileSync(node, health.slice(1), options);
    process.stdout.write(`HEALTHCHECK: ends with 0; user ${user}\n`);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  return child.exitCode;
}

async function main(): Promise<void> {
  const given = process.argv[2];
  const folder = given ?? mkdtempSync(join(tmpdir(), "thresher-image-"));
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${basename(folder)} is not empty`);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  try {
    const built = runSteps(readSteps(readFileSync("Dockerfile", "utf8")), process.cwd(), folder);
    const code = await tryOut(built);
    const parts = [
      ["node", megabytes(join(built.root, "usr/local/bin/node"))],
      ["dependencies", megabytes(join(built.root, "app/node_modules"))],
      ["thresher", megabytes(join(built.root, "app")) - megabytes(join(built.root, "app/node_modules"))],
    ] as const;
    const all = parts.reduce((sum, [, mb]) => sum + mb, BASE_MB);
    const listed = parts.map(([name, mb]) => `${name} ${mb.toFixed(0)}`).join(", ");
    process.stdout.write(
      `exit code ${String(code)}\nMB: base ${BASE_MB}, ${listed}; ${all.toFixed(0)} in all\n`,
    );
  } finally {
    if (given === undefined) rmSync(folder, { recursive: true });
  }
}

if (isMain(import.meta.url)) await main();
