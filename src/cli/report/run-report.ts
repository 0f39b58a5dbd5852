/** Reports a run at the terminal (progress, rejects, a summary), and writes a log file on request. */
import { appendFileSync } from "node:fs";
import { tellCount, tellMany } from "../../count.js";
import type { Document } from "../../document.js";
import { REASONS, type Reject } from "../../outcome.js";
import { overwrite, REDRAW_MS, toOneLine, type Io } from "../io.js";
import type { EndOfRun } from "../run/resume.js";
import { findTime } from "../../time/time-scale.js";
import type { Figures } from "./run-figures.js";
import { formatCorpusTable } from "./run-stats.js";
import { cannotWrite } from "../../write-error.js";

export interface ReportOptions {
  /** "auto" shows progress on a terminal only. */
  readonly progress: "auto" | "always" | "never";
  /** Whether stderr stays empty unless the whole run fails. */
  readonly quiet: boolean;
  readonly logFile?: string;
}

/** How far the inputs are read, for drawing the progress. */
interface Reading {
  /** Returns the whole progress line, for a run that has its own. */
  readonly tell?: (seconds: number) => string;
  readonly bytesRead: () => number;
  /** Bytes of all inputs; undefined if, or as long as, that is not known. */
  readonly bytesInAll: () => number | undefined;
}

export interface Report {
  readonly isLive: boolean;
  /** Reports one sentence. */
  say(sentence: string): void;
  /** Starts the clock of the progress, and counts from these figures. */
  begin(figures: Figures, reading: Reading): void;
  /** Redraws the progress, for runs in which nothing may happen for a while. */
  draw(): void;
  accept(doc: Document): void;
  reject(reject: Reject): void;
  end(facts: EndFacts): void;
}

interface EndFacts extends EndOfRun {
  readonly hasRejectsFile: boolean;
  readonly seconds: number;
}

/** Number of rejects that are reported one by one (others are counted), and of outcomes that need no summary. */
const MAX_TOLD = 5;
/** Bytes that must have been read before the remaining time can be estimated. */
const LEAST_BYTES = 1 << 16;

type LogEntry = Readonly<Record<string, unknown>>;

function appendToLog(file: string, entry: LogEntry): void {
  try {
    appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
  } catch (cause) {
    throw cannotWrite(`the log ${file}`, cause);
  }
}

/** The methods throw OutputError if the log file cannot be written. */
export function createReport(options: ReportOptions, io: Io): Report {
  const startedAt = Date.now();
  const isLive = options.progress === "always" || (options.progress === "auto" && io.stderr.isTTY === true);
  let drawnAt = 0;
  let figures: Figures | undefined;
  let draw = (): void => undefined;

  const say = (text: string): void => {
    if (options.quiet) return;
    if (isLive) overwrite(io.stderr, text);
    else io.stderr.write(text);
  };
  const log = (entry: LogEntry): void => {
    if (options.logFile !== undefined) appendToLog(options.logFile, entry);
  };

  return {
    isLive,
    say(sentence) {
      say(`thresher: ${toOneLine(sentence)}\n`);
      log({ event: "message", message: sentence });
    },
    begin(counted, reading) {
      figures = counted;
      const before = { outcomes: counted.documents + counted.rejects, bytes: reading.bytesRead() };
      draw = () => {
        const now = Date.now();
        if (!isLive || options.quiet || now - drawnAt < REDRAW_MS) return;
        drawnAt = now;
        const seconds = Math.max(0.001, (now - startedAt) / 1000);
        const line = reading.tell?.(seconds) ?? tellProgress(counted, reading, { ...before, seconds });
        overwrite(io.stderr, line);
      };
    },
    draw: () => {
      draw();
    },
    accept({ id, notes }) {
      log({ event: "document", id, notes });
      draw();
    },
    reject(reject) {
      const { id, stage, reason, detail } = reject;
      log({ event: "reject", id, stage, reason, detail });
      const number = figures?.rejects ?? 0;
      if (number <= MAX_TOLD) say(`thresher: ${tellReject(reject)}\n`);
      if (number === MAX_TOLD + 1) say("thresher: further rejects are only counted\n");
      draw();
    },
    end(facts) {
      if (figures === undefined) return;
      const { documents, rejects } = figures;
      const others = listOthers(facts);
      log({ event: "end", documents, rejects, ...others });
      if (isLive || documents + rejects > MAX_TOLD || Object.keys(others).length > 0)
        say(`${summarise(figures, facts)}${formatCorpusTable(figures)}${tellSpeed(figures, facts)}`);
    },
  };
}

