import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packPackage } from "./packed.js";

// Compiles TypeScript programs against the declarations of the package alone, without our sources, settings and type packages.

const TSC = resolve("node_modules/typescript/bin/tsc");
const consumer = mkdtempSync(join(tmpdir(), "thresher-consumer-"));
const installed = join(consumer, "node_modules", "thresher");

/** The texts of the declaration files of the package. */
const declarations: string[] = [];

beforeAll(() => {
  const paths = packPackage().files.map(({ path }) => path);
  for (const path of paths.filter((one) => one === "package.json" || one.endsWith(".d.ts"))) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    copyFileSync(path, join(installed, path));
    if (path.endsWith(".d.ts")) declarations.push(readFileSync(path, "utf8"));
  }
}, 60_000);

afterAll(() => {
  rmSync(consumer, { recursive: true, force: true });
});

const SETTINGS = {
  target: "ES2023",
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // Making declarations shows which types a program cannot name.
  declaration: true,
  outDir: "out",
  // The default since TypeScript 6: no @types, only the globals of the web.
  types: [],
};

/** The compiler's errors for modules that depend only on the package. */
function compile(modules: readonly string[], more: object): string[] {
  const files = modules.map((text, at) => {
    writeFileSync(join(consumer, `consumer${at}.mts`), text);
    return `consumer${at}.mts`;
  });
  const compilerOptions = { ...SETTINGS, ...more };
  writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const { stdout } = spawnSync(process.execPath, [TSC, "--pretty", "false"], {
    cwd: consumer,
    encoding: "utf8",
  });
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

const RESOLUTIONS = [
  ["node16", { module: "node16", moduleResolution: "node16" }],
  ["nodenext", { module: "nodenext", moduleResolution: "nodenext" }],
  ["bundler", { module: "esnext", moduleResolution: "bundler" }],
] as const;

const NODE_NEXT = RESOLUTIONS[1][1];

/** The documents that show how a program calls the library. */
const DOCUMENTS = ["README.md", "docs/library.md", "docs/crawling.md"];

/** The variables that the snippets use without declaring them. */
const GIVEN = `declare const html: string, url: string, signal: AbortSignal;\n`;

function snippets(document: string): string[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map((match) => match[1] ?? "");
}

function declare(name: string): RegExp {
  return new RegExp(
    `^export (?:declare )?(?:interface|type|class|const|(?:async )?function) ${name}\\b`,
    "m",
  );
}

describe("the types of the package", { timeout: 120_000 }, () => {
  it.each(RESOLUTIONS)("compile every snippet of the documentation (%s)", (_, resolution) => {
    const shown = DOCUMENTS.map(snippets);
    for (const [index, document] of DOCUMENTS.entries()) expect(shown[index], document).not.toEqual([]);
    const modules = shown.flat().map((snippet) => GIVEN + snippet);
    expect(compile(modules, resolution)).toEqual([]);
  });

  it("reject wrong calls", () => {
    const wrong = `import { createThresher } from "thresher";
      await createThresher({ focus: "most" });
      const outcome = await (await createThresher()).clean({ html: "<p>" });
      export const text: string = outcome.value.text;`;
    expect(compile([wrong], NODE_NEXT)).toHaveLength(2);
  });

  it("are documented, each with a sentence", () => {
    const all = declarations.join("\n");
    const index = readFileSync(join(installed, "dist/index.d.ts"), "utf8");
    const names = index.match(/\b[A-Za-z]\w+(?=,| \}| as\b|\n)/g) ?? [];
    const declared = names.filter((name) => declare(name).test(all));
    expect(declared.length).toBeGreaterThan(80);
    const isDocumented = (name: string): boolean =>
      new RegExp(`\\*/\n${declare(name).source}`, "m").test(all);
    expect(declared.filter((name) => !isDocumented(name))).toEqual([]);
  });

  it("can all be named in code that builds on them", () => {
    const all = declarations.join("\n");
    const index = readFileSync(join(installed, "dist/index.d.ts"), "utf8");
    const names = [...index.matchAll(/\b[A-Z]\w+/g)]
      .map(([name]) => name)
      .filter((name) => new RegExp(`^export interface ${name}\\b`, "m").test(all));
    expect(names.length).toBeGreaterThan(30);
    const spread = [...names, "CleanOptions"].map(
      (name) => `export const of${name} = (it: T.${name}) => ({ ...it });`,
    );
    const members = `export const at = T.openInputs([]).position();
      export const pages = T.openInputs([]).pages();
      export const from = (options: T.InputOptions) => options.from;
      export const stage = (reject: T.Reject) => reject.stage;`;
    expect(compile([[`import * as T from "thresher";`, members, ...spread].join("\n")], NODE_NEXT)).toEqual(
      [],
    );
  });
});
