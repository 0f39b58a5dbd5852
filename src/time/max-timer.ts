/** Says how many milliseconds a timer of Node.js can hold: one of more goes off at once. */

export const MAX_TIMER_MS = 2 ** 31 - 1;
