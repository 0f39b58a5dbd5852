import { cpSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openChoice, type ChoiceOptions } from "../../src/label/folder-choice.js";
import type { LabellerChoice } from "../../src/label/labeller-choice.js";
import { DEFAULT_TEXT_MODEL } from "../../src/label/models/shipped-models.js";
import { LABELLER_NAMES, labellerNeeds } from "../../src/label/names.js";
import { labellers } from "../../src/label/registry.js";
import { UsageError } from "../../src/outcome.js";
import { textDocument } from "./text/text-document.js";

const opened: LabellerChoice[] = [];
async function open(options: Partial<ChoiceOptions> = {}): Promise<LabellerChoice> {
  const choice = await openChoice({ focus: "balanced", mayAskText: false, ...options });
  opened.push(choice);
  return choice;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((choice) => choice.close()));
});

/** Makes a changed copy of the shipped text model. */
function copyModel(change: (about: Record<string, unknown>, folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "choice-"));
  cpSync(DEFAULT_TEXT_MODEL, folder, { recursive: true });
  const path = join(folder, "model.json");
  // model.json is an object.
  const about = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  change(about, folder);
  writeFileSync(path, JSON.stringify(about));
  return folder;
}

describe("openChoice", () => {
  it("sends pages to the page labeller and text to the text labeller, and loads each once", async () => {
    const choice = await open();
    expect(choice.names.map((name) => name.split("=")[0])).toEqual(["page", "text"]);
    const [page, again, text] = await Promise.all([choice.of("html"), choice.of("html"), choice.of("text")]);
    expect(again).toBe(page);
    expect(text).not.toBe(page);
    expect(await choice.ofText()).toBe(text);
    expect(choice.names).toEqual([`page=${page.name}`, `text=${text.name}`]);
  });

  it("sends everything to the named one", async () => {
    const choice = await open({ labeller: "rules" });
    expect(choice.names).toEqual(["rules"]);
    expect(await choice.of("html")).toBe(await choice.of("text"));
    expect((await choice.of("html")).name).toBe("rules");
  });

  it("names the text labeller if it judges comments", async () => {
    const names = (await open({ labeller: "none", mayAskText: true })).names;
    expect(names.map((name) => name.split("=")[0])).toEqual(["text", "none"]);
  });

  it("loads a model into the labeller of its kind, and changes its name", async () => {
    const shipped = await open();
    const modelDir = copyModel((about) => (about["name"] = "mine"));
    const choice = await open({ modelDir });
    expect(choice.names[0]).toBe(shipped.names[0]);
    expect(choice.names[1]).toMatch(/^text=mine@/);
    expect((await choice.of("text")).name).toMatch(/^mine@/);
    expect((await choice.of("html")).name).toBe((await shipped.of("html")).name);
  });

  it.each<[string, Partial<ChoiceOptions>]>([
    ["does not exist", { modelDir: "nowhere" }],
    ["is of an unknown kind", { modelDir: copyModel((about) => (about["kind"] = "table")) }],
    ["is for another labeller", { modelDir: DEFAULT_TEXT_MODEL, labeller: "rules" }],
    [
      "is for pages, but text is requested",
      { modelDir: copyModel((about) => (about["kind"] = "page")), labeller: "text" },
    ],
    [
      "was cut short",
      {
        modelDir: copyModel((_about, folder) => {
          truncateSync(join(folder, "table.bin"), 9);
        }),
      },
    ],
  ])("rejects at once a model that %s", async (_what, options) => {
    await expect(open(options)).rejects.toBeInstanceOf(UsageError);
  });

  it("closes what it opened, even if it is still loading, and nothing else", async () => {
    const document = textDocument(["A line of text."]);
    const choice = await openChoice({ focus: "balanced", mayAskText: true });
    const other = await open();
    const loading = choice.of("text");
    await choice.close();
    await expect((await loading).label([document])).rejects.toThrow();
    expect(await (await other.of("text")).label([document])).toHaveLength(1);
  });
});

describe("the registry", () => {
  it("has each labeller under its name", async () => {
    expect(Object.keys(labellers)).toEqual([...LABELLER_NAMES]);
    for (const name of LABELLER_NAMES) {
      const { create, modelDir } = labellers[name];
      const needs = labellerNeeds[name];
      if (needs.model === true) {
        await expect(create({ focus: "balanced" })).rejects.toBeInstanceOf(UsageError);
        continue;
      }
      const labeller = await create({ focus: "balanced" });
      if (modelDir === undefined) expect(labeller.name).toBe(name);
      await labeller.close();
    }
  });
});
