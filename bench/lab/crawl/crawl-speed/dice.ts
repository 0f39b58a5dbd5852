/** Draws pseudo-random whole numbers; the same seed gives the same numbers. */
import { seededRandom } from "../../../metrics/bootstrap.js";

/** Returns an integer from 0 up to, but not including, `limit`. */
export type Dice = (limit: number) => number;

/** Each returned generator has a state of its own. */
export function createDice(seed: number): Dice {
  const random = seededRandom(seed);
  return (limit) => Math.floor(random() * limit);
}
