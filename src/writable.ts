/** Declares the type of an object that is still being made. */

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
