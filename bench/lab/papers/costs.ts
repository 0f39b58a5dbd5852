/** Lists what each system costs: time per page, memory, size, and lines per second on text alone. */
import { section, table, tellMissing } from "./parts.js";
import { SCHAEFER } from "./published.js";
import { entryWith, lookUp, NOT_MEASURED, numberAt, showCount, type Sources } from "./sources.js";
import { formatCount, formatMs, NONE } from "../../report/format.js";

interface Costed {
  readonly system: string;
  readonly model?: string;
  /** The system's name in the measurement of lines per second, if it was measured. */
  readonly onLines?: string;
  readonly published?: string;
  /** Set when the labeller only reads text: its time per page would be that of the extractor before it. */
  readonly takesNoPages?: true;
}

const COSTED: readonly Costed[] = [
  { system: "page", model: "page-6" },
  { system: "texrex", model: "texrex-1", published: `${SCHAEFER.cpuMs.detector} after parsing` },
  { system: "boilernet", model: "boilernet-1" },
  { system: "multiboilernet", model: "multiboilernet-1" },
  { system: "fasttext", model: "fasttext-1", onLines: "fasttext" },
  { system: "justext-ours", onLines: "justext" },
  { system: "transformer", takesNoPages: true },
  { system: "text", model: "text-7", onLines: "text", takesNoPages: true },
];

export function costs(sources: Sources): string {
  const rows = COSTED.map((one) =>
    one.system === "transformer" ? transformerRow(sources) : row(sources, one),
  );
  return section(
    "What each costs",
    tellMissing(sources, "speed", "fasttext", "transformer"),
    "CPU time of all threads from the page as a string to its text, mean of whole pages. Memory is the most that the process held above what it held at its start. Size " +
      "is the size of the weights. Lines a second are for the labeller alone on one core, in documents of 40 lines of text:",
    table(
      ["system", "CPU ms a page", "p99", "memory", "weights", "lines a second", "published, ms a page"],
      rows,
    ),
    howMeasured(sources),
  );
}

function row(sources: Sources, { system, model, onLines, published, takesNoPages }: Costed): string[] {
  const found = entryWith(sources, "speed", ["systems"], { system });
  const at = (...path: string[]) =>
    found === undefined ? undefined : numberAt(sources, "speed", "systems", found, ...path);
  const [mean, most, memory] = [at("cpuMs", "mean"), at("cpuMs", "p99"), at("peakBytesAboveStart")];
  const none = takesNoPages === true ? NONE : NOT_MEASURED;
  const bytes = model === undefined ? undefined : sources.sizes[model];
  return [
    system,
    mean === undefined ? none : formatMs(mean),
    most === undefined ? none : formatMs(most),
    memory === undefined ? none : `${formatCount(memory / 1e6)} MB`,
    bytes === undefined ? (model === undefined ? "none" : "not shipped") : `${formatCount(bytes / 1e3)} kB`,
    onLines === undefined
      ? NONE
      : showCount(numberAt(sources, "fasttext", "speed", "linesPerSecond", onLines)),
    published ?? NONE,
  ];
}

/**
 * The user provides the model folder, so costs were measured on texts, with the model that the trainer's command makes.
 */
function transformerRow(sources: Sources): string[] {
  const at = (...path: string[]) =>
    numberAt(sources, "transformer", "inTheProgram", "systems", "transformer", ...path);
  const [bytes, memory, lines] = [
    at("bytes"),
    at("peakRssMb"),
    at("sets", "turku-tq-dev", "linesACpuSecond"),
  ];
  return [
    "transformer (e5-small)",
    ...[NONE, NONE],
    memory === undefined ? NOT_MEASURED : `${formatCount(memory)} MB for the whole process`,
    bytes === undefined ? NOT_MEASURED : `${formatCount(bytes / 1e3)} kB, not shipped`,
    showCount(lines),
    NONE,
  ];
}

function howMeasured(sources: Sources): string {
  const command = lookUp(sources, "speed", ["commands", "0"]);
  const [data, note, date] = ["data", "note", "date"].map((key) => lookUp(sources, "speed", [key]));
  const texts = [data, note, date].filter((text) => typeof text === "string");
  return typeof command === "string" ? `${texts.join("; ")}: \`${command}\`.` : "";
}
