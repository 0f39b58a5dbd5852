/** Tests the package as users get it: packed, then installed from the registry into an empty project, behind a simulated firewall. */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
}
type Packages = Readonly<Record<string, Locked>>;
const readPackages = (path: string): Packages =>
  (JSON.parse(readFileSync(path, "utf8")) as { readonly packages: Packages }).packages;

it("needs no install script of any required package", () => {
  const scripts = Object.entries(readPackages("package-lock.json")).filter(
    ([, one]) =>
      one.hasInstallScript === true && one.dev !== true && one.devOptional !== true && one.peer !== true,
  );
  expect(scripts.filter(([, { optional }]) => optional !== true)).toEqual([]);
});

/** Nothing listens on this port, so the install script of onnxruntime-node cannot download anything. */
const FIREWALL = {
  GLOBAL_AGENT_HTTP_PROXY: "http://127.0.0.1:9",
  GLOBAL_AGENT_HTTPS_PROXY: "http://127.0.0.1:9",
};

// This test needs the registry.
describe.runIf(process.env["CI"])("behind a firewall", () => {
  const folder = mkdtempSync(join(tmpdir(), "thresher-install-"));
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", env: { ...process.env, ...FIREWALL } });
  beforeAll(() => {
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    run("npm", "pack", process.cwd(), "--ignore-scripts", "--pack-destination", folder, ...quiet);
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    run("npm", "install", "--prefer-offline", ...quiet, `./${tarball}`);
  }, 180_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it("installs without the native engine and cleans a page", () => {
    const bin = join("node_modules", "thresher", "bin", "thresher.js");
    writeFileSync(join(folder, "page.html"), readFileSync("fixtures/pages/qa-en/source.html"));
    expect(readdirSync(join(folder, "node_modules"))).not.toContain("onnxruntime-node");
    expect(run(process.execPath, bin, "models")).toMatch(/^portable\tengine\tused/m);
    expect(run(process.execPath, bin, "page.html")).toBe(
      readFileSync("fixtures/pages/qa-en/default.txt", "utf8"),
    );
  });

  it("takes at most 40 MB without optional packages", () => {
    const packages = readPackages(join(folder, "node_modules", ".package-lock.json"));
    const optional = Object.keys(packages).filter((path) => packages[path]?.optional === true);
    expect(optional.length).toBeGreaterThan(0);
    const sizes = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((path) => !optional.some((left) => path.startsWith(`${left}/`)))
      .map((path) => lstatSync(join(folder, path)).size);
    expect(sizes.length).toBeGreaterThan(2000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(40e6);
  });
});
