/**
 * Runs one combination of the package by its public interface, one page at a time like the rivals. The arguments are the
 * settings as JSON, and the kind of output: `lines` with their labels, only the `text`, the `structure` as Markdown, or
 * the `metadata`.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createThresher, VERSION } from "thresher";
import { serve } from "../serve.js";
import { openMarkdown } from "./structure.js";

/** Reasons for a page without text. They count as an empty text, which is what a rival returns for such a page. */
const NOTHING = new Set(["empty", "no-lines", "no-content", "script-only"]);
const CRASHES = new Set(["crashed", "out-of-memory"]);

function describeReject({ reason, detail }, nothing = { text: "", lines: [] }) {
  if (NOTHING.has(reason)) return nothing;
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  if (reason === "timeout") return { timeout: why };
  return CRASHES.has(reason) ? { error: why } : { reject: why };
}

/** A page that is cleaned before the others, because the first page loads the model. */
const FIRST_PAGE = { id: "first", html: "<p>One line of text.</p>" };

function toLine({ text, label, score }, hasScores) {
  return { text, label: label === "content" ? 1 : 0, ...(hasScores ? { score } : {}) };
}

/** Finds a model folder, relative to the working directory or else to the package. */
function findModel(model) {
  if (model === undefined || existsSync(model)) return model;
  const shipped = fileURLToPath(new URL(`../../../${model}`, import.meta.url));
  return existsSync(shipped) ? shipped : model;
}

/** Converts the settings, which are all texts, to options of the package. */
function toOptions({ extractor, labeller, model, focus, threshold, condition, comments }) {
  const given = { extractor, labeller, modelDir: findModel(model), focus, condition, comments };
  if (threshold !== undefined) given.cut = Number(threshold);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Describes a system for `serve`: `clean` cleans a page, and `toResult` converts its outcome. */
function describe(settings, { fingerprint, close, clean }, { toResult, form }) {
  const options = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return {
    version: VERSION,
    options: [...options, ...(form === undefined ? [] : [form]), `fingerprint ${fingerprint}`].join(", "),
    close,
    run: clean,
    toResult,
  };
}

async function loadStructure(settings) {
  const cleaner = await openMarkdown({ ...toOptions(settings), workers: 1 }, VERSION);
  await cleaner.clean(FIRST_PAGE);
  const toResult = (outcome) =>
    outcome.ok ? { markdown: outcome.markdown } : describeReject(outcome, { markdown: "" });
  return describe(settings, cleaner, { toResult, form: "--to markdown --links --images" });
}

async function loadMetadata(settings) {
  const thresher = await createThresher({ ...toOptions(settings), workers: 1, wants: "text" });
  await thresher.clean(FIRST_PAGE);
  const cleaner = {
    fingerprint: thresher.fingerprint,
    close: () => thresher.close(),
    clean: ({ id, url, html }) => thresher.clean({ id, url, html }),
  };
  const toResult = (outcome) => {
    if (!outcome.ok) return describeReject(outcome, { fields: outcome.meta ?? {} });
    const { title, lang, meta } = outcome.value;
    return { fields: { ...meta, title, lang } };
  };
  return describe(settings, cleaner, {
    toResult,
    form: "title, lang and meta of the record, or of the reject",
  });
}

async function loadLines(settings, wantsLines) {
  // With Readability, the page would be read and labelled a second time for the lines that it leaves out. With other
  // extractors, keeping boilerplate costs nothing, and documents without content also have lines.
  const keepBoilerplate = wantsLines && settings.extractor !== "readability";
  const thresher = await createThresher({ ...toOptions(settings), workers: 1, keepBoilerplate });
  await thresher.clean(FIRST_PAGE);
  const cleaner = {
    fingerprint: thresher.fingerprint,
    close: () => thresher.close(),
    clean: ({ id, url, html, lines }) =>
      thresher.clean(html === undefined ? { id, url, lines } : { id, url, html }),
  };
  const toResult = (outcome) => {
    if (!outcome.ok) return describeReject(outcome);
    const { text, lines, page } = outcome.value;
    // The labeller `none` keeps everything, so its scores mean nothing.
    const hasScores = settings.labeller !== "none";
    return {
      text,
      ...(page === undefined ? {} : { pageType: page.type }),
      ...(wantsLines ? { lines: lines.map((line) => toLine(line, hasScores)) } : {}),
    };
  };
  return describe(settings, cleaner, { toResult });
}

await serve(async () => {
  const settings = JSON.parse(process.argv[2] ?? "{}");
  const wanted = process.argv[3];
  if (wanted === "structure") return loadStructure(settings);
  if (wanted === "metadata") return loadMetadata(settings);
  return loadLines(settings, wanted === "lines");
});
