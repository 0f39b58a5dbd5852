import { describe, expect, it } from "vitest";
import { createNpmSystem, NPM_SYSTEMS } from "../../../bench/systems/npm.js";
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
    expect(empty).toMatchObject({ ok: true, text: "" });
    expect(system.describe).toMatch(/^\d+\.\d+\.\d+: .*linkedom \d+\.\d+\.\d+, Node \d+/);
  });

  // linkedom parses the first one literally, and makes a tree of the others that differs from every browser's.
  it.each([
    ["without html and body", PAGE.replace(/<html>.*<body>/s, "<!-- a fragment -->\n<img src=x.gif><br>")],
    ["without a body", PAGE.replace("<body>", "")],
    ["whose head does not end", PAGE.replace("</head><body>", "")],
  ])("%s: gives every rival the same page as a browser", async (_, html) => {
    for (const name of NPM_SYSTEMS) {
      const system = await createNpmSystem(name);
      const output = await system.run(page("crane", html));
      await system.close();
      expect(
        output.ok ? output.text.split("\n").filter((line) => line === SENTENCE).length : output,
        name,
      ).toBe(8);
    }
  });

  it("is unavailable if its name is unknown", async () => {
    await expect(createNpmSystem("toString")).rejects.toThrow("no npm system is called toString");
  });
});
