/** Pages in processes beside this one: the same documents as here, and one page lost to each process that dies. */
import { execFile } from "node:child_process";
import { setMaxListeners } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Page } from "../../src/document.js";
import { createCleaner, openLabellers, type Cleaner } from "../../src/work/cleaner.js";
import { createProcesses, type ProcessesOptions } from "../../src/work/processes.js";
import { OPTIONS } from "./cleaner-options.js";

const never = new AbortController().signal;
setMaxListeners(0, never);
const html = (id: string, source: string): Page => ({ id, url: "", content: { kind: "html", html: source } });
const GOOD = html("good", "<p>One line that is long enough to be content, as rules see it.");
/** Keeps any extractor busy for a second or so. */
const LONG = html("long", `<p>${"word <b>bold</b> ".repeat(300_000)}`);
/** What a bug in an extractor would look like: it throws. */
const BUG: Page = { id: "bug", url: "", content: { kind: "html", html: 7 as unknown as string } };

const opened: Cleaner[] = [];
const open = (options: Partial<ProcessesOptions> = {}): Cleaner => {
  const cleaner = createProcesses({ ...OPTIONS, workers: 1, ...options });
  opened.push(cleaner);
  return cleaner;
};

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((cleaner) => cleaner.close()));
});

/** Numbers of the processes that this one started and that clean pages. */
async function findProcesses(): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)]);
  return stdout
    .split("\n")
    .filter((line) => line.includes("work/process-body.js"))
    .map((line) => Number.parseInt(line, 10));
}

describe("processes that clean pages", () => {
  it("give the same as this process, errors and all", async () => {
    const pages = readdirSync("fixtures/pages").map((slug): Page => {
      const bytes = new Uint8Array(readFileSync(`fixtures/pages/${slug}/source.html`));
      return { id: slug, url: "", content: { kind: "bytes", bytes, format: "html" } };
    });
    pages.push(BUG, html("empty", "<script>x</script>"), {
      id: "text",
      url: "",
      content: { kind: "text", text: "a\n\nb" },
    });
    const choice = await openLabellers(OPTIONS);
    const cleanAll = async (cleaner: Cleaner): Promise<unknown[]> => {
      const cleaned = await Promise.all(pages.map((page) => cleaner.clean(page, never)));
      return cleaned.map(({ ms, ...rest }) => ({ ...rest, tookTime: ms > 0 }));
    };
    const here = await cleanAll(createCleaner(OPTIONS, choice));
    expect(await cleanAll(open({ workers: 3 }))).toEqual(here);
    expect(JSON.stringify(here)).toContain('"reason":"crashed"');
    expect(await findProcesses()).toHaveLength(3);
  });

  it("start when there is work for them, and not before", async () => {
    const cleaner = open({ workers: 8 });
    await cleaner.clean(GOOD, never);
    await cleaner.clean(GOOD, never);
    expect(await findProcesses()).toHaveLength(1);
  });

  it("cost the page that they were at when they are killed, and no other", async () => {
    const cleaner = open();
    await cleaner.clean(GOOD, never);
    const [long, ...others] = [LONG, GOOD, GOOD, GOOD].map((page) => cleaner.clean(page, never));
    const [pid] = await findProcesses();
    process.kill(pid ?? 0, "SIGKILL");
    expect(await long).toMatchObject({
      outcome: { ok: false, id: "long", reason: "crashed", detail: "its process ended with SIGKILL" },
    });
    for (const other of await Promise.all(others)) expect(other.outcome.ok).toBe(true);
    expect(await findProcesses()).not.toContain(pid);
  });

  it("cost the page that fills their memory, and say so", async () => {
    const cleaner = open({ maxHeapMb: 24, workers: 2 });
    const bomb = html("bomb", `<div>${"<i>x</i> ".repeat(400_000)}</div>`);
    const cleaned = await Promise.all([GOOD, bomb, GOOD].map((page) => cleaner.clean(page, never)));
    expect(cleaned.map(({ outcome }) => outcome.ok)).toEqual([true, false, true]);
    expect(cleaned[1]?.outcome).toMatchObject({ reason: "out-of-memory", detail: "24 MB" });
  });

  it("are ended when they are at one page for too long", async () => {
    const cleaner = open({ maxPageMs: 300 });
    await cleaner.clean(GOOD, never);
    const endless = html("endless", `<p>${"word <b>bold</b> ".repeat(2_000_000)}`);
    const [long, ...others] = [endless, GOOD, GOOD].map((page) => cleaner.clean(page, never));
    expect(await long).toMatchObject({
      outcome: { ok: false, id: "endless", reason: "timeout", detail: "300 ms" },
    });
    for (const other of await Promise.all(others)) expect(other.outcome).toMatchObject({ ok: true });
  });

  it("let go at once when the caller gives up", async () => {
    const giveUp = new AbortController();
    const running = open().clean(LONG, giveUp.signal);
    giveUp.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("end with an error where none can be started", async () => {
    vi.stubEnv("NODE_OPTIONS", "--no-such-option");
    await expect(open().clean(GOOD, never)).rejects.toThrow(/before it began.*no-such-option/s);
  });

  it("hand on what is wrong with a model", async () => {
    await expect(open({ labeller: "text", modelDir: "fixtures" }).clean(GOOD, never)).rejects.toThrow(
      "the model in fixtures cannot be used",
    );
  });

  it("neither outlive the one that started them nor keep it alive", async () => {
    const body = `
      import { execFileSync } from "node:child_process";
      import { createProcesses } from "./dist/shard/processes.js";
      const cleaner = createProcesses({ ...${JSON.stringify(OPTIONS)}, workers: 1 });
      await cleaner.clean(${JSON.stringify(GOOD)}, new AbortController().signal);
      console.log(execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", body]);
    const pid = Number.parseInt(
      stdout.split("\n").find((line) => line.includes("work/process-body.js")) ?? "",
      10,
    );
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => {
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    }, 5_000);
  });
});
