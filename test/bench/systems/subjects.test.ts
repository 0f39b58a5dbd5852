import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFields } from "../../../bench/systems/protocol.js";
import { findSystems, SYSTEMS } from "../../../bench/systems/registry.js";
import { ROOT } from "../../../bench/systems/root.js";
import { SUBJECTS } from "../../../bench/systems/subject.js";
import { NPM_SYSTEMS } from "../../../bench/systems/npm.js";
import { PYTHON_SUBJECTS } from "../../../bench/systems/python.js";
import type { SystemOutput } from "../../../bench/systems/system.js";
import { page } from "./broken/systems.js";

const hasRivals = existsSync(join(ROOT, ".venv", "rivals.json"));
const hasMercury = isInstalled("@jocmp/mercury-parser");
const PARTS = Object.keys(PYTHON_SUBJECTS);

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false; // it is not installed
  }
}

const SENTENCE =
  "The harbour master said on Monday that the old crane, which had stood by the water for more than a hundred years, would be taken down before the winter storms.";
const PAGE = `<!DOCTYPE html><html lang="en"><head><title>The crane | The Quay</title>
<meta property="og:site_name" content="The Quay"><meta name="author" content="Ann Lee">
<meta property="article:published_time" content="2021-03-04T10:00:00Z"></head><body>
<nav><a href="/">Home</a></nav><article><h1>The crane by the water</h1>${`<p>${SENTENCE}</p>`.repeat(6)}
<h2>What comes next</h2><p>It is <b>not</b> sold; see the <a href="/law">law</a>.</p>${`<p>${SENTENCE}</p>`.repeat(3)}</article></body></html>`;

async function run(name: string, subject: "structure" | "metadata", html = PAGE): Promise<SystemOutput> {
  const [entry] = findSystems([name], subject);
  const system = await entry!.create({ timeoutMs: 30_000 });
  try {
    return await system.run(page("crane", html, { url: "https://quay.example/crane" }));
  } finally {
    await system.close();
  }
}

function isHere(name: string): boolean {
  return name === "mercury-parser" ? hasMercury : hasRivals || !PARTS.includes(name);
}

const namesOf = (subject: "structure" | "metadata"): string[] =>
  findSystems(["all"], subject).map(({ name }) => name);

describe("a system asked for structure", () => {
  it.each(namesOf("structure").filter(isHere))("returns HTML or Markdown: %s", async (name) => {
    const output = await run(name, "structure");
    if (!output.ok) throw new Error(output.detail);
    const { form, source } = output.markup ?? { form: "none", source: "" };
    expect(source).toMatch(form === "html" ? /<h2\b[^>]*>\s*What comes next/ : /^## What comes next$/m);
    expect(source).toContain("/law");
  });
});

describe("a system asked for metadata", () => {
  it.each(namesOf("metadata").filter(isHere))("returns what the page says about itself: %s", async (name) => {
    const output = await run(name, "metadata");
    if (!output.ok) throw new Error(output.detail);
    expect(output.fields?.date).toMatch(/^2021-03-04/);
    if (name === "htmldate") return;
    expect(output.fields?.title).toMatch(/^The crane/);
    // as text or as a list; Mercury Parser reads authors in other places only
    if (name !== "mercury-parser") expect([output.fields?.author].flat()).toEqual(["Ann Lee"]);
  });

  it("may return nothing, which is not a failure", async () => {
    const output = await run("page", "metadata", "<html><body></body></html>");
    expect(output).toMatchObject({ ok: true, fields: {} });
  });
});

describe("the names of systems", () => {
  it("default to those that work on lines", () => {
    expect(findSystems(["all"])).toEqual(SYSTEMS);
    for (const name of NPM_SYSTEMS) expect(namesOf("structure")).toContain(name);
    expect(SYSTEMS.map(({ name }) => name)).not.toContain("htmldate");
    expect(() => findSystems(["htmldate"], "structure")).toThrow('no system "htmldate" whose structure can');
    expect(SUBJECTS[0]).toBe("lines");
  });

  it("may be combinations of ours, but not files", () => {
    expect(findSystems(["ours:focus=recall"], "metadata")[0]?.group).toBe("ours");
    expect(() => findSystems(["package.json"], "metadata")).toThrow("whose metadata can be measured");
  });
});

describe("the fields of a reply", () => {
  it("accept text or lists of text, and ignore all other values", () => {
    const fields = {
      title: "A",
      author: ["B", 3, "C"],
      date: 20210304,
      site: null,
      image: { url: "x" },
      other: "y",
    };
    expect(readFields(fields)).toEqual({ title: "A", author: ["B", "C"] });
  });
});
