/** Transfers the scores of a system's own lines to the gold lines, however the system split its lines. */
import { Placement } from "../../metrics/align/place.js";
import { readSequence } from "../../metrics/align/sequence.js";
import type { GoldLine } from "../../corpora/gold.js";
import type { OutputLine } from "../../systems/system.js";

/** A gold line gets a score if at least this share of its words is in scored lines. */
const COVERED = 0.5;

/**
 * Returns, for each gold line, the mean score of its words; NaN if too few of them are in scored lines, because the
 * system dropped the line before it scored.
 */
export function mapScores(gold: readonly GoldLine[], lines: readonly OutputLine[]): Float32Array {
  const wanted = readSequence(gold.map(({ text }) => text));
  const given = readSequence(lines.map(({ text }) => text));
  const placement = new Placement(wanted, given);
  placement.placeInOrder();
  placement.placeMoved();
  return Float32Array.from(gold, (_, index) => {
    const [from, to] = [wanted.starts[index]!, wanted.starts[index + 1]!];
    let [sum, count] = [0, 0];
    for (let at = from; at < to; at += 1) {
      const place = placement.goldTo[at]!;
      const score = place < 0 ? undefined : lines[given.lineOf[place]!]?.score;
      if (score === undefined) continue;
      sum += score;
      count += 1;
    }
    return count > 0 && count >= COVERED * (to - from) ? sum / count : Number.NaN;
  });
}
