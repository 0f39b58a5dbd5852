/** Keeps a pipeline for each set of options that requests use: the most recently used ones, and all in use. */
import type { Pipeline } from "../pipeline.js";
import type { Order } from "./options.js";

export interface Lease extends Order {
  readonly pipeline: Pipeline;
  /** Must be called once, when the request is done. */
  release(): void;
}

export interface Pipelines {
  /** `key` identifies the order: the same key means the same order. */
  lease(key: string, order: () => Order): Promise<Lease>;
  close(): Promise<void>;
}

interface Kept {
  readonly made: Promise<Order & { readonly pipeline: Pipeline }>;
  users: number;
}

/** Most idle pipelines that are kept. */
const MOST_IDLE = 64;

export function createPipelines(open: (order: Order) => Promise<Pipeline>): Pipelines {
  const kept = new Map<string, Kept>();
  const make = (order: () => Order): Kept => {
    const made = async (): ReturnType<() => Kept["made"]> => {
      const wanted = order();
      return { ...wanted, pipeline: await open(wanted) };
    };
    return { made: made(), users: 0 };
  };
  const dropOldest = (): void => {
    const idle = [...kept].filter(([, { users }]) => users === 0);
    for (const [key, { made }] of idle.slice(0, -MOST_IDLE)) {
      kept.delete(key);
      void made.then(({ pipeline }) => pipeline.close());
    }
  };
  return {
    async lease(key, order) {
      const one = kept.get(key) ?? make(order);
      // Moves it to the end, because the least recently used one is dropped first.
      kept.delete(key);
      kept.set(key, one);
      one.users += 1;
      try {
        const made = await one.made;
        const release = (): void => {
          one.users -= 1;
          dropOldest();
        };
        return { ...made, release };
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    },
    async close() {
      for (const { made } of kept.values())
        await made.then(
          ({ pipeline }) => pipeline.close(),
          () => undefined, // its request got the error
        );
      kept.clear();
    },
  };
}
