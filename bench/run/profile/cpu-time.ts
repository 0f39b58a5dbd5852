/** Measures the CPU time of work in this process, over all of its threads. */
import { medianOf } from "../../metrics/median.js";

/** Returns the CPU milliseconds that pass while `work` runs. */
export async function timeCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Runs all stages once in each round, and returns for each stage the median CPU milliseconds over the rounds that come
 * after the `warmUp` rounds.
 */
export async function timeStages<K extends string>(
  stages: Readonly<Record<K, () => unknown>>,
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
): Promise<Record<K, number>> {
  const names = Object.keys(stages) as K[]; // the keys of a Record<K, …>
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round += 1)
    for (const name of names) {
      const ms = await timeCpu(stages[name]);
      if (round >= 0) times.get(name)?.push(ms);
    }
  // fromEntries loses the key type
  return Object.fromEntries([...times].map(([name, ms]) => [name, medianOf(ms)])) as Record<K, number>;
}
