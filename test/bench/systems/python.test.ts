import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createPythonSystem, PYTHON_SYSTEMS } from "../../../bench/systems/python.js";
import { ROOT } from "../../../bench/systems/root.js";
import type { SystemOutput } from "../../../bench/systems/system.js";
import { page } from "./broken/systems.js";

const FOLDER = join(ROOT, "bench", "systems", "python");
const VENV = join(ROOT, ".venv");
/** The rivals have their own install command; without them, the tests that need none still run. */
const hasRivals = existsSync(join(VENV, "rivals.json"));
const hasPython = spawnSync("python3", ["-c", "import venv, ensurepip"]).status === 0;

/** A page with a menu, a story and a footer, long enough for every rival. */
const SENTENCE =
  "The harbour master said on Monday that the old crane, which had stood by the water for more than a hundred years, would be taken down before the winter storms, because the ground under it had begun to give way and nobody could say how long it would hold.";
const PAGE = `<!DOCTYPE html><html lang="en"><head><title>The crane</title></head><body>
<nav><ul>${["Home", "News", "Sport"].map((word) => `<li><a href="/${word}">${word}</a></li>`).join("")}</ul></nav>
<article><h1>The crane by the water</h1>${`<p>${SENTENCE}</p>`.repeat(6)}</article>
<footer><p><a href="/terms">Terms of use</a></p></footer></body></html>`;

const install = (args: readonly string[], env = process.env): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, [join(FOLDER, "install.js"), ...args], { env, encoding: "utf8" });

describe("a Python system", () => {
  it("is unavailable without the environment, and says how to create it", async () => {
    const system = createPythonSystem("trafilatura", { venv: join(tmpdir(), "no-such-environment") });
    await expect(system).rejects.toThrow(
      "trafilatura: there is no Python environment; npm run bench:rivals installs",
    );
    await expect(system).rejects.toMatchObject({ name: "SystemUnavailable" });
  });

  it.runIf(hasRivals)(
    "fails only on the page that breaks it, whichever way it breaks",
    { timeout: 60_000 },
    async () => {
      const PYTHONPATH = fileURLToPath(new URL("broken/python", import.meta.url));
      const system = await createPythonSystem("inscriptis", { timeoutMs: 2000, env: { PYTHONPATH } });
      const outputs: SystemOutput[] = [];
      const htmls = [
        "fine 1",
        "raise",
        "recurse",
        "fine 2",
        "exit",
        "fine 3",
        "hang",
        "fine 4",
        "abort",
        "fine 5",
      ];
      for (const html of htmls) outputs.push(await system.run(page(html, html)));
      await system.close();
      expect(
        outputs.map((output) => (output.ok ? output.text : `${output.failure}: ${output.detail}`)),
      ).toEqual([
        "fine 1",
        "crash: ValueError: this page is too much",
        expect.stringMatching(/^crash: RecursionError/),
        "fine 2",
        "crash: exit code 1: out of luck",
        "fine 3",
        "timeout: no answer within 2 s",
        "fine 4",
        expect.stringMatching(/^crash: signal SIGABRT/),
        "fine 5",
      ]);
    },
  );

  it.runIf(hasRivals).each(PYTHON_SYSTEMS)("%s reads a page", async (name) => {
    const system = await createPythonSystem(name);
    const output = await system.run(page("crane", PAGE));
    const empty = await system.run(page("empty", "<html><body></body></html>"));
    await system.close();
    if (!output.ok) throw new Error(output.detail);
    expect(output.text.replace(/\s+/g, " ")).toContain(SENTENCE);
    expect(output.cost?.cpuMs).toBeGreaterThan(0);
    expect(output.cost?.peakBytes).toBeGreaterThan(5_000_000);
    // Some find nothing, and some raise; none may find text.
    if (empty.ok) expect(empty.text.trim()).toBe("");
    const pins = readFileSync(join(FOLDER, "requirements.txt"), "utf8");
    expect(pins).toContain(`==${system.describe.split(":")[0] ?? "?"}\n`);
  });

  it.runIf(hasRivals)("uses jusText's stop list for the language of the page", async () => {
    const german =
      "<p>Der Hafenmeister sagte am Montag, dass der alte Kran, der mehr als hundert Jahre am Wasser gestanden hatte, noch vor den Stürmen des Winters abgebaut wird, weil der Boden unter ihm nachgegeben hat und niemand sagen konnte, wie lange er noch halten würde.</p>".repeat(
        4,
      );
    const system = await createPythonSystem("justext");
    const lengths: Record<string, boolean> = {};
    for (const lang of ["de", "de-AT", "fi", "und", ""]) {
      const output = await system.run(page(lang, german, { lang }));
      lengths[lang] = output.ok && output.text.includes("Hafenmeister");
    }
    await system.close();
    // A list of another language finds no stop words; without a list, stop words do not count.
    expect(lengths).toEqual({ de: true, "de-AT": true, fi: false, und: true, "": true });
  });

  it.runIf(hasRivals)("rs-trafilatura names the type of a page", async () => {
    const system = await createPythonSystem("rs-trafilatura");
    const output = await system.run(page("crane", PAGE));
    await system.close();
    expect(output).toMatchObject({ ok: true, pageType: "article" });
  });

  it.runIf(hasRivals)("names only stop lists that jusText has", () => {
    const code =
      "import sys, justext; sys.path.insert(0, sys.argv[1]); import serve; print(sorted(set(serve.STOP_LISTS.values()) - justext.get_stoplists()))";
    const { stdout } = spawnSync(join(VENV, "bin", "python"), ["-c", code, FOLDER], { encoding: "utf8" });
    expect(stdout.trim()).toBe("[]");
  });
});

