/** Keeps what is slow to open for all who use it at the same time: it is opened once, and closed when the last one has done. */

export interface Borrowed<T> {
  readonly thing: T;
  /** Calling it again does nothing. */
  readonly giveBack: () => Promise<void>;
}

export interface Shelf<T> {
  /** `key` names the thing: the same key means the same thing. `open` is called where no one has it. */
  borrow(key: string, open: () => Promise<T>): Promise<Borrowed<T>>;
}

interface Kept<T> {
  readonly opened: Promise<T>;
  users: number;
}

export function createShelf<T>(close: (thing: T) => Promise<void>): Shelf<T> {
  const kept = new Map<string, Kept<T>>();
  const leave = (key: string, one: Kept<T>): boolean => {
    one.users -= 1;
    if (one.users > 0) return false;
    kept.delete(key);
    return true;
  };
  return {
    async borrow(key, open) {
      const one = kept.get(key) ?? { opened: open(), users: 0 };
      kept.set(key, one);
      one.users += 1;
      try {
        const thing = await one.opened;
        let isHere = true;
        return {
          thing,
          giveBack: async () => {
            if (!isHere) return;
            isHere = false;
            if (leave(key, one)) await close(thing);
          },
        };
      } catch (error) {
        // Who comes next tries again: the folder may be whole by then.
        leave(key, one);
        throw error;
      }
    },
  };
}
