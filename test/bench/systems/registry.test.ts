import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OUR_SYSTEMS, parseCombination } from "../../../bench/systems/ours.js";
import { PYTHON_SYSTEMS } from "../../../bench/systems/python.js";
import { findSystems, SYSTEMS } from "../../../bench/systems/registry.js";
import { ROOT } from "../../../bench/systems/root.js";
import { page } from "./broken/systems.js";

const namesOf = (names: readonly string[]): string[] => findSystems(names).map(({ name }) => name);
const python = join(ROOT, "bench", "systems", "python");

describe("the registry", () => {
  it("has every name once, and runs each Python system in serve.py", () => {
    const names = SYSTEMS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const serve = readFileSync(join(python, "serve.py"), "utf8");
    for (const name of PYTHON_SYSTEMS) expect(serve).toContain(`    "${name}": (`);
  });

  it("orders `all`: raw, ours, the rivals", () => {
    const groups = SYSTEMS.map(({ group }) => group);
    expect(SYSTEMS[0]?.name).toBe("raw");
    expect(groups).toEqual([...groups].sort());
    expect(namesOf(["all"])).toEqual(SYSTEMS.map(({ name }) => name));
    // Rivals that can leave comments out are also measured without comments: most corpora label them as boilerplate.
    expect(namesOf(["all"])).toEqual(
      expect.arrayContaining(["trafilatura-evaluation", "resiliparse-no-comments"]),
    );
  });

  it("keeps the given order and includes each system once", () => {
    expect(namesOf(["defuddle", "raw", "defuddle"])).toEqual(["defuddle", "raw"]);
    expect(namesOf(["justext", "all"])).toHaveLength(SYSTEMS.length);
    expect(namesOf(["justext", "all"])[0]).toBe("justext");
  });

  it("names the labeller of each of our conditions, so that no default changes it", () => {
    for (const [name, { settings }] of Object.entries(OUR_SYSTEMS))
      expect(settings, name).toHaveProperty("labeller");
    expect(namesOf(["readability", "readability+text", "page"])).toHaveLength(3);
  });

  it("parses any combination of ours", () => {
    const name =
      "ours:extractor=body,labeller=text,model=models/x=1,focus=recall,threshold=.35,comments=drop";
    expect(namesOf([name])).toEqual([name]);
    expect(parseCombination(name)).toEqual({
      extractor: "body",
      labeller: "text",
      model: "models/x=1",
      focus: "recall",
      threshold: ".35",
      comments: "drop",
    });
    expect(parseCombination("ours:")).toEqual({});
  });

  it.each([
    ["ours:extractor", '"extractor" is not one of'],
    ["ours:speed=9", '"speed=9" is not one of extractor=…'],
    ["ours:model=", '"model=" is not one of'],
    ["ours:focus=recall,focus=recall", "focus is given twice"],
    ["ours:threshold=1.5", "threshold must be a number from 0 to 1"],
    ["ours:threshold=high", "threshold must be a number from 0 to 1"],
    ["trafilature", 'there is no system "trafilature"'],
    ["", 'there is no system ""'],
    ["constructor", 'there is no system "constructor"'],
  ])("rejects %s and lists the known names", (name, message) => {
    expect(() => findSystems([name])).toThrow(message);
    expect(() => findSystems([name])).toThrow(expect.objectContaining({ name: "UnknownSystem" }));
  });

  it("joins stored outputs of one name from several folders", async () => {
    const folder = mkdtempSync(join(tmpdir(), "peers-"));
    for (const set of ["one", "two"]) {
      mkdirSync(join(folder, set));
      writeFileSync(join(folder, set, "bte@x.jsonl"), `${JSON.stringify({ id: `${set}/1`, text: set })}\n`);
    }
    writeFileSync(join(folder, "two", "other.jsonl"), "");
    writeFileSync(join(folder, "two", "notes.txt"), "no outputs");
    const [bte, other, ...rest] = findSystems([folder, join(folder, "one", "bte@x.jsonl")]);
    expect([bte?.name, other?.name, rest]).toEqual(["bte@x", "other", []]);
    const system = await bte!.create();
    expect(await system.run(page("one/1", ""))).toEqual({ ok: true, text: "one" });
    expect(await system.run(page("two/1", ""))).toEqual({ ok: true, text: "two" });
  });

  it.each([
    ["behind", ["page", "FILE"]],
    ["before", ["FILE", "page"]],
    ["among all", ["all", "FILE"]],
  ])("rejects a file named like a system that also runs (%s it)", (_, names) => {
    const file = join(mkdtempSync(join(tmpdir(), "peers-")), "page.jsonl");
    writeFileSync(file, `${JSON.stringify({ id: "1", text: "stored" })}\n`);
    expect(namesOf([file, "raw"])).toEqual(["page", "raw"]);
    expect(() => findSystems(names.map((name) => (name === "FILE" ? file : name)))).toThrow(
      `${file} would be called page, but another system of this run has that name: give the file another name`,
    );
  });

  it("rejects a missing file of outputs", () => {
    expect(() => findSystems(["raw", "/nowhere/at-all.jsonl"])).toThrow(
      /there is no file \/nowhere\/at-all\.jsonl; there are all, raw/,
    );
  });
});

describe("raw", () => {
  it("keeps every line of the gold, whatever its label", async () => {
    const [entry] = findSystems(["raw"]);
    const system = await entry!.create();
    const lines = [
      { text: "menu", label: 0 as const },
      { text: "story", label: 1 as const },
    ];
    expect(await system.run(page("1", "<p>menu<p>story<p>more", { lines }))).toEqual({
      ok: true,
      text: "menu\nstory",
      lines: [
        { text: "menu", label: 1 },
        { text: "story", label: 1 },
      ],
    });
    await system.close();
  });
});
