/**
 * Cleans the documents of a shard in order. Documents that may have killed an attempt are tried one at a time with
 * nothing else running, and rejected if that has failed before.
 */
import { openParts, type PartSource } from "../../acquire/open-parts.js";
import { CHANGED } from "../../acquire/objects/failure.js";
import type { InputPart } from "../../acquire/parts.js";
import type { Document, LabelledLine, Page } from "../../document.js";
import { DEFAULTS } from "../../options/options.js";
import { accept, reject, type Outcome, type Reject } from "../../outcome.js";
import { untagged, type Account, type TaggedPage } from "../../pipeline.js";
import { isEndOfProcess, isLackOfProcesses } from "../../work/process/processes.js";
import { formatDocument } from "../../write/registry.js";
import { formatReject } from "../../write/reject-record.js";
import type { Cursor } from "./cursor.js";
import { NEVER } from "../store/etag.js";
import { BadShard, TryAgain } from "./failures.js";
import type { Job } from "../job.js";
import type { ShardFiles } from "./outputs.js";
import type { Receipt } from "../receipt.js";
import type { Crew, RunOptions } from "./crew.js";
import { formatSignature, signDocument } from "../duplicates/signature.js";
import type { Suspects } from "./suspects.js";
import { createTally } from "./tally.js";
import { sortKeys } from "../../text-order.js";

interface CleanOptions extends Pick<RunOptions, "signal" | "onDocument"> {
  readonly job: Job;
  readonly crew: Crew;
  readonly suspects: Suspects;
  readonly cursor: Cursor;
  readonly files: Pick<ShardFiles, "text" | "rejects" | "signatures">;
}

/** The counts of what was read and of the results. */
export type CleanedParts = Pick<
  Receipt,
  "in" | "out" | "rejected" | "reasons" | "ms" | "passedOver" | "bytesIn" | "bytesSkipped"
>;

/** Opens the inputs of a shard in the way that every attempt reads them. */
export function openShardSource(parts: readonly InputPart[], { options }: Pick<Job, "options">): PartSource {
  const { maxBytes = DEFAULTS.maxBytes } = options.clean;
  return openParts(parts, { ...options.input, maxBytes, judges: "later" });
}

/** Cleans the inputs of a shard. Throws BadShard, TryAgain, OutputError, and the signal's reason. */
export async function cleanParts(parts: readonly InputPart[], options: CleanOptions): Promise<CleanedParts> {
  const { job, crew, suspects, cursor, files, signal } = options;
  const source = openShardSource(parts, job);
  const ids = new Set(parts.map(({ id }) => id));
  const tally = createTally();
  const form = { ...job.options.form, fingerprint: crew.pipeline.fingerprint };
  let done = 0;
  let kept = 0;
  const settle = async (
    given: Outcome<Document<LabelledLine>>,
    { ms, formatted }: Account,
  ): Promise<void> => {
    const outcome = judgeFailure(given, ids);
    tally.count(outcome, ms);
    if (outcome.ok) {
      await files.text.write(formatted ?? formatDocument(outcome.value, form));
      await files.signatures?.write(formatSignature(signDocument(outcome.value, kept)));
      kept += 1;
    } else await files.rejects.write(formatNumbered(outcome, done));
    done += 1;
    options.onDocument?.(done, source.bytesRead());
  };

  const pages = source.pages(signal)[Symbol.asyncIterator]();
  let next = await pages.next();
  let begun = 0;
  /** Yields pages as long as they are all of one kind; for suspects, only one page. */
  async function* take(which: "innocent" | "suspect"): AsyncGenerator<TaggedPage<undefined>> {
    while (next.done !== true && suspects.judge(begun) === which) {
      if (which === "suspect") await warmUp(crew, signal);
      begun += 1;
      cursor.note({ done, begun, isAlone: which === "suspect" });
      if (which === "suspect") await cursor.publish();
      yield { page: next.value, tag: undefined };
      next = await pages.next();
      if (which === "suspect") return;
    }
  }
  try {
    while (next.done !== true) {
      const verdict = suspects.judge(begun);
      if (verdict === "guilty") {
        await settle(giveUp(next.value), { ms: 0 });
        begun += 1;
        next = await pages.next();
        continue;
      }
      for await (const { outcome, account } of crew.pipeline.run(take(verdict), signal)) {
        await settle(outcome, account);
        cursor.note({ done, begun, isAlone: false });
      }
    }
  } finally {
    await pages.return?.(undefined);
  }
  signal.throwIfAborted();
  return { ...tally.counts(), ...countRead(source) };
}

function countRead(source: PartSource): Pick<CleanedParts, "passedOver" | "bytesIn" | "bytesSkipped"> {
  return {
    passedOver: sortKeys(Object.fromEntries(source.passedOver())),
    bytesIn: source.bytesRead(),
    bytesSkipped: source.bytesSkipped(),
  };
}

/**
 * Starts the worker before a suspect is cleaned: starting takes longer than most documents, and a death during the
 * start is not the document's fault.
 */
async function warmUp({ pipeline }: Crew, signal: AbortSignal): Promise<void> {
  const page = accept({ id: "", url: "", content: { kind: "html", html: "<p>x" } } as const);
  const warming = pipeline.run(untagged([page]), signal);
  while ((await warming.next()).done !== true);
}

function giveUp(page: Outcome<Page>): Reject {
  if (!page.ok) return page;
  return reject(
    page.value,
    "extract",
    "killed-process",
    "attempts at the shard ended while cleaning this document alone",
  );
}

/** Formats a reject with its index among all documents of the shard, by which it can be retried. */
export function formatNumbered(outcome: Reject, at: number): string {
  return `${formatReject(outcome).slice(0, -2)},"at":${at}}\n`;
}

/**
 * Returns the reject of an unusable document, but throws when an input cannot be read: treating that as a reject would
 * lose documents. Throws BadShard and TryAgain.
 */
export function judgeFailure<T>(outcome: Outcome<T>, inputs: ReadonlySet<string>): Outcome<T> {
  if (outcome.ok) return outcome;
  const { id, reason, detail = "" } = outcome;
  if (isLackOfProcesses(outcome)) throw new TryAgain(detail);
  if (isEndOfProcess(outcome)) return { ...outcome, reason: "killed-process" };
  if (!inputs.has(id)) return outcome;
  if (reason === "no-decoder") throw new BadShard(`${id}: ${detail}`);
  if (reason === "fetch-failed") throw new TryAgain(detail);
  if (reason === "not-found") throw new TryAgain(`${id} disappeared while it was read`);
  if (reason !== "unreadable") return outcome;
  if (detail.endsWith(CHANGED)) throw new BadShard(detail);
  const [code = ""] = detail.split(" ");
  if (NEVER.has(code)) throw new BadShard(`${id} cannot be read: ${detail}`);
  throw new TryAgain(`${id} cannot be read: ${detail}`);
}
