/** Applies an async function to several values at once and yields the results in input order. */

/**
 * Applies `work` to at most `limit` values of `input` at a time and yields the results in input order, each as soon
 * as it and all before it are done. Input is pulled only while fewer than `limit` results wait, so memory is
 * bounded. The first failure, of the input or of the work, ends the output with that error; so does the signal, even
 * while the input gives nothing.
 */
export async function* mapOrdered<I, O>(
  input: AsyncIterable<I>,
  limit: number,
  work: (value: I) => Promise<O>,
  signal?: AbortSignal,
): AsyncGenerator<O> {
  const queue: Promise<O>[] = [];
  let wakeConsumer = (): void => undefined;
  let wakeProducer = (): void => undefined;
  // Read through a function because it changes while the loops below wait, which TypeScript's narrowing does not see.
  let state: "running" | "ended" | "stopped" = "running";
  const isIn = (which: typeof state): boolean => state === which;

  const produce = async (): Promise<void> => {
    for await (const value of input) {
      if (isIn("stopped")) return;
      const result = work(value);
      result.catch(() => undefined); // reported when its turn comes
      queue.push(result);
      wakeConsumer();
      while (queue.length >= limit && !isIn("stopped"))
        await new Promise<void>((resolve) => (wakeProducer = resolve));
      if (isIn("stopped")) return;
    }
  };
  const produced = produce().finally(() => {
    if (!isIn("stopped")) state = "ended";
    wakeConsumer();
  });
  produced.catch(() => undefined); // awaited below

  const onAbort = (): void => {
    wakeConsumer();
  };
  signal?.addEventListener("abort", onAbort);
  try {
    while (true) {
      signal?.throwIfAborted();
      const next = queue[0];
      if (next !== undefined) {
        const value = await next;
        void queue.shift();
        wakeProducer();
        yield value;
      } else if (isIn("running")) {
        await new Promise<void>((resolve) => (wakeConsumer = resolve));
      } else break;
    }
    await produced;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    state = "stopped";
    wakeProducer();
  }
}
