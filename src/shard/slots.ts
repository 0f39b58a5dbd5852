/** Jobs that are asked for at once into jobs that run a few at a time. */

/** At most `count` jobs at a time, first come first served. */
export function createSlots(count: number): <T>(job: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (job) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
