import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BIN, thresher } from "../run.js";

// Tests completion as the shells request it, with the script that the command prints.

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

/** A typed line, words that are offered for its last word, and one that is not. */
const CASES: readonly (readonly [line: string, offered: readonly string[], not: string])[] = [
  ["thresher --focus ", ["balanced", "precision", "recall"], "text"],
  ["thresher cr", ["crawl"], "clean"],
  ["thresher completion ", ["bash", "fish", "zsh"], "package.json"],
  ["thresher --keep-", ["--keep-boilerplate"], "--keep-all"],
  ["thresher package.js", ["package.json"], "crawl"],
  ["thresher clean --to mark", ["markdown"], "text"],
  ["thresher crawl --any-", ["--any-host"], "--same-host"],
  ["thresher x.html --filter min-", ["min-words", "min-word-length"], "digits"],
  ["thresher sha", ["shard"], "serve"],
  ["thresher shard ", ["merge", "plan", "retry-rejects", "run", "status", "verify"], "package.json"],
  ["thresher shard plan --shard-", ["--shard-size"], "--save-every"],
  ["thresher shard run package.js", ["package.json"], "plan"],
  ["thresher x.html -o package.js", ["package.json"], "bench"],
];

let env: NodeJS.ProcessEnv;

beforeAll(() => {
  const work = mkdtempSync(join(tmpdir(), "thresher-completion-"));
  writeFileSync(join(work, "thresher"), `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`);
  chmodSync(join(work, "thresher"), 0o755);
  env = { ...process.env, PATH: `${work}${delimiter}${process.env["PATH"] ?? ""}`, HOME: work };
});

const run = (shell: string, args: readonly string[], script: string): string =>
  execFileSync(shell, [...args, script], { encoding: "utf8", env });

/** Checks the answers to all lines, which the shell prints as one block per line. */
function check(text: string): void {
  const blocks = text.split("== \n").map((block) => block.split("\n").map((line) => line.split("\t")[0]));
  for (const [at, [line, offered, not]] of CASES.entries()) {
    expect(blocks[at], line).toEqual(expect.arrayContaining([...offered]));
    expect(blocks[at], line).not.toContain(not);
  }
}

describe.skipIf(process.platform === "win32")("completion", { timeout: 60_000 }, () => {
  it("works in bash", () => {
    const asked = CASES.map(([line]) => {
      const words = line.split(" ").map((word) => `"${word}"`);
      return `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _thresher; printf '%s\\n' "\${COMPREPLY[@]}"; echo "== "`;
    });
    const split = `COMP_WORDS=(thresher --focus = p); COMP_CWORD=3; _thresher; echo "\${COMPREPLY[*]}"`;
    const text = run(
      "bash",
      ["--norc", "-c"],
      [
        "source <(thresher completion bash)",
        "complete -p thresher",
        'echo "== "',
        split,
        'echo "== "',
        ...asked,
      ].join("\n"),
    );
    const [registered, equals, ...blocks] = text.split("== \n");
    expect(registered).toBe("complete -F _thresher thresher\n");
    expect(equals).toBe("precision\n");
    check(blocks.join("== \n"));
  });

  it.skipIf(!isThere("fish"))("works in fish", () => {
    const asked = CASES.map(([line]) => `complete -C '${line}'; echo "== "`);
    check(run("fish", ["--no-config", "-c"], ["thresher completion fish | source", ...asked].join("\n")));
  });

  // It waits fixed times for a terminal, which a busy machine exceeds.
  it.skipIf(!isThere("zsh") || process.env["CI"] !== undefined)("works in zsh", () => {
    // Completion needs a terminal, which zpty provides. A single answer is inserted, and several are listed.
    const asked = CASES.map(
      ([line]) =>
        `zpty -w -n z '${line}'$'\\t\\t'; sleep 0.4; out=; while zpty -r -t z part 2>/dev/null; do out+=$part; done; print -r -- \${(V)out}; echo "== "; zpty -w -n z $'\\x15'; sleep 0.1; while zpty -r -t z part 2>/dev/null; do :; done`,
    );
    const start = `PS1=; autoload -Uz compinit; compinit -u -D; source <(thresher completion zsh); setopt nolistambiguous; echo RE""ADY`;
    const script = `zmodload zsh/zpty; zpty z zsh -f -i; zpty -w z '${start}'; zpty -r -m z out '*READY*'; sleep 0.3; while zpty -r -t z part 2>/dev/null; do :; done\n${asked.join("\n")}`;
    const blocks = run("zsh", ["-f", "-c"], script).split("== \n");
    for (const [at, [line, offered]] of CASES.entries())
      for (const word of offered)
        // A single answer is inserted after the typed text, and several are listed.
        expect(blocks[at], line).toContain(
          offered.length > 1 ? word : word.slice(line.split(" ").at(-1)?.length),
        );
  });

  it("rejects an unknown shell, and lists the known ones", async () => {
    const { code, stderr } = await thresher(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish");
  });
});
