/**
 * Runs one combination of the package itself, by its public interface, with one worker: one page at a time, as the
 * rivals run. The arguments are the settings as JSON, and what is wanted: `lines` with their labels, only the `text`, the
 * `structure` as Markdown, or the `metadata`.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createThresher, VERSION } from "thresher";
import { serve } from "../serve.js";
import { openMarkdown } from "./structure.js";

/** Rejects that say "there is nothing to read here": an empty text, as any rival would give it. */
const NOTHING = new Set(["empty", "no-lines", "no-content", "script-only"]);
const TIMEOUTS = new Set(["timeout"]);
const CRASHES = new Set(["crashed", "out-of-memory"]);

function describeReject({ reason, detail }, nothing = { text: "", lines: [] }) {
  if (NOTHING.has(reason)) return nothing;
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  if (TIMEOUTS.has(reason)) return { timeout: why };
  return CRASHES.has(reason) ? { error: why } : { reject: why };
}

/** The first page loads the model, which waits until it is needed. */
const FIRST_PAGE = { id: "first", html: "<p>One line of text.</p>" };

function toLine({ text, label, score }, hasScores) {
  return { text, label: label === "content" ? 1 : 0, ...(hasScores ? { score } : {}) };
}

/** A folder as it was written, from where the run began; one that is not there may be one of the package. */
function findModel(model) {
  if (model === undefined || existsSync(model)) return model;
  const shipped = fileURLToPath(new URL(`../../../${model}`, import.meta.url));
  return existsSync(shipped) ? shipped : model;
}

/** The options of the package, from the settings as they were written. */
function toOptions({ extractor, labeller, model, focus, threshold, condition, comments }) {
  const given = { extractor, labeller, modelDir: findModel(model), focus, condition, comments };
  if (threshold !== undefined) given.cut = Number(threshold);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A system whose pages are given to `clean`, with what its outcomes are read as. */
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
  // Readability's page would be walked and labelled twice for the lines that it leaves out. Elsewhere it costs nothing
  // to keep boilerplate, and only documents without any content come out with their lines.
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
    // The labeller that keeps everything has no opinion: its scores would draw a curve of nothing.
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
