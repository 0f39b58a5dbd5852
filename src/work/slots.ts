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

/** Jobs that wait start together, at most `count` of them, when all that started together before have ended. */
export function createBatches(count: number): <T>(job: () => Promise<T>) => Promise<T> {
  let atWork = 0;
  const waiting: (() => void)[] = [];
  const startSome = (): void => {
    const some = waiting.splice(0, count);
    atWork = some.length;
    for (const start of some) start();
  };
  return async (job) => {
    const turn = new Promise<void>((resolve) => waiting.push(resolve));
    if (atWork === 0) startSome();
    await turn;
    try {
      return await job();
    } finally {
      atWork -= 1;
      if (atWork === 0) startSome();
    }
  };
}
