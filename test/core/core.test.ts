import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createCore,
  openModels,
  UsageError,
  type Core,
  type CoreOptions,
  type ModelBytes,
  type Models,
  type ModelsByKind,
} from "../../src/core/core.js";
import { createThresher, VERSION, type CleanInput, type CleanOptions } from "../../src/index.js";
import { DEFAULT_PAGE_MODEL, DEFAULT_TEXT_MODEL } from "../../src/label/models/shipped-models.js";

/** Reads the files of a model's folder as a program on any platform would pass them. */
function readFolder(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(folder).filter((name) => /^model\.|\.bin$|^types\.json$/.test(name));
  return Object.fromEntries(names.map((name) => [name, Uint8Array.from(readFileSync(join(folder, name)))]));
}

const PAGE = readFolder(DEFAULT_PAGE_MODEL);
const TEXT = readFolder(DEFAULT_TEXT_MODEL);
let models: Models;
beforeAll(() => {
  models = openModels({ page: PAGE, text: TEXT });
});
afterAll(() => models.close());

const fixtures: readonly (readonly [name: string, input: CleanInput])[] = [
  ...readdirSync("fixtures/pages").map((slug) => {
    const bytes = Uint8Array.from(readFileSync(join("fixtures/pages", slug, "source.html")));
    return [slug, { id: slug, bytes, contentType: "text/html" }] as const;
  }),
  ...readdirSync("fixtures/text").map((slug) => {
    const text = readFileSync(join("fixtures/text", slug, "source.txt"), "utf8");
    return [slug, { id: slug, text }] as const;
  }),
];

/** Compares the results of the core and of the Node.js library for all fixtures, and their fingerprints. */
async function compare(given: CleanOptions & CoreOptions): Promise<void> {
  // No page here takes long by itself; a busy machine must not cause a reject.
  const options = { timeoutMs: 60_000, ...given };
  const thresher = await createThresher({ workers: 1, ...options });
  const core = await createCore(models, options);
  expect(core.fingerprint).toBe(thresher.fingerprint);
  for (const [name, input] of fixtures)
    expect(await core.clean(input), name).toEqual(await thresher.clean(input));
  await thresher.close();
}

describe("the core", () => {
  it.each<[CleanOptions & CoreOptions]>([
    [{}],
    [{ keepBoilerplate: true, structure: "keep", metadata: "origins", focus: "recall", comments: "keep" }],
    [{ labeller: "rules", extractor: "body", cut: 0.2, remove: ["nav", "footer"] }],
    [{ labeller: "none", extractor: "readability" }],
  ])(
    "gives the same results as the Node.js library for all fixtures: %j",
    async (options) => {
      expect(fixtures.length).toBeGreaterThan(40);
      await compare(options);
    },
    300_000,
  );

  it("writes Markdown on request, as the command does", async () => {
    const html = readFileSync("fixtures/pages/qa-en/source.html", "utf8");
    const outcome = await (await createCore(models, { markdown: {} })).clean({ html });
    expect(outcome.ok && outcome.value.markdown).toBe(
      readFileSync("fixtures/pages/qa-en/default.md", "utf8"),
    );
    const linked = await createCore(models, { markdown: { links: "keep", frontMatter: true } });
    const url = "https://example.org/a/b";
    const page = await linked.clean({
      html: `${html}<p>${"Read the whole story. ".repeat(20)}<a href=c>More</a>`,
      url,
    });
    expect(page.ok && page.value.markdown).toMatch(/^---\n/);
  });

  it("keeps the structure that Markdown needs, whatever the option structure says", async () => {
    const html = `<article><p>${"The <b>ferry</b> crossed the bay twice a day. ".repeat(9)}</p></article>`;
    for (const structure of [undefined, "none"]) {
      const options = { markdown: {}, structure } as unknown as CoreOptions;
      const outcome = await (await createCore(models, options)).clean({ html });
      expect(outcome.ok && outcome.value.markdown).toContain("**ferry**");
    }
  });

  it("has the version of the package", () => {
    const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string }; // our own file
    expect(VERSION).toBe(manifest.version);
  });
});

