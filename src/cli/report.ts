/** What a person at the terminal is told: progress, rejects, a summary; a log file on request. */
import { appendFileSync } from "node:fs";
import type { Document } from "../document.js";
import { OutputError, REASONS, type Reason, type Reject } from "../outcome.js";
import type { Io } from "./io.js";

export interface ReportOptions {
  /** "auto" shows progress on a terminal only. */
  readonly progress: "auto" | "always" | "never";
  /** Whether stderr stays empty unless something fails altogether. */
  readonly quiet: boolean;
  readonly logFile?: string;
}

export interface Counts {
  documents: number;
  rejects: number;
  /** Rejects that another try may mend: the network, not the page. */
  retryable: number;
  readonly byReason: Map<Reason, number>;
}

export interface Report {
  readonly counts: Counts;
  accept(doc: Document): void;
  reject(reject: Reject): void;
  /** `passedOver` counts the records that hold no page and are no failure, by type. */
  end(hasRejectsFile: boolean, passedOver: ReadonlyMap<string, number>): void;
}

const REDRAW_MS = 200;
/** Rejects that are told one by one; the rest is only counted. */
const MAX_TOLD = 5;

export function createReport(options: ReportOptions, io: Io): Report {
  const counts: Counts = { documents: 0, rejects: 0, retryable: 0, byReason: new Map() };
  const startedAt = Date.now();
  const isLive = options.progress === "always" || (options.progress === "auto" && io.stderr.isTTY === true);
  let drawnAt = 0;

  const say = (text: string): void => {
    if (!options.quiet) io.stderr.write(isLive ? `\r\u001b[K${text}` : text);
  };
  const draw = (): void => {
    const now = Date.now();
    if (!isLive || options.quiet || now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const rate = (counts.documents + counts.rejects) / Math.max(0.001, (now - startedAt) / 1000);
    io.stderr.write(
      `\r\u001b[K${counts.documents} documents, ${counts.rejects} rejects, ${rate.toFixed(1)}/s`,
    );
  };
  const log = (entry: Readonly<Record<string, unknown>>): void => {
    if (options.logFile === undefined) return;
    try {
      appendFileSync(options.logFile, `${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
    } catch (cause) {
      throw new OutputError(`cannot write the log ${options.logFile}: ${String(cause)}`, { cause });
    }
  };

  return {
    counts,
    accept({ id, notes }) {
      counts.documents += 1;
      log({ event: "document", id, notes });
      draw();
    },
    reject(reject) {
      counts.rejects += 1;
      if (isNetworkFailure(reject)) counts.retryable += 1;
      counts.byReason.set(reject.reason, (counts.byReason.get(reject.reason) ?? 0) + 1);
      const { id, stage, reason, detail } = reject;
      log({ event: "reject", id, stage, reason, detail });
      if (counts.rejects <= MAX_TOLD) say(`thresher: ${tellReject(reject)}\n`);
      if (counts.rejects === MAX_TOLD + 1) say("thresher: further rejects are only counted\n");
      draw();
    },
    end(hasRejectsFile, passedOver) {
      const others = passedOver.size === 0 ? {} : { passedOver: Object.fromEntries(passedOver) };
      log({ event: "end", documents: counts.documents, rejects: counts.rejects, ...others });
      if (isLive || counts.rejects > MAX_TOLD || passedOver.size > 0)
        say(`${summarise(counts, hasRejectsFile)}${tellOthers(passedOver)}\n`);
    },
  };
}

/** What another try may mend: no answer, a time-out of the network, "too many requests", a fault of the server. */
function isNetworkFailure({ stage, reason, detail }: Reject): boolean {
  if (stage !== "acquire") return false;
  if (reason === "http-status") return /^HTTP (429|5\d\d)\b/.test(detail ?? "");
  return reason === "fetch-failed" || reason === "timeout";
}

function tellReject({ id, reason, detail }: Reject): string {
  return `${id}: ${reason}: ${REASONS[reason]}${detail === undefined ? "" : ` (${detail})`}`;
}

function summarise(counts: Counts, hasRejectsFile: boolean): string {
  const reasons = [...counts.byReason].map(([reason, count]) => `${reason} ${count}`).join(", ");
  const hint = hasRejectsFile || counts.rejects === 0 ? "" : "; --rejects FILE lists each";
  const tail = counts.rejects === 0 ? "" : ` (${reasons}${hint})`;
  return `thresher: ${counts.documents} documents, ${counts.rejects} rejects${tail}`;
}

/** Records of an archive that tell of the crawl. */
function tellOthers(passedOver: ReadonlyMap<string, number>): string {
  if (passedOver.size === 0) return "";
  const types = [...passedOver].map(([type, count]) => `${type} ${count}`).join(", ");
  return `; records without a page: ${types}`;
}
