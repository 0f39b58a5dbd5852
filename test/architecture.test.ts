import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SRC = join(ROOT, "src");

/** What every room may import, apart from itself. */
const COMMON = [
  "bytes/base32.ts",
  "json.ts",
  "language/sentences.ts",
  "time/max-timer.ts",
  "time/time-limit.ts",
  "language/code-languages.ts",
  "code-unit.ts",
  "cut-after.ts",
  "count.ts",
  "bytes/digest.ts",
  "document.ts",
  "document/structure.ts",
  "document/verdicts.ts",
  "bytes/fours.ts",
  "language/language-tag.ts",
  "bytes/latin1.ts",
  "document/markup-counts.ts",
  "document/reservations.ts",
  "mean-score.ts",
  "outcome.ts",
  "own-value.ts",
  "parse-url.ts",
  "document/path-tree.ts",
  "references.ts",
  "text-order.ts",
  "thrown.ts",
  "time/stop.ts",
  "document/tree.ts",
  "bytes/utf16.ts",
  "language/words.ts",
  "writable.ts",
  "write-error.ts",
];
const ROOMS = ["acquire", "parse", "extract", "label", "filter", "write"];
/** The files that join rooms, and the folders that hold only such files. */
const JOINERS = [
  "pipeline.ts",
  "options/options.ts",
  "options/option-rules.ts",
  "options/page-options.ts",
  "thresher.ts",
  "index.ts",
  "cli/",
  "core/",
  "crawl/",
  "inspect/",
  "report/",
  "serve/",
  "shard/",
  "train/",
  "work/",
];
/** The root files that only joiners may import. */
const SHARED_BY_JOINERS = [
  "koa.ts",
  "random.ts",
  "ordered.ts",
  "options/options.ts",
  "options/option-rules.ts",
  "options/page-options.ts",
  "version.ts",
  "pipeline.ts",
  "thresher.ts",
  "time/time-scale.ts",
  "usage.ts",
];

/** The files that define the options of the core. They must not know the core. */
const OPTION_FILES = ["options/options.ts", "options/option-rules.ts", "options/page-options.ts"];

/** Each outside library is imported in one file only. */
const DOORS: Readonly<Record<string, string>> = {
  "lossless-json": "json.ts",
  "@noble/hashes": "bytes/digest.ts",
  undici: "acquire/http/undici.ts",
  koa: "koa.ts",
  "@aws-sdk/client-s3": "acquire/objects/s3.ts",
  tinyglobby: "acquire/files.ts",
  sax: "acquire/lists/xml.ts",
  tldts: "crawl/reach/scope.ts",
  re2js: "crawl/reach/pattern.ts",
  "node-sqlite3-wasm": "crawl/state/database.ts",
  yauzl: "acquire/packed/zip.ts",
  hyparquet: "acquire/parquet/parquet-library.ts",
  "hyparquet-compressors": "acquire/parquet/parquet-library.ts",
  "hyparquet-writer": "write/tables/parquet.ts",
  parse5: "parse/standard-tree.ts",
  entities: "references.ts",
  "@exodus/bytes": "parse/charset.ts",
  "html-encoding-sniffer": "parse/charset.ts",
  chardet: "parse/charset.ts",
  linkedom: "extract/readability/dom.ts",
  "css-select": "extract/selection.ts",
  "@mozilla/readability": "extract/readability/readability.ts",
  "onnxruntime-node": "label/network/native-engine.ts",
  "@huggingface/transformers": "label/papers/transformer/library.ts",
  piscina: "work/thread/one-thread.ts",
  eld: "filter/language.ts",
  diff: "report/compare-runs.ts",
};
/** The S3 client reads the variables of AWS itself; the file that imports it also reads the variables of other AWS tools. */
const READS_ENVIRONMENT = "acquire/objects/s3.ts";
/** Only an environment variable can stop ONNX Runtime from sending telemetry. */
const WRITES_ENVIRONMENT = "label/network/native-engine.ts";
/** Only `cli/` uses Commander. */
const CLI_LIBRARY = "commander";

/** The core is everything that this file loads, at once or on demand. */
const CORE_ENTRY = "core/core.ts";
/** Libraries that use no module of Node.js, so browsers load them unchanged. */
const IN_BROWSERS = [
  "lossless-json",
  "@noble/hashes",
  "parse5",
  "entities",
  "@exodus/bytes",
  "html-encoding-sniffer",
  "chardet",
  "linkedom",
  "css-select",
  "@mozilla/readability",
];

