import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { describe, expect, it } from "vitest";

describe("a bundle of the core", () => {
  it("is built by Vite without configuration, warnings or other imports", { timeout: 60_000 }, async () => {
    const warnings: string[] = [];
    const result = await build({
      configFile: false,
      logLevel: "silent",
      publicDir: false,
      build: {
        write: false,
        minify: false,
        lib: { entry: join(process.cwd(), "src/core/core.ts"), formats: ["es"], fileName: "core" },
        rolldownOptions: { onLog: (_level, { message }) => void warnings.push(message) },
      },
    });
    const [first] = [result].flat() as Rolldown.RolldownOutput[]; // no watcher, because nothing is watched
    const chunks = (first?.output ?? []).flatMap((file) => (file.type === "chunk" ? [file] : []));
    const own = new Set(chunks.map(({ fileName }) => fileName));
    const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
    expect(outside.filter((name) => !own.has(name))).toEqual([]);
    expect(warnings.filter((message) => /not exported|resolve|externalized/i.test(message))).toEqual([]);
    expect(chunks.some(({ code }) => code.includes("__vite-browser-external"))).toBe(false);
  });
});
