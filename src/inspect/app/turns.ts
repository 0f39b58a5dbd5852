/** Numbers what the user asks for, so that only the last answer counts. */

export interface Turns {
  /** Begins the next turn. Returns a function that checks whether it is still the last one. */
  next(): () => boolean;
  /** Returns the same function for the turn that began last. */
  last(): () => boolean;
}

export function createTurns(): Turns {
  let count = 0;
  const last = (): (() => boolean) => {
    const own = count;
    return () => own === count;
  };
  return {
    next() {
      count += 1;
      return last();
    },
    last,
  };
}
