/** Checks that what a piece of work costs grows no faster than its input. No clock is read that a busy machine could blur. */
import { expect } from "vitest";

/** Eight times the input may cost so many times as much; a quadratic step would make it 64 times. */
const GROWTH = 8;
const MAX_RATIO = 24;
/** What small work costs is too little to measure: compilers and collectors cost more. */
const SLACK_MS = 40;
const TRIES = 4;

/** CPU time of this process, all its threads, in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** `make` builds an input of a size, outside the measurement; `work` is measured on the full size and on an eighth of it. */
export async function expectLinear<T>(
  size: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): Promise<void> {
  const small = make(Math.ceil(size / GROWTH));
  const large = make(size);
  await work(small); // now it is compiled
  let [least, cost, bound] = [0, Infinity, 0];
  // In turns: a machine that is busy makes both dearer.
  for (let run = 0; run < TRIES && cost >= bound; run += 1) {
    least = await costOf(() => work(small));
    cost = await costOf(() => work(large));
    bound = MAX_RATIO * least + SLACK_MS;
  }
  expect(cost, `CPU ms of ${GROWTH} times the input that costs ${least}`).toBeLessThan(bound);
}
