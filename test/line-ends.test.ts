import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const isClone = spawnSync("git", ["rev-parse", "HEAD"]).status === 0;

const git = (...words: string[]): Buffer => execFileSync("git", words);

it.runIf(isClone)("keeps the exact bytes of models and fixtures in a clone on Windows", () => {
  for (const path of [
    "models/page-6/types.json",
    "models/page-6/model.json",
    "bin/thresher.js",
    "fixtures/pages/charset-windows-1252/source.html",
  ]) {
    // What Git for Windows writes for a file whose line ends .gitattributes does not fix.
    const written = git("-c", "core.autocrlf=true", "cat-file", "--filters", `HEAD:${path}`);
    expect(written.equals(git("cat-file", "blob", `HEAD:${path}`)), path).toBe(true);
  }
});
