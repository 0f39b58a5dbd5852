/** Checks that the cost of some work grows linearly with its input. It measures CPU time, because a busy machine distorts wall-clock time. */
import { expect } from "vitest";

/** Eight times the input may cost at most MAX_RATIO times as much; a quadratic algorithm would cost 64 times as much. */
const GROWTH = 8;
const MAX_RATIO = 24;
/** Small costs cannot be measured, because compilers and garbage collectors cost more. */
const SLACK_MS = 40;
const TRIES = 4;

/** CPU time of this process, in all its threads, in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** `make` builds an input of a given size and is not measured; `work` is measured on the full size and on an eighth of it. */
export async function expectLinear<T>(
  size: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): Promise<void> {
  const small = make(Math.ceil(size / GROWTH));
  const large = make(size);
  await work(small); // so that it is compiled before the measurement
  let [least, cost, bound] = [0, Infinity, 0];
  // Small and large runs alternate, because a busy machine makes both slower.
  for (let run = 0; run < TRIES && cost >= bound; run += 1) {
    least = await costOf(() => work(small));
    cost = await costOf(() => work(large));
    bound = MAX_RATIO * least + SLACK_MS;
  }
  expect(cost, `CPU ms of ${GROWTH} times the input that costs ${least}`).toBeLessThan(bound);
}
