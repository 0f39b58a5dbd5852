/** Defines the longest delay of a Node.js timer in milliseconds; a timer with a longer delay fires at once. */

export const MAX_TIMER_MS = 2 ** 31 - 1;