describe("the installation of the rivals", () => {
  it("pins every package", () => {
    const lines = readFileSync(join(FOLDER, "requirements.txt"), "utf8").split("\n");
    for (const line of lines) expect(line).toMatch(/^(?:#.*|[a-z][\w-]*(?:\[[a-z,]+\])?==\d+(?:\.\d+)+|)$/);
  });

  it("reports that Python is missing, and fails", () => {
    const { status, stderr } = install(["--venv", join(tmpdir(), "never-made")], { PATH: "/nonexistent" });
    expect(status).toBe(1);
    expect(stderr).toContain("need Python 3.10 or later");
    expect(existsSync(join(tmpdir(), "never-made"))).toBe(false);
  });

  it.runIf(hasPython)("installs the others if one fails, and records both", { timeout: 120_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "rivals-"));
    const makeWheel =
      "import sys, zipfile; w = zipfile.ZipFile('good_rival-1.0-py3-none-any.whl', 'w'); d = 'good_rival-1.0.dist-info/'; " +
      "w.writestr('good_rival.py', ''); w.writestr(d + 'METADATA', 'Metadata-Version: 2.1\\nName: good-rival\\nVersion: 1.0\\n'); " +
      "w.writestr(d + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n'); w.writestr(d + 'RECORD', ''); w.close()";
    expect(spawnSync("python3", ["-c", makeWheel], { cwd: folder }).status).toBe(0);
    const requirements = join(folder, "requirements.txt");
    writeFileSync(requirements, "# rivals\nbad-rival==2.0\ngood-rival==1.0\n# constraints\nunused==9\n");
    const venv = join(folder, "venv");
    const args = ["--venv", venv, "--requirements", requirements, "--", "--no-index", "--find-links", folder];
    const { status, stderr } = install(args);
    expect(stderr).toContain("bad-rival==2.0 could not be installed");
    expect(status).toBe(0);
    expect(JSON.parse(readFileSync(join(venv, "rivals.json"), "utf8"))).toMatchObject({
      rivals: [
        { name: "bad-rival", pinned: "2.0", error: expect.stringContaining("bad-rival") as string },
        { name: "good-rival", version: "1.0" },
      ],
    });
  });
});
