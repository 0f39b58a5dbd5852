import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const isClone = spawnSync("git", ["rev-parse", "HEAD"]).status === 0;

const git = (...words: string[]): Buffer => execFileSync("git", words);

it.runIf(isClone)("a clone on Windows holds the bytes that digests and fixtures are of", () => {
  for (const path of [
    "models/page-6/types.json",
    "models/page-6/model.json",
    "bin/thresher.js",
    "fixtures/pages/charset-windows-1252/source.html",
  ]) {
    // As Git for Windows writes a file where the clone does not say which line ends it wants.
    const written = git("-c", "core.autocrlf=true", "cat-file", "--filters", `HEAD:${path}`);
    expect(written.equals(git("cat-file", "blob", `HEAD:${path}`)), path).toBe(true);
  }
});
