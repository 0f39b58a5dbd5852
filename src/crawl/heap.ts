/** Values in the order of a number that each has: the smallest comes out first. */

export interface Heap<T> {
  readonly size: number;
  push(value: T): void;
  /** The smallest, which stays. */
  peek(): T | undefined;
  pop(): T | undefined;
}

/** The number of a value must not change while it is inside. */
export function createHeap<T>(keyOf: (value: T) => number): Heap<T> {
  const values: T[] = [];
  const keyAt = (at: number): number => {
    const value = values[at];
    return value === undefined ? Infinity : keyOf(value);
  };
  const swap = (one: number, other: number): void => {
    const held = values[one];
    const second = values[other];
    if (held === undefined || second === undefined) return;
    values[one] = second;
    values[other] = held;
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (keyAt(parent) <= keyAt(at)) return;
      swap(parent, at);
      at = parent;
    }
  };
  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(at) <= keyAt(child)) return;
      swap(at, child);
      at = child;
    }
  };
  return {
    get size() {
      return values.length;
    },
    push(value) {
      values.push(value);
      rise(values.length - 1);
    },
    peek: () => values[0],
    pop() {
      swap(0, values.length - 1);
      const value = values.pop();
      sink();
      return value;
    },
  };
}
