import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

// The package as a program in TypeScript sees it: its declarations, without our sources, settings and packages of types.

const ROOT = resolve(".");
const CONSUMER = join(ROOT, "consumer");

/** Declarations by path, as a build would write them. */
const declarations = new Map<string, string>();

beforeAll(() => {
  const { config } = ts.readConfigFile("tsconfig.json", (path) => readFileSync(path, "utf8")) as {
    readonly config: unknown;
  };
  const { options: settings } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const options = { ...settings };
  delete options.tsBuildInfoFile;
  const program = ts.createProgram([join(ROOT, "src/index.ts")], {
    ...options,
    noCheck: true,
    incremental: false,
    emitDeclarationOnly: true,
    sourceMap: false,
  });
  program.emit(undefined, (path, text) => declarations.set(resolve(path), text));
}, 120_000);

const SETTINGS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  declaration: true,
  // As TypeScript 6 has it: no @types, but the globals of the web.
  types: [],
};

/** The libraries of the compiler, which no program changes. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of modules that have the package and nothing else. */
function compile(modules: readonly string[], more: ts.CompilerOptions): string[] {
  const options: ts.CompilerOptions = { ...SETTINGS, ...more };
  const texts = new Map([...modules.entries()].map(([at, text]) => [`${CONSUMER}${at}.mts`, text]));
  const host = ts.createCompilerHost(options);
  const find = (path: string): string | undefined => {
    const place = resolve(path);
    if (place.startsWith(join(ROOT, "dist"))) return declarations.get(place);
    return texts.get(place) ?? ts.sys.readFile(path);
  };
  host.readFile = find;
  host.fileExists = (path) => find(path) !== undefined;
  host.getSourceFile = (path, version) => {
    if (!texts.has(path) && parsed.has(path)) return parsed.get(path);
    const text = find(path);
    const file = text === undefined ? undefined : ts.createSourceFile(path, text, version);
    if (!resolve(path).startsWith(join(ROOT, "dist"))) parsed.set(path, file);
    return file;
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  // Types that a program cannot name show when its own declarations are made.
  const { diagnostics } = program.emit(undefined, () => undefined);
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
  );
}

const RESOLUTIONS = [
  ["node16", { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 }],
  ["nodenext", { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
  ["bundler", { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
] as const;

const NODE_NEXT = RESOLUTIONS[1][1];

/** The pages that show how a program calls the library. */
const DOCUMENTS = ["README.md", "docs/library.md", "docs/crawling.md"];

/** What the snippets take as given. */
const GIVEN = `declare const html: string, url: string, signal: AbortSignal;\n`;

function snippets(document: string): string[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map((match) => match[1] ?? "");
}

describe("the types of the package", { timeout: 120_000 }, () => {
  it.each(RESOLUTIONS)("compile what the documentation shows (%s)", (_, resolution) => {
    const shown = DOCUMENTS.map(snippets);
    for (const [index, document] of DOCUMENTS.entries()) expect(shown[index], document).not.toEqual([]);
    const modules = shown.flat().map((snippet) => GIVEN + snippet);
    expect(compile(modules, resolution)).toEqual([]);
  });

  it("refuse what is wrong", () => {
    const wrong = `import { createThresher } from "thresher";
      await createThresher({ focus: "most" });
      const outcome = await (await createThresher()).clean({ html: "<p>" });
      export const text: string = outcome.value.text;`;
    expect(compile([wrong], NODE_NEXT)).toHaveLength(2);
  });

  it("can all be named by who builds on them", () => {
    const all = [...declarations.values()].join("\n");
    const names = [...(declarations.get(join(ROOT, "dist/index.d.ts")) ?? "").matchAll(/\b[A-Z]\w+/g)]
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