/** What was done before this run began, and the seconds that it has been running. */
interface Before {
  readonly outcomes: number;
  readonly bytes: number;
  readonly seconds: number;
}

function tellProgress({ documents, rejects }: Figures, reading: Reading, before: Before): string {
  const rate = (documents + rejects - before.outcomes) / before.seconds;
  const counts = [tellMany(documents, "document"), tellMany(rejects, "reject")];
  return [...counts, `${rate.toFixed(1)}/s`, ...tellLeft(reading, before)].join(", ");
}

/** Returns the share that is done, and an estimate of the remaining time. */
function tellLeft({ bytesRead, bytesInAll }: Reading, before: Before): string[] {
  const all = bytesInAll();
  const read = bytesRead();
  if (all === undefined || all === 0 || read - before.bytes < LEAST_BYTES) return [];
  const share = Math.min(1, read / all);
  const left = (Math.max(0, all - read) / (read - before.bytes)) * before.seconds;
  return [`${Math.floor(share * 100)} %`, `${formatTime(left)} left`];
}

/** Formats seconds as "45 s", "12 min" or "2 h 5 min", rounded up. */
export function formatTime(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Explains the reject of a page or input on one line. */
export function tellReject({ id, reason, detail }: Reject): string {
  return toOneLine(`${id}: ${reason}: ${REASONS[reason]}${detail === undefined ? "" : ` (${detail})`}`);
}

function summarise(
  { documents, rejects, reasons }: Figures,
  { hasRejectsFile, passedOver, otherFiles = 0, hiddenFiles = 0 }: EndFacts,
): string {
  const hint = hasRejectsFile || rejects === 0 ? "" : "; --rejects FILE lists each";
  const tail = rejects === 0 ? "" : ` (${tellCounts(reasons)}${hint})`;
  const others = tellCounts(passedOver);
  const more = others === "" ? "" : `; records without a page: ${others}`;
  const files = [
    { what: "files with other names", count: otherFiles, glob: "'FOLDER/**/*'" },
    { what: "hidden files", count: hiddenFiles, glob: "'FOLDER/**/.*'" },
  ].map(({ what, count, glob }) =>
    count === 0 ? "" : `; ${what}, not read: ${count} (a glob reads them: ${glob})`,
  );
  return `thresher: ${tellCount(documents, "document")}, ${tellCount(rejects, "reject")}${tail}${more}${files.join("")}\n`;
}

/** Lists what was found besides pages, without zero counts. */
function listOthers({
  passedOver,
  otherFiles = 0,
  hiddenFiles = 0,
}: EndFacts): Partial<Pick<EndFacts, "passedOver" | "otherFiles" | "hiddenFiles">> {
  return {
    ...(Object.keys(passedOver).length > 0 && { passedOver }),
    ...(otherFiles > 0 && { otherFiles }),
    ...(hiddenFiles > 0 && { hiddenFiles }),
  };
}

function tellCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

/** Formats the speed, and names the slowest page because it is the one to look at. */
function tellSpeed(figures: Figures, { seconds, bytesRead }: EndFacts): string {
  const [slowest] = figures.slowest;
  if (slowest === undefined || seconds <= 0) return "";
  const rate = (figures.documents + figures.rejects) / seconds;
  const times = [0.5, 0.9, 0.99]
    .map((share) => `p${share * 100} ${findTime(figures.times, share)}`)
    .join(", ");
  return (
    `  ${rate.toFixed(1)} documents/s, ${(bytesRead / 1e6 / seconds).toFixed(2)} MB/s; ` +
    `ms a document: ${times}, slowest ${slowest.ms} (${toOneLine(slowest.id)})\n`
  );
}
