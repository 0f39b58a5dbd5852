/** Builds what browsers load: an ES module with its worker and models, and the playground as one file. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { packModel } from "./pack-model.js";

const MODELS = { page: "page-6", text: "text-7" } as const;

export interface BuiltFile {
  readonly name: string;
  readonly bytes: number;
  /** The size in bytes as a server sends it with gzip. */
  readonly gzipped: number;
}

/** Writes `dist/browser/` of the project at `root`, and returns its files. */
export async function buildBrowser(root: string): Promise<BuiltFile[]> {
  const out = join(root, "dist", "browser");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const models = Object.fromEntries(
    Object.entries(MODELS).map(([kind, folder]) => [kind, packModel(join(root, "models", folder)).bytes]),
  );
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "thresher.js": await bundle(root, "browser/thresher.ts"),
    "worker.js": await bundle(root, "browser/worker.ts", { outside: "./thresher.js" }),
    ...Object.fromEntries(Object.entries(models).map(([kind, bytes]) => [`${kind}.model`, bytes])),
    "playground.html": await buildPlayground(root, models),
  };
  return Object.entries(files).map(([name, content]) => {
    writeFileSync(join(out, name), content);
    const bytes = Buffer.from(content);
    return { name, bytes: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
  });
}

interface BundleOptions {
  /** A module that is not bundled, but stays a file of its own. */
  readonly outside?: string;
  /** Texts that code imports as `virtual:NAME`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Bundles an entry and all its imports into one ES module, and returns its code. Throws when more than one file
 * results.
 */
async function bundle(
  root: string,
  entry: string,
  { outside, texts = {} }: BundleOptions = {},
): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    resolve: {
      alias: [
        { find: "thresher/core", replacement: join(root, "dist/core/core.js") },
        { find: "@exodus/bytes/encoding.js", replacement: join(root, "browser/build/encoding.ts") },
        // This entry has separate modules, so that unused code can be left out.
        { find: "linkedom/worker", replacement: "linkedom" },
        { find: "@acemir/cssom", replacement: join(root, "browser/build/no-styles.ts") },
        // The original tries to load the package `canvas` of Node.js.
        {
          find: /^.*commonjs\/canvas\.cjs$/,
          replacement: join(root, "node_modules/linkedom/commonjs/canvas-shim.cjs"),
        },
      ],
    },
    plugins: [
      {
        name: "texts",
        resolveId: (id) => (id.startsWith("virtual:") ? `\0${id}` : undefined),
        load: (id) =>
          id.startsWith("\0virtual:") ? `export default ${JSON.stringify(texts[id.slice(9)])}` : undefined,
      },
    ],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      lib: { entry: join(root, entry), formats: ["es"], fileName: "bundle" },
      rolldownOptions: {
        external: (id) => id === outside,
        // Vite keeps the whitespace of libraries; it is removed here, because nothing bundles this file again.
        output: { codeSplitting: false, minify: true },
      },
      minify: true,
    },
  });
  const [first] = [result].flat() as Rolldown.RolldownOutput[]; // without `watch` it is not a watcher
  const [chunk, ...more] = first?.output ?? [];
  if (chunk?.type !== "chunk" || more.length > 0) throw new Error(`${entry} did not become one module`);
  return chunk.code;
}

/**
 * Builds one file that needs no other, so that it works from a disk, where browsers load neither modules nor workers.
 */
async function buildPlayground(root: string, models: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const worker = await bundle(root, "browser/playground/worker.ts");
  const script = inScript(await bundle(root, "browser/playground/playground.ts", { texts: { worker } }));
  const read = (name: string): string => readFileSync(join(root, "browser/playground", name), "utf8");
  const style = read("playground.css");
  const data = Object.entries(models).map(
    ([kind, bytes]) =>
      `<script type="text/plain" id="model-${kind}">${Buffer.from(bytes).toString("base64")}</script>`,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts: Readonly<Record<string, string>> = {
    policy,
    style: `<style>${style}</style>`,
    models: data.join("\n"),
    script: `<script type="module">${script}</script>`,
  };
  return read("playground.html")
    .replace(/<!-- (\w+) -->/g, (_, name: string) => parts[name] ?? "")
    .replace("POLICY", () => policy);
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Escapes what could end a script element early or start an HTML comment. */
function inScript(code: string): string {
  return code.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "\\x3c!--");
}
