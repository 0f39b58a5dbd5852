/** Reads the members of a packed file with their offsets, and reports the gaps that damage leaves between them. */
import type { Chunks } from "../streams.js";
import {
  createInput,
  startPiece,
  TRIAL_BYTES,
  type Failure,
  type GapPiece,
  type PackedInput,
  type Packing,
  type Piece,
} from "./packing.js";

/** Packed bytes up to which a member is unpacked in one go; a longer one is unpacked in pieces. */
const WHOLE_BYTES = 1 << 19;
/** False starts of a member after which the rest of the file is given up, because such a file is made to waste time. */
const MAX_TRIALS = 50_000;

/**
 * Reads all members. An error of the stream is thrown after everything that came before it. `start` is the file offset
 * at which the stream begins.
 */
export async function* readMembers(chunks: Chunks, packing: Packing, start = 0): AsyncGenerator<Piece> {
  const input = createInput(chunks, start);
  let gap: GapPiece | undefined;
  try {
    for (let isFound = true; isFound;) {
      await input.fill(WHOLE_BYTES);
      if (input.window.view().length === 0) break;
      const offset = input.window.start();
      const member = readMember(input, packing);
      let step = await member.next();
      // A member that gives no unpacked bytes belongs to the gap before it.
      if (step.done !== true && gap !== undefined) {
        yield gap;
        gap = undefined;
      }
      for (; step.done !== true; step = await member.next()) yield step.value;
      const failure = step.value;
      if (failure === undefined) continue;
      input.window.dropTo(offset + 1);
      isFound = await findMember(input, packing);
      const end = input.window.start();
      gap = { kind: "gap", ...failure, offset: Math.min(failure.offset, end), ...gap, end };
    }
    if (gap !== undefined) yield gap;
    input.rethrow();
  } finally {
    await input.close();
  }
}

async function* readMember(input: PackedInput, packing: Packing): AsyncGenerator<Piece, Failure | undefined> {
  const { window } = input;
  const offset = window.start();
  const trial = packing.unpack(window.view(), input.isOver());
  if (trial.kind === "long") return yield* packing.stream(input);
  if (trial.kind === "whole") {
    yield startPiece(trial.bytes, offset, true);
    window.dropTo(offset + trial.used);
    return undefined;
  }
  if (trial.bytes.length === 0) return { offset, detail: trial.detail };
  yield startPiece(trial.bytes, offset, false);
  return { offset: offset + trial.used, detail: trial.detail };
}

/** Drops bytes up to the next member that begins with a record; false if no member is left. */
async function findMember(input: PackedInput, packing: Packing): Promise<boolean> {
  const { window } = input;
  for (let trials = 0; trials < MAX_TRIALS;) {
    await input.fill(TRIAL_BYTES);
    const view = window.view();
    const at = view.indexOf(packing.magic);
    // The last bytes may be the beginning of a magic number.
    window.dropTo(window.start() + (at === -1 ? Math.max(1, view.length - packing.magic.length + 1) : at));
    if (at === -1 && input.isOver()) window.dropTo(window.end());
    if (window.end() === window.start() && input.isOver()) return false;
    if (at === -1) continue;
    await input.fill(TRIAL_BYTES);
    const packed = window.view().subarray(0, TRIAL_BYTES);
    if (packing.mayBegin(packed)) {
      if (packing.beginsRecord(packed)) return true;
      trials += 1;
    }
    window.dropTo(window.start() + 1);
  }
  while (window.end() > window.start()) {
    window.dropTo(window.end());
    await input.fill(1);
  }
  return false;
}
