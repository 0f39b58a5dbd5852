/** Tests how the scripts of `models/train/` depend on each other: which folder may import which, without circles, and how files begin. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCRIPTS } from "./python.js";

const FILES = readdirSync(SCRIPTS, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.(?:py|js|sh)$/.test(path));
const MODULES = FILES.filter((path) => path.endsWith(".py"));
const FOLDERS = ["common", "own", "page", "text", "registers", "papers"] as const;
/** The other folders that files of a folder may import. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  common: [],
  own: ["common"],
  page: ["common"],
  text: ["common"],
  registers: ["common"],
  papers: ["common", "page", "text"],
};
const LOCAL = new RegExp(`^\\s*(?:from|import) ((?:${FOLDERS.join("|")})[\\w.]*)`, "gm");

const read = (path: string): string => readFileSync(join(SCRIPTS, path), "utf8");
const folderOf = (path: string): string => path.split("/")[0] ?? "";

/** Lists our modules that a module imports, anywhere in the file. */
function importsOf(path: string): string[] {
  return [...read(path).matchAll(LOCAL)].map((match) => `${(match[1] ?? "").replaceAll(".", "/")}.py`);
}

describe("the trainers' modules", () => {
  it.each(MODULES)("%s imports modules that exist, from allowed folders", (path) => {
    for (const imported of importsOf(path)) {
      expect(MODULES).toContain(imported);
      expect([folderOf(path), ...(MAY[folderOf(path)] ?? [])]).toContain(folderOf(imported));
    }
  });

  it("have no circular imports", () => {
    const left = new Map(MODULES.map((path) => [path, importsOf(path)]));
    expect([...left.values()].flat().length).toBeGreaterThan(100);
    let free: string[];
    do {
      free = [...left].filter(([, needed]) => needed.every((one) => !left.has(one))).map(([path]) => path);
      for (const path of free) left.delete(path);
    } while (free.length > 0);
    expect([...left.keys()]).toEqual([]);
  });

  it("are packages in every folder, so that none of the same name elsewhere on the path is imported instead", () => {
    const folders = new Set(MODULES.map((path) => path.replace(/\/[^/]*$/, "")));
    for (const folder of folders) expect(MODULES).toContain(`${folder}/__init__.py`);
  });
});

describe("the trainers' scripts in JavaScript", () => {
  const named = FILES.flatMap((path) =>
    [...read(path).matchAll(/\{([\w, ]+)\} = await built\("([^"]+)\.js"\)/g)].map(
      ([, names = "", built = ""]) => [path, built, names.split(",").map((name) => name.trim())] as const,
    ),
  );

  it("name modules of the program", () => {
    expect(named.length).toBeGreaterThan(20);
  });

  it.each(named)("%s imports from %s.js only names that exist there", async (_, built, names) => {
    const source = await readFile(join(SCRIPTS, "..", "..", "src", `${built}.ts`), "utf8");
    for (const name of names)
      expect(source).toMatch(new RegExp(`^export (?:async )?(?:const|function\\*?) ${name}\\b`, "m"));
  });
});

describe("every script", () => {
  it.each(FILES)("%s opens with a sentence whose verb says what it does", (path) => {
    expect(read(path)).toMatch(/^(?:"""|\/\*\*(?:\n \*)? |#!\/bin\/sh\n# )[A-Z][a-z]+s,? [^"*]{12,}/);
  });
});
