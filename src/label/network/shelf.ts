/** Shares things that are slow to open: each is opened once for all users and closed when the last gives it back. */

interface Borrowed<T> {
  readonly thing: T;
  /** Closes the thing if this was its last user. Calling it again does nothing. */
  readonly giveBack: () => Promise<void>;
}

interface Shelf<T> {
  /** Returns the thing that `key` identifies. `open` is called only if it has no user. Rejects if `open` does. */
  borrow(key: string, open: () => Promise<T>): Promise<Borrowed<T>>;
}

interface Kept<T> {
  readonly opened: Promise<T>;
  users: number;
}

/** Creates a shelf. `close` closes a thing after its last user has given it back. */
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
        // The next caller tries again, because the model's folder may be complete by then.
        leave(key, one);
        throw error;
      }
    },
  };
}
