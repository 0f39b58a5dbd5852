/** Tests the compiled program if onnxruntime-node is missing or broken, and without WebAssembly or its vectors. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installWithout } from "../../program-without.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NATIVE = "onnxruntime-node";
const FIXTURE = join(ROOT, "fixtures", "pages", "documentation-code-en", "source.html");
/** Each test starts the command several times. */
vi.setConfig({ testTimeout: 120_000 });

let place = "";

beforeAll(() => {
  // Packages of the same tree that depend on it are missing, too.
  place = installWithout([NATIVE, "@huggingface"]);
  writeFileSync(join(place, "page.html"), readFileSync(FIXTURE));
  writeFileSync(join(place, "note.txt"), "The sea rose slowly over the old harbour wall.\nThe wall held.\n");
}, 60_000);
afterAll(() => {
  rmSync(place, { recursive: true });
});

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], { root = place, node = [] as readonly string[] } = {}): Ran {
  const command = [...node, join(root, "bin", "thresher.js"), ...args];
  return spawnSync(process.execPath, command, { cwd: place, encoding: "utf8" });
}

function readEngine(): unknown {
  const stats = JSON.parse(readFileSync(join(place, "s.json"), "utf8")) as {
    readonly run: { engine?: string };
  };
  return stats.run.engine;
}

const PAGE = ["page.html", "--keep-boilerplate", "--to", "jsonl", "--stats", "s.json", "--quiet", "-j", "2"];

describe("without onnxruntime-node", () => {
  it("gives the same records for pages and texts, without a message", () => {
    for (const input of ["page.html", "note.txt"]) {
      const args = [input, ...PAGE.slice(1)];
      const bare = run(args);
      expect(bare).toMatchObject({ status: 0, stderr: "" });
      expect(readEngine()).toBe("portable (WebAssembly SIMD)");
      const whole = run(args, { root: ROOT });
      expect(readEngine()).toMatch(/^native \(onnxruntime-node \d/);
      expect(bare.stdout).toContain('"label":"content"');
      expect(bare.stdout).toBe(whole.stdout);
    }
  });

  it("lists in the models what is missing, and what runs instead", () => {
    const { status, stdout } = run(["models"]);
    expect(stdout).toMatch(
      /^native\tengine\tnot used\t.*is not installed; run: npm install .*onnxruntime-node@\d/m,
    );
    expect(stdout).toMatch(/^portable\tengine\tused\tWebAssembly SIMD$/m);
    expect(status).toBe(0);
  });

  it("rejects a requested engine, and says what to install, before anything is read", () => {
    const { status, stdout, stderr } = run([...PAGE, "--engine", "native"]);
    expect(stderr).toMatch(
      /the engine native needs an optional package that is not installed; run: npm install --ignore-scripts onnxruntime-node@\d/,
    );
    expect(stdout).toBe("");
    expect(status).toBe(2);
    expect(run([...PAGE, "--engine", "native", "--labeller", "rules"]).status).toBe(0);
    expect(run([...PAGE, "--engine", "fast"])).toMatchObject({ status: 2, stdout: "" });
  });

  it("treats a package that fails to load as missing", () => {
    const broken = join(place, "node_modules", NATIVE);
    mkdirSync(broken);
    writeFileSync(join(broken, "package.json"), JSON.stringify({ name: NATIVE, main: "index.js" }));
    writeFileSync(join(broken, "index.js"), 'throw new Error("libonnxruntime.so.1: cannot open\\nmore");');
    try {
      expect(run(PAGE)).toMatchObject({ status: 0, stderr: "" });
      expect(readEngine()).toBe("portable (WebAssembly SIMD)");
      expect(run(["models"]).stdout).toMatch(
        /cannot be loaded \(libonnxruntime.so.1: cannot open\); run: npm install/,
      );
    } finally {
      rmSync(broken, { recursive: true });
    }
  });
});

describe("without vectors", () => {
  // V8 sees a processor from before 2008.
  const OLD = ["--no-enable-sse4-1", "--no-enable-ssse3", "--no-enable-avx"];
  it.runIf(process.arch === "x64").each([
    ["on an old processor", OLD],
    ["without WebAssembly", ["--jitless"]],
  ])("uses plain JavaScript, %s", (_, node) => {
    const plain = run([...PAGE, "--engine", "portable"], { node });
    expect(readEngine()).toBe("portable (plain JavaScript)");
    expect(plain.status).toBe(0);
    expect(plain.stdout).toBe(run([...PAGE, "--engine", "native"], { root: ROOT }).stdout);
    expect(run(["models"], { node }).stdout).toMatch(/^portable\tengine\tused\tplain JavaScript$/m);
  });
});
