/** Runs one combination of the package itself, by its public interface; the settings come as JSON in the argument. */
import { createThresher, VERSION } from "thresher";
import { serve } from "../serve.js";

/** Rejects that say "there is nothing to read here": an empty text, as any rival would give it. */
const NOTHING = new Set(["empty", "no-lines", "no-content"]);
const TIMEOUTS = new Set(["timeout"]);
const CRASHES = new Set(["crashed", "out-of-memory"]);

function describeReject({ reason, detail }) {
  if (NOTHING.has(reason)) return { text: "", lines: [] };
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  if (TIMEOUTS.has(reason)) return { timeout: why };
  return CRASHES.has(reason) ? { error: why } : { reject: why };
}

function toLine({ text, label, score }, hasScores) {
  return { text, label: label === "content" ? 1 : 0, ...(hasScores ? { score } : {}) };
}

/** The options of the package, from the settings as they were written. */
function toOptions({ extractor, labeller, model, focus, threshold }) {
  const given = { extractor, labeller, modelDir: model, focus, threshold };
  if (threshold !== undefined) given.threshold = Number(threshold);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

await serve(async () => {
  const settings = JSON.parse(process.argv[2] ?? "{}");
  // One worker: one page at a time, as the rivals run. The lines that are cut come along, for the scores of all.
  const thresher = await createThresher({ ...toOptions(settings), workers: 1, keepBoilerplate: true });
  const options = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  return {
    version: VERSION,
    options: `${[...options, `fingerprint ${thresher.fingerprint}`].join(", ")}`,
    close: () => thresher.close(),
    async run({ id, url, html, lines }) {
      const outcome = await thresher.clean(html === undefined ? { id, url, lines } : { id, url, html });
      if (!outcome.ok) return describeReject(outcome);
      // The labeller that keeps everything has no opinion: its scores would draw a curve of nothing.
      const hasScores = settings.labeller !== "none";
      return { text: outcome.value.text, lines: outcome.value.lines.map((line) => toLine(line, hasScores)) };
    },
  };
});
