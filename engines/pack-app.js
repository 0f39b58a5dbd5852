/**
 * Packs everything that a worker of a cluster needs into one archive, named by its content: Node.js, the built package with its models,
 * and the libraries for this system. `node engines/pack-app.js FOLDER` writes FOLDER/app-DIGEST.tar.gz and prints its path.
 * The same clone gives the same archive, so a cluster that has it need not fetch it again.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { constants, createGzip } from "node:zlib";

const CLONE = fileURLToPath(new URL("..", import.meta.url));
const DIGEST_LENGTH = 12;
const MAX_OUTPUT = 64e6;

/** Runs with the archive's own Node.js, from any folder and through any link. */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../package/bin/thresher.js" "$@"
`;

async function pack(folder) {
  const work = await mkdtemp(join(tmpdir(), "thresher-app-"));
  try {
    const root = join(work, "app");
    await mkdir(join(root, "bin"), { recursive: true });
    await copyPackage(join(root, "package"));
    await copyLibraries(join(root, "package"));
    await cp(process.execPath, join(root, "bin", "node"));
    await writeFile(join(root, "bin", "thresher"), LAUNCHER, { mode: 0o755 });
    const tar = join(work, "app.tar");
    const plain = [
      "--sort=name",
      "--mtime=@0",
      "--owner=0",
      "--group=0",
      "--numeric-owner",
      "--mode=u+rwX,go+rX,go-w",
    ];
    execFileSync("tar", [...plain, "--format=gnu", "-cf", tar, "-C", root, "."]);
    const digest = createHash("sha256");
    await pipeline(createReadStream(tar), digest);
    const name = `app-${digest.digest("hex").slice(0, DIGEST_LENGTH)}.tar.gz`;
    await mkdir(folder, { recursive: true });
    const partial = join(folder, `.${name}.${process.pid}`);
    await pipeline(
      createReadStream(tar),
      createGzip({ level: constants.Z_BEST_SPEED }),
      createWriteStream(partial),
    );
    await rename(partial, join(folder, name));
    return join(folder, name);
  } finally {
    await rm(work, { recursive: true });
  }
}

/** The files that `npm pack` would pack. */
async function copyPackage(to) {
  const said = npm("pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error");
  for (const { path } of JSON.parse(said)[0].files) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await cp(join(CLONE, path), join(to, path));
  }
}

/** Returns the clone's libraries that the lock file needs at run time, without those for other systems. */
async function copyLibraries(to) {
  const [, ...folders] = npm("ls", "--omit=dev", "--omit=peer", "--all", "--parseable").trim().split("\n");
  for (const folder of folders) {
    const nested = join(folder, "node_modules");
    await cp(folder, join(to, relative(CLONE, folder)), {
      recursive: true,
      filter: (path) =>
        path !== nested && !path.startsWith(`${nested}/`) && !isForOthers(relative(folder, path)),
    });
  }
}

/** The runtime for networks has libraries for each system: bin/napi-v6/linux/x64 and others. */
function isForOthers(path) {
  const [, system, machine] = /^bin\/napi-v\d+\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return system !== undefined && (system !== platform() || (machine !== undefined && machine !== arch()));
}

function npm(...words) {
  return execFileSync("npm", words, {
    cwd: CLONE,
    encoding: "utf8",
    maxBuffer: MAX_OUTPUT,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  process.stderr.write("usage: node engines/pack-app.js FOLDER\n");
  process.exitCode = 2;
} else if (!(await readdir(CLONE)).includes("dist")) {
  process.stderr.write("pack-app: the clone is not built: npm run build\n");
  process.exitCode = 2;
} else {
  process.stdout.write(`${await pack(resolve(folder))}\n`);
}
