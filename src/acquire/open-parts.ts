/** Reads chosen files, or chosen parts of files, just as they would be read within the whole input. */
import type { Page } from "../document.js";
import { reject, type Outcome } from "../outcome.js";
import { createObjectOpener } from "./objects/open.js";
import type { InputPart } from "./parts.js";
import { createProgress } from "./position.js";
import type { LeftForLater, PlaceOptions } from "./place.js";
import { readPlace } from "./read-place.js";
import type { Source } from "./source.js";
import type { WarcStart } from "./warc/warc.js";

/** Reads parts one after another. */
export interface PartSource extends Source {
  /** How many records had no page and were not failures, by type. */
  passedOver(): ReadonlyMap<string, number>;
  bytesRead(): number;
  /** Bytes in damaged stretches of archives, which gave no record. */
  bytesSkipped(): number;
  /** Where another reader of the same part could start at the last outcome; undefined if it cannot start there. */
  start(): WarcStart | undefined;
}

export type PartsOptions = PlaceOptions & LeftForLater;

/** Opens nothing yet. */
export function openParts(parts: readonly InputPart[], options: PartsOptions): PartSource {
  const progress = createProgress(undefined);
  let skipped = 0;
  let start: WarcStart | undefined;
  return {
    name: "parts",
    passedOver: () => progress.passedOver(),
    bytesRead: () => progress.bytesRead(),
    bytesSkipped: () => skipped,
    start: () => start,
    async *pages(signal) {
      const objects = createObjectOpener();
      const reading = {
        ...{ ...options, objects, signal, progress },
        onPassedOver: (type: string) => {
          progress.onPassedOver(type);
        },
        onSkipped: (bytes: number) => {
          skipped += bytes;
        },
      };
      try {
        for (const [number, part] of parts.entries()) {
          const found = { kind: "file", id: part.id, isOneOfMany: true } as const;
          progress.onPlace({ found, number, digest: "", size: undefined });
          let next: WarcStart | undefined;
          const onStart = (at: WarcStart): void => {
            next = at;
          };
          const outcomes = readPlace(found, { ...reading, onStart, part }, part.start);
          const wanted = part.only === undefined ? outcomes : pickRecords(outcomes, part, () => next?.offset);
          for await (const outcome of wanted) {
            if (signal.aborted) return;
            start = next;
            next = undefined;
            yield outcome;
          }
        }
      } finally {
        await objects.close();
      }
    },
  };
}

/**
 * Yields the outcomes of the wanted records and of damage, because damage may hide a wanted record, and a reject for
 * each wanted record that was not found. `startOf` returns the offset of the last outcome's record.
 */
async function* pickRecords(
  outcomes: AsyncIterable<Outcome<Page>>,
  { id, only = new Set() }: InputPart,
  startOf: () => number | undefined,
): AsyncGenerator<Outcome<Page>> {
  const missing = new Set(only);
  let isBroken = false;
  for await (const outcome of outcomes) {
    const at = startOf();
    isBroken ||= !outcome.ok && outcome.id === id;
    const isDamage = !outcome.ok && (outcome.reason === "broken-warc" || outcome.id === id);
    if (isDamage || (at !== undefined && missing.delete(at))) yield outcome;
  }
  // If the whole file cannot be read, that was already reported.
  if (isBroken) return;
  for (const at of missing)
    yield reject(
      { id: `${id}@${at}`, url: "" },
      "acquire",
      "bad-record",
      "no record with a page begins there",
    );
}