describe("wrong input of the core", () => {
  const page = { html: "<p>The ferry crossed the bay twice a day, for forty years, and then it sank." };
  const cleanWith = async (files: ModelBytes | undefined, input: CleanInput = page): Promise<unknown> => {
    const opened = openModels(files === undefined ? {} : { page: files });
    return (await createCore(opened)).clean(input);
  };

  it.each<[string, ModelBytes | undefined, RegExp]>([
    ["is missing", undefined, /^the labeller page needs its model: pass its files to openModels/],
    [
      "has no table",
      { ...PAGE, "table.bin": undefined as unknown as Uint8Array },
      /there is no table\.bin in it/,
    ],
    [
      "is cut in half",
      { ...PAGE, "model.onnx": (PAGE["model.onnx"] as Uint8Array).subarray(0, 1000) },
      /cut short/,
    ],
    ["is for plain text", TEXT, /its kind is "text", but the labeller "page" needs kind "page"/],
    [
      "is an HTML error page",
      { ...PAGE, "model.json": Buffer.from("<!doctype html>") },
      /model\.json is not JSON/,
    ],
  ])("a model that %s is reported", async (_, files, message) => {
    const cleaning = cleanWith(files);
    await expect(cleaning).rejects.toThrow(UsageError);
    await expect(cleaning).rejects.toThrow(message);
  });

  it("can be closed after a model did not open", async () => {
    const opened = openModels({ page: { ...PAGE, "model.onnx": Uint8Array.of(1) } });
    await expect((await createCore(opened)).clean(page)).rejects.toThrow(UsageError);
    await expect(opened.close()).resolves.toBeUndefined();
  });

  it.each<[string, CoreOptions, RegExp]>([
    [
      "a labeller that reads files",
      { labeller: "texrex" },
      /texrex reads files.*it has page, text, rules, none/,
    ],
    [
      "an option that names a folder",
      { modelDir: "models/page-6" } as CoreOptions,
      /no option "modelDir" of createCore/,
    ],
    ["a focus that does not exist", { focus: "fast" as "recall" }, /focus must be one of/],
    ["an invalid CSS selector", { keep: ["::"] }, /is not a CSS selector/],
  ])("%s is refused", async (_, options, message) => {
    await expect(createCore(models, options)).rejects.toThrow(message);
  });

  it.each([null, 5, [], true, { markdown: null }])(
    "options that are not an object are refused: %j",
    async (options) => {
      await expect(createCore(models, options as unknown as CoreOptions)).rejects.toThrow(UsageError);
    },
  );

  it.each([undefined, null, [], { page: null }, { page: "x" }, { pages: {} }])(
    "models that are not valid are refused: %j",
    async (given) => {
      expect(() => openModels(given as unknown as ModelsByKind)).toThrow(UsageError);
      await expect(createCore(given as unknown as Models)).rejects.toThrow(/must come from openModels/);
    },
  );

  it("wrong calls throw, and pages that cannot become text are rejected", async () => {
    const core: Core = await createCore(models, { maxBytes: 1000 });
    expect(await core.clean({ html: "x".repeat(1001) })).toMatchObject({ ok: false, reason: "too-large" });
    expect(await core.clean({ html: " " })).toMatchObject({ ok: false, reason: "no-lines" });
    expect(await core.clean({ html: '{"a": 1}' })).toMatchObject({ ok: false, reason: "not-a-page" });
    const packed = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0);
    expect(await core.clean({ bytes: packed })).toMatchObject({
      ok: false,
      reason: "binary",
      detail: "gzip: unpack it first",
    });
    await expect(core.clean({} as CleanInput)).rejects.toThrow(/a page must be an object/);
    await expect(core.clean("<p>" as unknown as CleanInput)).rejects.toThrow(/a page must be an object/);
  });
});
