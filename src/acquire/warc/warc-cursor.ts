/**
 * Reads the unpacked pieces of a WARC through a window, as runs of bytes that end at gaps; a place is a position in
 * these bytes.
 */
import {
  createWindow,
  type ByteWindow,
  type GapPiece,
  type MemberStart,
  type Piece,
} from "../packed/packing.js";

export interface Cursor {
  readonly window: ByteWindow;
  /** Adds the next piece to the window; returns false at the end of the run. */
  pull(): Promise<boolean>;
  /** The gap that ended the run; undefined before that, and at the end of the input. */
  gap(): GapPiece | undefined;
  /** Continues after the gap; returns false at the end of the input. Throws the error that ended the input, if any. */
  nextRun(): boolean;
  /** Finds the first place from `from` on where a member begins with a record. */
  recordMember(from: number): number | undefined;
  /** Returns the file offset of a place or, if that is unknown, of the member that holds it. */
  locate(place: number): Location;
  /** Whether the checksums of all bytes in the window were right; undefined if the bytes have no checksums. */
  isChecked(): boolean | undefined;
}

export interface Location {
  readonly offset: number;
  /** Whether the place is exactly at this offset, and not somewhere within the member that begins there. */
  readonly isExact: boolean;
}

interface Mark extends MemberStart {
  readonly place: number;
}

/** `start` is the place of the first piece, for a file without members. */
export function createCursor(pieces: AsyncIterator<Piece>, start = 0): Cursor {
  const window = createWindow(start);
  // Members that begin within a record, as bgzip writes them, get no mark, because there may be millions.
  let marks: Mark[] = [];
  let gap: GapPiece | undefined;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let isChecked: boolean | undefined;
  const mark = (member: MemberStart): void => {
    // Of the members that begin before the window, only the last one still has bytes in it.
    const first = marks.findLastIndex(({ place }) => place <= window.start());
    if (first > 0) marks = marks.slice(first);
    // If two members begin at the same place, the first one was empty.
    if (marks.at(-1)?.place === window.end()) marks.pop();
    if (member.startsRecord || marks.length === 0) marks.push({ ...member, place: window.end() });
  };
  return {
    window,
    async pull() {
      if (isOver || gap !== undefined) return false;
      let step: IteratorResult<Piece, unknown>;
      try {
        step = await pieces.next();
      } catch (error) {
        // The error is thrown later, after what was read before it.
        failure = { error };
        isOver = true;
        return false;
      }
      if (step.done === true) {
        isOver = true;
        return false;
      }
      const piece = step.value;
      if (piece.kind === "gap") {
        gap = piece;
        return false;
      }
      if (piece.member !== undefined) mark(piece.member);
      // The bytes of a member that was unpacked in one go are used nowhere else, so they need not be copied.
      if (piece.isWhole && piece.member !== undefined) window.adopt(piece.bytes);
      else window.append(piece.bytes);
      if (marks.length > 0) isChecked = piece.isWhole;
      return true;
    },
    gap: () => gap,
    nextRun() {
      gap = undefined;
      if (failure !== undefined) throw failure.error;
      return !isOver;
    },
    recordMember: (from) => marks.find(({ place, startsRecord }) => startsRecord && place >= from)?.place,
    locate(place) {
      const mark = marks.findLast((candidate) => candidate.place <= place);
      if (mark === undefined) return { offset: place, isExact: true };
      return { offset: mark.offset, isExact: mark.place === place };
    },
    isChecked: () => isChecked,
  };
}
