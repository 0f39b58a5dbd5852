/** Makes numbers that look random and depend on a seed alone. */

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** mulberry32 (Tommy Ettinger 2017): a counter that is mixed, 32 bits of state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
