import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packPackage, type Packed } from "./packed.js";

let packed: Packed;
let files: ReadonlySet<string>;

beforeAll(() => {
  packed = packPackage();
  files = new Set(packed.files.map(({ path }) => path));
}, 60_000);

const MANIFEST = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
/** Only the benchmark, when it runs in the package, imports these; where they are missing it says so and skips them or stops. */
const RIVALS = ["defuddle", "@jocmp/mercury-parser", "micromark", "micromark-extension-gfm"];

function importsOf(path: string): string[] {
  const code = readFileSync(path, "utf8");
  return [
    ...code.matchAll(/^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"/gms),
    ...code.matchAll(/\bimport\(\s*"([^"]+)"/g),
    ...code.matchAll(/^import\s+"([^"]+)"/gm),
  ].map((match) => match[1] ?? "");
}

function listCode(): string[] {
  return [...files].filter((path) => /\.(?:js|d\.ts)$/.test(path));
}

describe("the package", () => {
  it("contains every file that its own files import", () => {
    expect(listCode().length).toBeGreaterThan(300);
    const missing = listCode().flatMap((path) =>
      importsOf(path)
        .filter((to) => to.startsWith("."))
        .map((to) => posix.join(posix.dirname(path), to))
        .filter((to) => !files.has(to) && !files.has(to.replace(/\.js$/, ".d.ts")))
        .map((to) => `${path}: ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it("depends on every library that its files import", () => {
    const known = new Set([
      ...Object.keys(MANIFEST.dependencies),
      ...Object.keys(MANIFEST.optionalDependencies),
      ...Object.keys(MANIFEST.peerDependencies),
    ]);
    const unknown = listCode().flatMap((path) =>
      importsOf(path)
        .filter((to) => !/^(?:\.|node:)/.test(to))
        .map((to) =>
          to
            .split("/")
            .slice(0, to.startsWith("@") ? 2 : 1)
            .join("/"),
        )
        .filter((library) => !known.has(library) && !RIVALS.includes(library) && library !== "thresher")
        .map((library) => `${path}: ${library}`),
    );
    expect(unknown).toEqual([]);
  });

  it("resolves libraries relative to existing files, as Bun requires", () => {
    const places = listCode()
      .filter((path) => path.startsWith("dist/command/"))
      .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/\bcreateRequire\(([^)]*)\)/g)])
      .map(([, place]) => place);
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places)).toEqual(new Set(["import.meta.url"]));
  });

  it("contains the files that its documentation links to, and a README for each model", () => {
    for (const path of ["README.md", "LICENSE", "CHANGELOG.md", "bench/README.md", "bench/systems/README.md"])
      expect(files).toContain(path);
    const readme = readFileSync("README.md", "utf8");
    const named = [...readme.matchAll(/\]\((?!https?:)([\w./-]+)/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(10);
    for (const path of named) expect(files).toContain(path);
    // `thresher train --step network` runs these files.
    for (const path of ["own/fine_tune.py", "own/graph.py", "own/__init__.py", "common/features.py"])
      expect(files).toContain(`models/train/${path}`);
    const models = [...files]
      .filter((path) => path.endsWith("/model.json"))
      .map((path) => posix.dirname(path));
    expect(models.length).toBeGreaterThan(1);
    for (const folder of models) expect(files).toContain(`${folder}/README.md`);
  });

  it("contains no sources, tests or development tools, and stays small", () => {
    const ours = /^(?:src|test|fixtures|bin\/setup)|\.map$|tsbuildinfo|dist\/bench\/lab/;
    expect([...files].filter((path) => ours.test(path))).toEqual([]);
    // Together with 26.2 MB of libraries it must stay below 40 MB.
    expect(packed.unpackedSize).toBeLessThan(13.75e6);
  });
});
