/** Counts the outcomes of a run: documents and rejects, a table by language, and times. */
import type { Document, LabelledLine, Register, RegisterVerdict, Subregister } from "../../document.js";
import { nameLanguage } from "../../language/language-tag.js";
import type { Outcome, Reason, Reject } from "../../outcome.js";
import { ownValue } from "../../own-value.js";
import type { Account } from "../../pipeline.js";
import { countTime, type Times } from "../../time/time-scale.js";

/** One row of the corpus table, as in Register Oscar. */
export interface CorpusRow {
  /** Documents that were labelled. */
  texts: number;
  /** Lines of these documents, by label. */
  contentLines: number;
  boilerplateLines: number;
  /** Documents that were kept, and the words of their text. */
  keptTexts: number;
  words: number;
  /** Registers of the kept documents, if they were predicted. */
  registers?: RegisterCounts;
}

/** Documents by register; one may have several. */
export interface RegisterCounts {
  /** Documents with predicted registers, and documents among them without any certain register. */
  told: number;
  unsure: number;
  /** Documents by their registers and subregisters. */
  readonly found: Partial<Record<Register | Subregister, number>>;
  /** Sum of P(a machine wrote it), which is the expected number of machine-written texts. */
  machine: number;
}

interface Slow {
  readonly id: string;
  readonly ms: number;
}

/** Plain values, so that a file can store them while a run is interrupted. */
export interface Figures {
  documents: number;
  rejects: number;
  /** Rejects that another try may fix: the network failed, not the page. */
  retryable: number;
  readonly reasons: Partial<Record<Reason, number>>;
  /** Rows by the first subtag of the language, "unknown" for documents without a language. */
  readonly languages: Record<string, CorpusRow>;
  /** Documents by the kind of their notes. */
  readonly notes: Record<string, number>;
  /** Pages by the time they took, in ms. */
  readonly times: Times;
  /** The slowest pages, slowest first. */
  slowest: readonly Slow[];
}

export function createFigures(): Figures {
  const counts = { documents: 0, rejects: 0, retryable: 0 };
  return { ...counts, reasons: {}, languages: {}, notes: {}, times: {}, slowest: [] };
}

/** Checks whether no page came as far as its labels, so that an empty output says nothing about the pages. */
export function hasReadNothing({ documents, languages }: Figures): boolean {
  return documents === 0 && Object.keys(languages).length === 0;
}

const MOST_SLOW = 10;

export function countOutcome(
  figures: Figures,
  outcome: Outcome<Document<LabelledLine>>,
  { ms, labelled }: Account,
): void {
  if (outcome.ok) {
    figures.documents += 1;
    for (const kind of new Set(outcome.value.notes.map(nameNote)))
      figures.notes[kind] = (ownValue(figures.notes, kind) ?? 0) + 1;
  } else {
    figures.rejects += 1;
    figures.reasons[outcome.reason] = (figures.reasons[outcome.reason] ?? 0) + 1;
    if (isNetworkFailure(outcome)) figures.retryable += 1;
  }
  if (labelled !== undefined) {
    const row = (figures.languages[nameLanguage(labelled.lang)] ??= createRow());
    row.texts += 1;
    row.contentLines += labelled.contentLines;
    row.boilerplateLines += labelled.boilerplateLines;
    if (outcome.ok) {
      row.keptTexts += 1;
      row.words += labelled.words;
      if (outcome.value.registers !== undefined)
        addRegisters((row.registers ??= createRegisterCounts()), outcome.value.registers);
    }
  }
  if (ms <= 0) return;
  countTime(figures.times, ms);
  keepSlowest(figures, { id: outcome.ok ? outcome.value.id : outcome.id, ms });
}

function createRow(): CorpusRow {
  return { texts: 0, contentLines: 0, boilerplateLines: 0, keptTexts: 0, words: 0 };
}

function createRegisterCounts(): RegisterCounts {
  return { told: 0, unsure: 0, found: {}, machine: 0 };
}

function addRegisters(counts: RegisterCounts, { found, machine }: RegisterVerdict): void {
  counts.told += 1;
  if (found.length === 0) counts.unsure += 1;
  for (const name of found) counts.found[name] = (counts.found[name] ?? 0) + 1;
  counts.machine += machine;
}

/** Returns the kind of a note, which may name a detail after a colon. */
function nameNote(note: string): string {
  return note.replace(/:.*/s, "");
}

function keepSlowest(figures: Figures, { id, ms }: Slow): void {
  const last = figures.slowest.at(-1);
  if (last !== undefined && figures.slowest.length === MOST_SLOW && last.ms >= ms) return;
  figures.slowest = [...figures.slowest, { id, ms: Math.round(ms * 10) / 10 }]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, MOST_SLOW);
}

export function sumRows(rows: Iterable<CorpusRow>): CorpusRow {
  const sum = createRow();
  for (const row of rows) {
    sum.texts += row.texts;
    sum.contentLines += row.contentLines;
    sum.boilerplateLines += row.boilerplateLines;
    sum.keptTexts += row.keptTexts;
    sum.words += row.words;
    if (row.registers !== undefined) sumRegisters((sum.registers ??= createRegisterCounts()), row.registers);
  }
  return sum;
}

function sumRegisters(sum: RegisterCounts, { told, unsure, found, machine }: RegisterCounts): void {
  sum.told += told;
  sum.unsure += unsure;
  sum.machine += machine;
  // `Object.entries` loses the types of the keys.
  for (const [name, count] of Object.entries(found) as [Register | Subregister, number][])
    sum.found[name] = (sum.found[name] ?? 0) + count;
}

/** Checks whether another try may succeed: no answer, a network timeout, "too many requests", a server error. */
function isNetworkFailure({ stage, reason, detail }: Reject): boolean {
  if (stage !== "acquire") return false;
  if (reason === "http-status") return /^HTTP (429|5\d\d)\b/.test(detail ?? "");
  return reason === "fetch-failed" || reason === "dns" || reason === "timeout";
}
