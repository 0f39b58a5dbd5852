import { describe, expect, it } from "vitest";
import { createChildSystem } from "../../../bench/systems/child.js";
import type { System, SystemOutput } from "../../../bench/systems/system.js";
import { createBrokenSystem, page, type Way } from "./broken/systems.js";

/** Runs the pages one after the other, and ends the process. */
async function runAll(way: Way, ids: readonly string[], timeoutMs?: number): Promise<SystemOutput[]> {
  const system = await createBrokenSystem(way, timeoutMs);
  try {
    const outputs: SystemOutput[] = [];
    for (const id of ids) outputs.push(await system.run(page(id, `<p>text of ${id}</p>`, { url: id })));
    return outputs;
  } finally {
    await system.close();
  }
}

const texts = (outputs: readonly SystemOutput[]): string[] =>
  outputs.map((output) => (output.ok ? output.text.trim() : output.failure));

describe("a system in a process", () => {
  it("returns the text of each page, with its cost", async () => {
    const [first, second] = await runAll("works", ["a", "b"]);
    expect(texts([first!, second!])).toEqual(["text of a", "text of b"]);
    expect(first?.cost?.cpuMs).toBeGreaterThan(0);
    expect(first?.cost?.wallMs).toBeGreaterThan(0);
    expect(first?.cost?.peakBytes).toBeGreaterThan(10_000_000);
  });

  it("reports its version, its options and its start-up cost", async () => {
    const system = await createBrokenSystem("works");
    expect(system.describe).toMatch(/^0: works, Node \d+/);
    expect(system.start?.wallMs).toBeGreaterThan(system.start?.cpuMs === undefined ? Infinity : 5);
    expect(system.start?.rssBytes).toBeGreaterThan(10_000_000);
    await system.close();
  });

  it("counts an exception as the crash of one page, and keeps the process", async () => {
    const outputs = await runAll("throws", ["bad", "fine"]);
    expect(outputs[0]).toMatchObject({
      ok: false,
      failure: "crash",
      detail: "RangeError: this page is too much",
    });
    expect(texts(outputs)).toEqual(["crash", "text of fine"]);
  });

  it.each(["hangs", "waits"] as const)(
    "kills one that %s, counts a time-out, and starts it again",
    async (way) => {
      const outputs = await runAll(way, ["bad", "fine", "bad", "fine"], 1500);
      expect(texts(outputs)).toEqual(["timeout", "text of fine", "timeout", "text of fine"]);
      expect(outputs[0]).toMatchObject({ cost: { wallMs: 1500 } });
    },
  );

  it("counts the death of the process as the crash of one page", async () => {
    const outputs = await runAll("dies", ["fine", "bad", "fine"]);
    expect(texts(outputs)).toEqual(["text of fine", "crash", "text of fine"]);
    expect(outputs[1]).toMatchObject({ detail: "signal SIGSEGV" });
  });

  it("reports the last words of a process that exits", async () => {
    const outputs = await runAll("leaves", ["bad", "fine"]);
    expect(outputs[0]).toMatchObject({ failure: "crash", detail: "exit code 7: out of luck" });
    expect(texts(outputs)).toEqual(["crash", "text of fine"]);
  });

  it("passes on the replies of a broken system unchanged", async () => {
    expect(texts(await runAll("other", ["a", "b"]))).toEqual(["nothing was asked before", "text of a"]);
    expect(texts(await runAll("twice", ["a"]))).toEqual(["text of a\n\n\ntext of a"]);
  });

  it("ignores what a library prints", async () => {
    expect(texts(await runAll("prints", ["a", "b"]))).toEqual(["text of a", "text of b"]);
  });

  it("is unavailable if it refuses to start, and says why", async () => {
    await expect(createBrokenSystem("refuses")).rejects.toThrow("refuses: the option does not fit");
    await expect(createBrokenSystem("falls")).rejects.toThrow("falls: did not start (exit code 9)");
    const absent = createChildSystem({
      name: "absent",
      takes: "pages",
      command: "/nowhere/at-all",
      args: [],
      advice: "install it",
    });
    await expect(absent).rejects.toMatchObject({ name: "SystemUnavailable" });
    await expect(absent).rejects.toThrow(/absent: did not start \(.*ENOENT.*\); install it/);
  });

  it("processes pages one at a time when they are passed at once", async () => {
    const system = await createBrokenSystem("works");
    const ids = ["a", "b", "c", "d", "e"];
    const outputs = await Promise.all(ids.map((id) => system.run(page(id, id))));
    expect(texts(outputs)).toEqual(ids);
    await system.close();
  });

  it("reads a reply that came in time while this process was busy", async () => {
    const system = await createBrokenSystem("works", 300);
    const output = system.run(page("a", "a"));
    await Promise.resolve(); // now the page is sent
    const until = performance.now() + 600;
    while (performance.now() < until);
    expect(texts([await output])).toEqual(["a"]);
    await system.close();
  });

  it("accepts large pages, lone surrogates and line breaks", async () => {
    const system: System = await createBrokenSystem("works");
    const large = "word ".repeat(1_000_000);
    const output = await system.run(page("large", large));
    expect(output.ok && output.text === large).toBe(true);
    expect(texts([await system.run(page("half", "a\uD800b \u{1F600}"))])).toEqual(["a\uFFFDb \u{1F600}"]);
    const withoutPage = { id: "lines", corpus: "test", lang: "en", split: "test", url: "" };
    const lines = ["one", "two\u2028", ""].map((text) => ({ text, label: 1 as const }));
    expect(await system.run({ ...withoutPage, lines })).toMatchObject({ ok: true, text: "one\ntwo\u2028\n" });
    await system.close();
  });
});
