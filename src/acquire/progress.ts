/** What a source has read so far into the position from which another one can go on. */
import type { NumberedPlace, Position } from "./position.js";
import type { Chunks } from "./streams.js";
import type { WarcStart } from "./warc.js";

export interface Progress {
  /** A place begins, or goes on after a position in it. */
  onPlace(place: NumberedPlace, after?: Position): void;
  /** Reading could begin here, with the record whose outcome comes next. */
  onStart(start: WarcStart): void;
  onOutcome(): void;
  onPassedOver(type: string): void;
  count(chunks: Chunks): Chunks;
  position(): Position | undefined;
  passedOver(): ReadonlyMap<string, number>;
  bytesRead(): number;
}

export function createProgress(after: Position | undefined): Progress {
  let position = after;
  const passedOver = new Map(Object.entries(after?.passedOver ?? {}));
  /** Of the files before the place at hand, and of what was read of it. */
  let before = after?.bytes ?? 0;
  let size: number | undefined = 0;
  let read = 0;
  /** What the next outcome makes the position: kept apart, since it holds only from that outcome on. */
  let next: Position | undefined;
  return {
    onPlace({ number, digest, size: bytes }, half) {
      before = half?.bytes ?? before + (size ?? read);
      size = bytes;
      read = half?.start?.offset ?? 0;
      const counts = Object.fromEntries(passedOver);
      next = { place: number, digest, bytes: before, passedOver: counts, ...half, outcomes: 0 };
    },
    onStart(start) {
      if (next === undefined) return;
      const { place, digest, bytes } = next;
      next = { place, digest, bytes, start, outcomes: 0, passedOver: Object.fromEntries(passedOver) };
    },
    onOutcome() {
      if (next === undefined) return;
      next = { ...next, outcomes: next.outcomes + 1 };
      position = next;
    },
    onPassedOver(type) {
      passedOver.set(type, (passedOver.get(type) ?? 0) + 1);
    },
    async *count(chunks) {
      for await (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
    },
    position: () => position,
    passedOver: () => passedOver,
    bytesRead: () => before + read,
  };
}
