import { describe, expect, it } from "vitest";
import { createNpmSystem, NPM_SYSTEMS } from "../../bench/systems/npm.js";
import { page } from "./broken/systems.js";

const SENTENCE =
  "The harbour master said on Monday that the old crane would be taken down before the winter storms.";
const PAGE = `<html><head><title>The crane</title></head><body><nav><a href="/">Home</a> <a href="/n">News</a></nav>
<article><h1>The crane</h1>${`<p>${SENTENCE}</p>`.repeat(8)}<p>First<br>second</p></article></body></html>`;

describe("an npm rival", () => {
  it.each(NPM_SYSTEMS)("%s reads a page, block by block", async (name) => {
    const system = await createNpmSystem(name);
    const output = await system.run(page("crane", PAGE));
    const empty = await system.run(page("empty", ""));
    await system.close();
    if (!output.ok) throw new Error(output.detail);
    expect(output.text.split("\n").filter((line) => line === SENTENCE)).toHaveLength(8);
    expect(output.text).toContain("First\nsecond");
    expect(output.text).not.toContain("Home");
    expect(output.cost?.cpuMs).toBeGreaterThan(0);
    expect(empty.ok ? empty.text : empty.failure).toMatch(/^(?:|crash)$/);
    expect(system.describe).toMatch(/^\d+\.\d+\.\d+: .*linkedom \d+\.\d+\.\d+, Node \d+/);
  });

  it("that is not known cannot be had", async () => {
    await expect(createNpmSystem("toString")).rejects.toThrow("no npm system is called toString");
  });
});