interface Import {
  readonly from: string;
  readonly to: string;
  /** True for an import that disappears when the file is compiled. */
  readonly isType: boolean;
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}

/** Files of the repository, as paths from its root. */
function below(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => pattern.test(file));
}

function read(file: string): string {
  return readFileSync(join(SRC, file), "utf8");
}

function importsOf(file: string): Import[] {
  const specifiers = [
    ...read(file).matchAll(/^(?:import|export)[^;]*?from\s+"([^"]+)"/gms),
    ...read(file).matchAll(/\bimport\(\s*"([^"]+)"/g),
    ...read(file).matchAll(/^import\s+"([^"]+)"/gm),
  ].map(([statement, to = ""]) => ({ to, isType: /^(?:import|export) type\b/.test(statement) }));
  return specifiers.map(({ to, isType }) => ({
    from: file,
    isType,
    to: to.startsWith(".") ? posix.join(posix.dirname(file), to).replace(/\.js$/, ".ts") : to,
  }));
}

function roomOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : "";
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => files.includes(to));
const outside = imports.filter(({ to }) => !files.includes(to) && !to.startsWith("node:"));

function isAllowed({ from, to }: Import): boolean {
  const room = roomOf(from);
  if (JOINERS.some((joiner) => from === joiner || from.startsWith(joiner))) {
    return (
      ROOMS.includes(roomOf(to)) ||
      COMMON.includes(to) ||
      SHARED_BY_JOINERS.includes(to) ||
      roomOf(to) === room ||
      (roomOf(to) === "core" && !OPTION_FILES.includes(from)) ||
      ((from === "pipeline.ts" || from === "options/options.ts" || /^(?:cli|serve|shard)\//.test(from)) &&
        to.startsWith("work/")) ||
      (from.startsWith("cli/") && to.startsWith("serve/")) ||
      ((from === "index.ts" || from.startsWith("cli/")) && to.startsWith("crawl/")) ||
      (from.startsWith("cli/") && /^(?:inspect|report|shard|train)\//.test(to)) ||
      (from === "index.ts" && to.startsWith("work/"))
    );
  }
  if (ROOMS.includes(room)) return roomOf(to) === room || COMMON.includes(to);
  return COMMON.includes(to);
}

describe("the rooms", () => {
  it("have imports that this test finds", () => {
    expect(inside.length).toBeGreaterThan(30);
    expect(outside.length).toBeGreaterThan(5);
  });

  it("import only themselves and the common types", () => {
    expect(inside.filter((edge) => !isAllowed(edge))).toEqual([]);
  });

  it("resolve every relative import", () => {
    expect(
      imports.filter(({ to }) => to.startsWith(".") || (to.endsWith(".ts") && !files.includes(to))),
    ).toEqual([]);
  });

  it("import each library in one file only", () => {
    const wrong = outside.filter(({ from, to }) => {
      const library = to
        .split("/")
        .slice(0, to.startsWith("@") ? 2 : 1)
        .join("/");
      return library === CLI_LIBRARY ? roomOf(from) !== "cli" : DOORS[library] !== from;
    });
    expect(wrong).toEqual([]);
  });

  it("do not import each other in a cycle", () => {
    const edges = new Map(
      files.map((file) => [file, inside.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const state = new Map<string, "open" | "done">();
    const visit = (file: string, trail: readonly string[]): void => {
      expect(state.get(file), [...trail, file].join(" -> ")).not.toBe("open");
      if (state.get(file) === "done") return;
      state.set(file, "open");
      for (const next of edges.get(file) ?? []) visit(next, [...trail, file]);
      state.set(file, "done");
    };
    for (const file of files) visit(file, []);
  });
});

describe("the core", () => {
  const reached = new Set([CORE_ENTRY]);
  for (const file of reached)
    for (const { from, to, isType } of imports) if (from === file && !isType) reached.add(to);
  const own = [...reached].filter((file) => files.includes(file));

  it("includes most of the code that turns a page into text", () => {
    for (const file of [
      "parse/charset.ts",
      "extract/body.ts",
      "label/page/page-labeller.ts",
      "write/markdown.ts",
    ])
      expect(own).toContain(file);
  });

  it("loads no module of Node.js and no library that browsers cannot run", () => {
    const wrong = imports.filter(({ from, to, isType }) => {
      if (isType || !reached.has(from) || files.includes(to)) return false;
      return !IN_BROWSERS.some((library) => to === library || to.startsWith(`${library}/`));
    });
    expect(wrong).toEqual([]);
  });

  it.each(own)("%s uses no global that exists only in Node.js", (file) => {
    const code = read(file).replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
    expect(code).not.toMatch(/\b(?:Buffer|setImmediate|__dirname|createRequire)\b|\bprocess\./);
  });
});

describe("every source file", () => {
  it.each(files)("%s opens with a comment on what it does", (file) => {
    expect(read(file)).toMatch(/^\/\*\*(?:(?!\*\/).){15,}\*\//s);
  });

  it.each(files)("%s prints nothing and reads no environment variable outside cli/", (file) => {
    if (file.startsWith("cli/") || [READS_ENVIRONMENT, WRITES_ENVIRONMENT].includes(file)) return;
    expect(read(file)).not.toMatch(/\bconsole\.|process\.(env|stdout|stderr|stdin)\b/);
  });
});

describe("paths named in prose", () => {
  const documents = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "fixtures/README.md",
    ...below("docs", /\.md$/),
    ...below("bench", /^bench\/(?:[\w-]+\/)?[\w-]+\.md$/).filter(
      (file) => !file.startsWith("bench/results/"),
    ),
    ...below("models", /^models\/(?:[\w-]+\/)?README\.md$/),
  ];
  it("are searched for in more than 20 documents", () => {
    expect(documents.length).toBeGreaterThan(20);
  });
  it.each(documents)("exist, in %s", (document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const named = [
      ...text.matchAll(
        /`((?:src|models|fixtures|bench|test|bin|docs)\/[\w./-]+)`|\]\((?!https?:|#)([\w./-]+)(?:#[^)\s]*)?\)/g,
      ),
    ]
      .map((match) => match[1] ?? posix.join(posix.dirname(document), match[2] ?? ""))
      .filter((path) => !/[<…]/.test(path));
    const present = new Set(readdirSync(ROOT, { recursive: false, encoding: "utf8" }));
    for (const path of named) {
      expect(present.has(path.split("/")[0] ?? ""), path).toBe(true);
      expect(() => readdirSync(dirname(join(ROOT, path))), path).not.toThrow();
      expect(readdirSync(dirname(join(ROOT, path))), path).toContain(
        path.replace(/\/$/, "").split("/").at(-1),
      );
    }
  });

  it("link only to headings that exist", () => {
    const links = documents.flatMap((document) => {
      const text = readFileSync(join(ROOT, document), "utf8");
      return [...text.matchAll(/\]\((?!https?:)([\w./-]*)#([^)\s]+)\)/g)].map(
        ([, path = "", anchor = ""]) => ({
          document,
          target: path === "" ? document : join(dirname(document), path),
          anchor,
        }),
      );
    });
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(({ target, anchor }) => !anchorsOf(target).includes(anchor))).toEqual([]);
  });

  it("include every page of the documentation in docs/README.md", () => {
    const index = readFileSync(join(ROOT, "docs", "README.md"), "utf8");
    const pages = readdirSync(join(ROOT, "docs")).filter(
      (name) => name.endsWith(".md") && name !== "README.md",
    );
    expect(pages.length).toBeGreaterThan(5);
    for (const page of pages) expect(index).toContain(`(${page})`);
  });

  it("include every room and every shelf in CONTRIBUTING.md", () => {
    const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
    const foldersOf = (folder: string): string[] =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const rooms = foldersOf(SRC);
    expect(rooms.filter((room) => !guide.includes(`\`src/${room}/\``))).toEqual([]);
    for (const room of rooms) {
      const row = guide.split("\n").find((line) => line.startsWith(`| \`src/${room}/\``)) ?? "";
      const named = [...(row.split("|")[3] ?? "").matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
      expect(named.sort(), room).toEqual(foldersOf(join(SRC, room)).sort());
    }
  });
});

/** The anchors of a document's headings, as Markdown viewers make them: without punctuation, and with a hyphen for each space. */
function anchorsOf(document: string): string[] {
  const headings = readFileSync(join(ROOT, document), "utf8").match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the helper files of the tests", () => {
  it("have no hooks, because a hook would run only for the first test file that imports it", () => {
    const shared = below("test", /(?<!\.test)\.ts$/);
    expect(shared.length).toBeGreaterThan(10);
    const hook = /^(?:before|after)(?:All|Each)\(/m;
    expect(shared.filter((path) => hook.test(readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
  });
});
