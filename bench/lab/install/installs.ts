/**
 * Measures how long the package and its rivals take to install and how much disk space they need, each in an empty
 * folder with an empty cache; then checks that each turns a page into text.
 * `npm run bench:installs` prints the table of docs/installing.md; it needs the package registries of npm and Python,
 * and takes some minutes. `-- --rounds N` runs each of them N times, in turns.
 */
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { medianOf } from "../../metrics/median.js";

const PAGE = `<!doctype html><title>Ferry</title><nav><a href="/">Home</a></nav><article><h1>The ferry</h1>
<p>For forty years the old ferry has crossed the bay twice a day, and people have said it would sink on the next trip.</p>
<p>The company wants to replace it in two years, but nobody in the village believes that the new one will come in time.</p>
</article><footer>© 2021</footer>`;
const WANTED = "crossed the bay twice a day";
const LONGEST_MS = 10 * 60_000;

interface Way {
  readonly name: string;
  readonly install: readonly string[];
  /** A command that prepares the empty folder before the clock starts. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command that prints the text of page.html. */
  readonly clean: readonly string[];
  /** The folder that the installation fills, and whose size is measured. */
  readonly folder: string;
}

/** Runs npm with a cache of its own, and without checks for audits, funding and newer versions. */
const npmInstall = (...what: string[]): string[] => [
  "npm",
  "install",
  ...["--cache", "cache", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"],
  ...what,
];
const THRESHER = ["node", "node_modules/thresher/bin/thresher.js", "page.html", "--quiet"];
/** A port on which nothing listens, so that requests through the proxy fail as behind a firewall. */
const FIREWALL = {
  GLOBAL_AGENT_HTTP_PROXY: "http://127.0.0.1:9",
  GLOBAL_AGENT_HTTPS_PROXY: "http://127.0.0.1:9",
};
const DEFUDDLE = `import { parseHTML } from "linkedom"; import { readFileSync } from "node:fs";
const { Defuddle } = await import("defuddle/node");
const { document } = parseHTML(readFileSync("page.html", "utf8"));
console.log((await Defuddle(document, "https://example.org/")).content);`;

function listWays(tarball: string): Way[] {
  return [
    {
      name: "thresher, without optional packages",
      install: npmInstall("--omit=optional", tarball),
      clean: THRESHER,
      folder: "node_modules",
    },
    {
      name: "thresher, all, behind a firewall",
      install: npmInstall(tarball),
      env: FIREWALL,
      clean: THRESHER,
      folder: "node_modules",
    },
    {
      name: "thresher, all, without install scripts",
      install: npmInstall("--ignore-scripts", tarball),
      clean: [...THRESHER, "--engine", "native"],
      folder: "node_modules",
    },
    {
      name: "defuddle 0.19.4 with linkedom",
      install: npmInstall("defuddle@0.19.4", "linkedom@0.18.14"),
      clean: ["node", "--input-type=module", "-e", DEFUDDLE],
      folder: "node_modules",
    },
    {
      name: "trafilatura 2.2.0 in a virtual environment",
      before: ["python3", "-m", "venv", "venv"],
      install: [
        "venv/bin/python",
        ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--cache-dir", "cache"],
        // trafilatura's dependency justext needs `lxml_html_clean`, but does not declare it.
        ...["trafilatura==2.2.0", "lxml_html_clean"],
      ],
      clean: [
        "venv/bin/python",
        "-c",
        "import trafilatura; print(trafilatura.extract(open('page.html').read()))",
      ],
      folder: "venv",
    },
  ];
}

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
  readonly files: number;
}

/** Throws an Error when the installation fails or when the installed program gives no text. */
function measure(way: Way): Measured {
  const folder = mkdtempSync(join(tmpdir(), "install-"));
  try {
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    writeFileSync(join(folder, "page.html"), PAGE);
    mkdirSync(join(folder, "cache"));
    if (way.before !== undefined) run(way.before, folder, {});
    const start = performance.now();
    run(way.install, folder, way.env ?? {});
    const seconds = (performance.now() - start) / 1000;
    const text = run(way.clean, folder, {});
    if (!text.includes(WANTED)) throw new Error(`${way.name} gives no text: ${text.slice(0, 500)}`);
    return { seconds, ...sizeOf(join(folder, way.folder)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(
  [command = "", ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    timeout: LONGEST_MS,
    env: { ...process.env, ...env },
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} failed: ${stdout.slice(-500)}${stderr.slice(-2000)}`);
  return stdout;
}

/** Counts the files and their bytes; does not follow links. */
function sizeOf(folder: string): { readonly megabytes: number; readonly files: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = entries.reduce(
    (sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size,
    0,
  );
  return { megabytes: bytes / 1e6, files: entries.length };
}

/** Packs the package into a folder and returns the path of the file. */
function pack(folder: string): string {
  run(
    ["npm", "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder],
    process.cwd(),
    {},
  );
  const [name = ""] = readdirSync(folder);
  return resolve(folder, name);
}

const { values } = parseArgs({ options: { rounds: { type: "string", default: "1" } } });
const packed = mkdtempSync(join(tmpdir(), "pack-"));
const all = new Map<string, Measured[]>();
try {
  const ways = listWays(pack(packed));
  for (const { name } of ways) all.set(name, []);
  for (let round = 0; round < Number(values.rounds); round++)
    for (const way of ways) {
      const measured = measure(way);
      all.get(way.name)?.push(measured);
      process.stderr.write(
        `${way.name}: ${measured.seconds.toFixed(1)} s, ${measured.megabytes.toFixed(1)} MB\n`,
      );
    }
} finally {
  rmSync(packed, { recursive: true });
}
process.stdout.write("| what | seconds | MB | files |\n| --- | ---: | ---: | ---: |\n");
for (const [name, runs] of all) {
  const [seconds, megabytes, files] = (["seconds", "megabytes", "files"] as const).map((key) =>
    medianOf(runs.map((one) => one[key])),
  );
  process.stdout.write(
    `| ${name} | ${(seconds ?? 0).toFixed(0)} | ${(megabytes ?? 0).toFixed(1)} | ${files ?? 0} |\n`,
  );
}
