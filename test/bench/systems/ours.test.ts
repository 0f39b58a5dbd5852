import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_TYPES } from "thresher";
import { describe, expect, it } from "vitest";
import { findSystems } from "../../../bench/systems/registry.js";
import { ROOT } from "../../../bench/systems/root.js";
import type { GoldDocument } from "../../../bench/corpora/gold.js";
import type { CreateOptions, SystemOutput } from "../../../bench/systems/system.js";
import { page } from "./broken/systems.js";
import { MENU, PAGE, STORY } from "./story.js";

/** A model is missing while it is trained again; labellers without a model are tested anyway. */
const models = readdirSync(join(ROOT, "models"));
const absent = ["text", "page", "fasttext"].filter(
  (kind) =>
    !models.some(
      (name) => name.startsWith(`${kind}-`) && existsSync(join(ROOT, "models", name, "model.json")),
    ),
);
const withModel = (names: readonly string[]): string[] =>
  names.filter((name) => !absent.some((kind) => name.includes(kind)));

async function runOne(
  name: string,
  document: GoldDocument,
  options: CreateOptions = {},
): Promise<SystemOutput & { describe: string }> {
  const [entry] = findSystems([name]);
  const system = await entry!.create(options);
  try {
    return { ...(await system.run(document)), describe: system.describe };
  } finally {
    await system.close();
  }
}

describe("our own systems", () => {
  it("keeps every visible line with body alone, without scores", async () => {
    const output = await runOne("body", page("1", PAGE));
    if (!output.ok) throw new Error(output.detail);
    for (const text of [...MENU, "The crane", ...STORY]) expect(output.text).toContain(text);
    expect(output.lines?.every((line) => line.label === 1 && line.score === undefined)).toBe(true);
    expect(output.lines?.length).toBe(MENU.length + 1 + 2 * STORY.length);
    expect(output.cost?.cpuMs).toBeGreaterThan(0);
  });

  it("leaves the menu out with readability alone", async () => {
    const output = await runOne("readability", page("1", PAGE));
    expect(output.ok && output.text).toContain(STORY[0]);
    expect(output.ok && output.text).not.toContain("Contact");
  });

  it.each(withModel(["body+text", "body+rules"]))(
    "keeps dropped lines with their scores: %s",
    async (name) => {
      const output = await runOne(name, page("1", PAGE));
      if (!output.ok) throw new Error(output.detail);
      expect(output.lines?.filter((line) => line.label === 0).map((line) => line.text)).toEqual(
        expect.arrayContaining(MENU),
      );
      expect(output.lines?.some((line) => line.label === 1 && STORY.includes(line.text))).toBe(true);
      for (const { score } of output.lines ?? []) expect(score).toBeGreaterThanOrEqual(0);
      expect(output.text).not.toContain("Contact");
    },
  );

  it.each(withModel(["page", "readability+page"]))("reports the page type: %s", async (name) => {
    const output = await runOne(name, page("1", PAGE));
    if (!output.ok) throw new Error(output.detail);
    expect(PAGE_TYPES).toContain(output.pageType);
    for (const text of STORY) expect(output.text).toContain(text);
    expect(output.text).not.toContain("Contact");
  });

  it("returns the same text, without lines, if only the text is requested", async () => {
    for (const name of ["body+rules", "readability+rules"]) {
      const whole = await runOne(name, page("1", PAGE));
      const bare = await runOne(name, page("1", PAGE), { textOnly: true });
      expect(bare.ok && whole.ok && bare.text === whole.text, name).toBe(true);
      expect(whole.ok && (whole.lines?.length ?? 0), name).toBeGreaterThan(STORY.length);
      expect(bare.ok && bare.lines, name).toBeUndefined();
    }
  });

  it("returns only the lines that readability kept, without walking the rest", async () => {
    const output = await runOne("readability+rules", page("1", PAGE));
    if (!output.ok) throw new Error(output.detail);
    const texts = output.lines?.map(({ text }) => text) ?? [];
    expect(texts).toContain(STORY[0]);
    for (const text of MENU) expect(texts).not.toContain(text);
  });

  it.each(withModel(["none", "rules", "text", "fasttext"]))(
    "labels every line of a text one to one: %s",
    async (name) => {
      const lines = [...MENU, "", ...STORY].map((text) => ({ text, label: 1 as const }));
      const document = { id: "1", corpus: "test", lang: "en", split: "test", url: "", lines };
      const output = await runOne(name, document);
      if (!output.ok) throw new Error(output.detail);
      expect(output.lines?.map((line) => line.text)).toEqual(lines.map((line) => line.text));
      expect(output.text).toContain(STORY[1]);
    },
  );

  it("accepts pages and texts as justext-ours", async () => {
    const long = STORY.join(" ");
    const output = await runOne("justext-ours", page("1", PAGE.replace(STORY[0] ?? "", long)));
    expect(output.ok && output.text).toContain(long);
    expect(output.ok && output.text).not.toContain("Contact");
    const lines = [...MENU, long, ...STORY].map((text) => ({ text, label: 1 as const }));
    const text = await runOne("justext-ours", {
      id: "1",
      corpus: "test",
      lang: "en",
      split: "test",
      url: "",
      lines,
    });
    expect(text.ok && text.lines?.map(({ label }) => label)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  });

  it("uses the visible lines as raw if the gold has none", async () => {
    const output = await runOne("raw", page("1", PAGE));
    expect(output.ok && output.text).toContain("Contact");
    expect(output.cost).toBeUndefined();
  });

  it("returns an empty text for a page without text", async () => {
    expect(await runOne("body", page("1", "<html><body></body></html>"))).toMatchObject({
      ok: true,
      text: "",
      lines: [],
    });
  });

  it("runs any combination, identified by its settings and its fingerprint", async () => {
    const strict = await runOne("ours:extractor=body,labeller=rules,threshold=1", page("1", PAGE));
    const open = await runOne("ours:extractor=body,labeller=rules,threshold=0", page("1", PAGE));
    expect(strict.describe).toMatch(
      /: extractor=body, labeller=rules, threshold=1, fingerprint [0-9a-f]{16}, Node/,
    );
    expect(strict.describe).not.toBe(open.describe);
    expect(open.ok && strict.ok && open.text.length > strict.text.length).toBe(true);
  });

  it("is unavailable with settings that the package rejects", async () => {
    const folder = mkdtempSync(join(tmpdir(), "no-model-"));
    for (const name of [
      "ours:labeller=magic",
      "ours:extractor=magic",
      "ours:focus=magic",
      `ours:labeller=text,model=${folder}`,
    ]) {
      const [entry] = findSystems([name]);
      await expect(entry!.create(), name).rejects.toMatchObject({ name: "SystemUnavailable" });
    }
  });
});
